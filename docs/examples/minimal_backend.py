"""A PyTorch backend over NumPy arrays in 40 lines, and a training step on it."""

import numpy as np
import torch

import xp_backend

aten = torch.ops.aten
env = xp_backend.BackendEnvironment(
    "mini", np.ndarray, lambda t: t.numpy(), lambda b: torch.from_numpy(np.array(b)),
    own=lambda b: np.array(b, order="C"),
)
env.register_op(aten.add.Tensor, lambda a, b, *, alpha=1: np.add(a, b if alpha == 1 else b * alpha))
env.register_op(aten.sub.Tensor, lambda a, b, *, alpha=1: np.subtract(a, b if alpha == 1 else b * alpha))
env.register_op(aten.mul.Tensor, np.multiply)
env.register_op(aten.div.Tensor, np.divide)
env.register_op(aten.neg.default, np.negative)
env.register_op(aten.exp.default, np.exp)
env.register_op(aten.log.default, np.log)
env.register_op(aten.sqrt.default, np.sqrt)
env.register_op(aten.tanh.default, np.tanh)
env.register_op(aten.pow.Tensor_Scalar, np.power)
env.register_op(aten.maximum.default, np.maximum)
env.register_op(aten.gt.Scalar, np.greater)
env.register_op(aten.le.Scalar, np.less_equal)
env.register_op(aten.where.self, np.where)
env.register_op(aten.mm.default, np.matmul)
env.register_op(aten.clone.default, np.copy)
env.register_op(aten.copy_.default, lambda target, values: np.copyto(target, values))
env.register_op(aten._to_copy.default, lambda x, *, dtype: x.astype(str(dtype)[6:]))
env.register_op(aten.full.default, lambda size, value, *, dtype=torch.float32: np.full(size, value, str(dtype)[6:]))


@env.register_op(aten.sum.dim_IntList)
def sum_(x, dim=None, keepdim=False, *, dtype=None):
    return np.asarray(x.sum(tuple(dim) if dim else None, keepdims=keepdim))


@env.register_op(aten.as_strided.default)
def as_strided(x, size, stride, offset=0):
    flat = x.reshape(-1)[offset:]
    return np.lib.stride_tricks.as_strided(flat, size, [s * x.itemsize for s in stride])


env.register_default_decompositions()

if __name__ == "__main__":
    torch.manual_seed(0)
    x, y = torch.randn(64, 3, device="mini"), torch.randn(64, 1, device="mini")
    net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1)).to("mini")
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(20):
        optimizer.zero_grad()
        loss = (net(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        if step in (0, 19):
            print(f"step {step:2}: loss {loss.item():.4f}")
    print(f"{len(env.operators)} operators registered")
    try:
        torch.linalg.svd(x)
    except xp_backend.MissingOperatorError as error:
        print(error)
