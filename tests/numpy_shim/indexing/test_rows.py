"""Elements of rows, ``a[i][j]``: a matrix of which they are read keeps NumPy's view for them."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import numpy_shim
from tests.numpy_shim.calls import lines
from tests.numpy_shim.differential import compare

MATRICES = {
    "float64": "np.arange(12.0).reshape(3, 4)",
    "int32": "np.arange(12, dtype='i4').reshape(3, 4)",
    "bool": "np.arange(12).reshape(3, 4) % 2 == 0",
    "complex64": "np.arange(12).reshape(3, 4).astype('c8') * 1j",
    "transposed": "np.arange(12.0).reshape(4, 3).T",
    "part": "np.arange(60.0).reshape(5, 3, 4)[2]",
    "backwards": "np.arange(12.0).reshape(3, 4)[::-1, ::-1]",
    "one row for all": "np.broadcast_to(np.arange(4.0), (3, 4))",
}
USES = lines("""
[a[i][j] for i in range(3) for j in range(4)]
[a[-1][0], a[1], a[1][-4], a[1, 2], a[1][2], a[np.int64(2)][1], a[2]]
[a[0][0], a[(1,)], a[1, 1], a[1, ...], a[[1]], a[True].shape, a[:, 1], a[1, 1:3]]
[a[0][0], a[1].base is a[2].base, a[1].flags.writeable, a[1].dtype]
[a[0][0], a[0][9]]
[a[0][0], a[9]]
[a[0][0], a[-4]]
[a[0][0], a[9][0]]
[a[0][0], a[0, 0, 0]]
[a[0][0], a[1][1:3].sum(), a[1].copy(), a[1] + a[2]]
""")
WRITES = lines("""
a[1][2] = 1; a[1][3] = 0; a[2][0] += 1; a[0, 1] = 1; found = [a[0][1], a[1]]
row = a[1]; row[0] = 1; other = a[1]; other[1] = 1; found = [a[1][0], a[1][1], row[1]]
a[1][0] = 1; a[2] = 1; found = [a[2][3], a[2]]
a[1][0] = 1; a[2, 2] = 1; a[2][3] = 1; found = [a[2][3], a[2]]
x = a[1][0]; a = a.copy(); a[1][0] = 1; found = [x, a[1][0]]
x = a[1][0]; a = a.copy(); a.shape = (4, 3); found = [a[3][0], a[3]]
x = a[1][0]; a = a.copy(); a.shape = (12,); found = [a[3], a[11]]
a[0][1] = 1; a[0][7] = 1
""")


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("use", USES)
def test_reads(use: str, matrix: str, device: str):
    def body(np: Any) -> Any:
        a = eval(MATRICES[matrix], {"np": np})
        return [eval(use, {"np": np, "a": a}) for _ in range(3)]

    compare(body, device=device)


@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("write", WRITES)
def test_writes(write: str, matrix: str, device: str):
    def body(np: Any) -> Any:
        names = {"np": np, "a": eval(MATRICES[matrix], {"np": np})}
        for _ in range(2):
            exec(write, names)
        return names["found"], names["a"]

    compare(body, device=device)


def test_writes_are_seen_by_autograd():
    """A row is torch's view of the matrix: what is saved for a gradient does not change unseen."""
    a = numpy_shim.ones((2, 2))
    assert a[0][0] == 1
    w = torch.ones(2, dtype=torch.float64, requires_grad=True)
    product = (w * a[1].tensor).sum()
    a[1][0] = 5.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.backward()


def test_a_matrix_with_a_gradient():
    a = numpy_shim.asarray(torch.ones(2, 2, dtype=torch.float64))
    assert a[0][0] == 1
    a.tensor.requires_grad_()
    (a[1][0] * 3 + a[0, 1]).tensor.backward()
    assert a.tensor.grad.tolist() == [[0, 1], [3, 0]]
