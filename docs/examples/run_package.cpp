// Runs a file that numpy_shim has compiled on a ramp of numbers: run_package f.pt2 1000
#include <ATen/ATen.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <iomanip>
#include <iostream>

int main(int count, char** words) {
  if (count != 3) {
    std::cerr << "usage: run_package f.pt2 size\n";
    return 2;
  }
  torch::inductor::AOTIModelPackageLoader program(words[1]);
  const at::Tensor x = at::linspace(0.0, 1.0, std::stol(words[2]), at::kDouble);
  for (const at::Tensor& output : program.run({x})) {  // in the order of Exported.outputs
    const at::Tensor flat = output.to(at::kDouble).contiguous();
    for (int64_t i = 0; i < flat.numel(); ++i)
      std::cout << std::setprecision(17) << flat.data_ptr<double>()[i] << '\n';
  }
}
