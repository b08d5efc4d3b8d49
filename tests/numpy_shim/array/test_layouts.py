"""``order=``: how results lie in memory, of arrays that lie in many ways, backwards too."""

from __future__ import annotations

from typing import Any

import pytest

from tests.numpy_shim.differential import compare

ARRAYS = [
    "a", "a.T", "a[::-1]", "a[:, ::-1]", "a.T[::-1]", "a.T[:, ::-1]", "a[::-1, ::-1]",
    "a.T[::-1, ::-1]", "np.asfortranarray(a)[::-1]", "a[0][::-1]", "a[:1]", "a[:1].T", "a[:, ::-2]",
    "a.T[::-2]", "a[:, ::2]", "b.transpose(2, 0, 1)", "b.transpose(2, 0, 1)[::-1]",
    "b.transpose(2, 0, 1)[:, :, ::-1]", "b[:, ::-1].transpose(1, 2, 0)", "b.swapaxes(0, 1)",
]  # fmt: skip
CALLS = [
    "x.copy({})", "np.copy(x, {})", "np.array(x, order={})", "np.array(x, order={}, copy=None)",
    "np.array(x, order={}, copy=False)", "np.asarray(x, order={})", "np.asarray(x, 'f4', {})",
    "x.astype('f4', {})", "x.astype('f8', {}, copy=False)", "np.zeros_like(x, order={})",
    "np.add(x, 1, order={})", "np.add(x, x, order={})", "np.add(x, x[..., :1], order={})",
    "np.einsum('...,...->...', x, x, order={})", "x.ravel({})", "x.flatten({})",
]  # fmt: skip


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("order", ["C", "F", "A"])
def test_orders(order: str, call: str, array: str) -> None:
    def body(np: Any) -> Any:
        names = {"np": np, "a": np.arange(6.0).reshape(2, 3)}
        names["b"] = np.arange(24.0).reshape(2, 3, 4)
        x = names["x"] = eval(array, names)
        y = eval(call.format(repr(order)), names)
        strides = [s for s, n in zip(y.strides, y.shape, strict=True) if n > 1]
        return y, strides, y.flags.c_contiguous, y.flags.f_contiguous, y is x

    compare(body)


@pytest.mark.parametrize("order", ["C", "F", "A", "K", "f", b"F", None, "x", 3], ids=str)
def test_spellings(order: Any) -> None:
    compare(lambda np: np.ones((2, 3)).T.tobytes(order))
    compare(lambda np: np.arange(6).reshape(2, 3).T.tobytes(order))
    compare(lambda np: np.add(np.ones((2, 3)), 1, order=order).strides)
    compare(lambda np: np.ones((2, 3)).astype(float, order, copy=False).strides)
