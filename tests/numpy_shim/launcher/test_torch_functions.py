"""``torch.from_numpy`` under the launcher."""

from pathlib import Path

from tests.numpy_shim.launcher.launching import launch, write

PROGRAM = """
import pickle
import numpy as np
import torch

a = np.arange(6.0).reshape(2, 3)
t = torch.from_numpy(a)
t[0, 0] = 7
a[1, 1] = 9
print(t.tolist(), a.tolist(), t.dtype, t.is_contiguous(), torch.from_numpy(a.T).stride())
t.requires_grad_()
a += 1  # is not recorded
print(a.sum(), (t * 2).sum().item(), torch.from_numpy(a[:, 1]).tolist())
for dtype in ("int8", "uint16", "bool", "complex64", "float16"):
    print(torch.from_numpy(np.ones(2, dtype)))
for wrong in (a[::-1], [1.0], np.float64(1), np.array(["a"])):
    try:
        print(torch.from_numpy(wrong))
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
print(torch.from_numpy(np.array(2.0)), pickle.loads(pickle.dumps(torch.from_numpy))(a).shape)
doubled = torch.compile(lambda x: torch.from_numpy(x * 2) + 1, backend="eager")
print(doubled(a).tolist())
"""

GRADIENT = """
import numpy as np
import torch

x = torch.ones(3, requires_grad=True)
torch.from_numpy(np.asarray(x) * 2).sum().backward()
print(x.grad.tolist())
"""


def test_it_takes_arrays_of_ours(tmp_path: Path):
    """Memory, dtypes and errors are as with NumPy's arrays."""
    write(tmp_path, {"program.py": PROGRAM})
    ours = launch("program.py", cwd=tmp_path).stdout
    assert ours == launch("program.py", cwd=tmp_path, launcher=False).stdout != ""


def test_it_keeps_the_gradient(tmp_path: Path):
    """An array of ours may have one; NumPy's cannot."""
    write(tmp_path, {"program.py": GRADIENT})
    assert launch("program.py", cwd=tmp_path).stdout == "[2.0, 2.0, 2.0]\n"
