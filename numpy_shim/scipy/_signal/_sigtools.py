"""``scipy.signal._sigtools`` for arrays of ours: what SciPy has written in C.

The names and the arguments are those by which SciPy's Python code calls it. What is not here is
an AttributeError there; ``numpy_shim.scipy._signal`` lists the functions that need it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.nn.functional import pad

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from ..._functions.dtype_functions import result_type
from .._ndimage import order, windows
from . import convolutions
from .recursions import filtered

_FLOATS = {
    "f": (torch.float32, torch.float64), "d": (torch.float64, torch.float64),
    "F": (torch.complex64, torch.complex128), "D": (torch.complex128, torch.complex128),
}  # fmt: skip
"""By letter, the dtype of a filter's output, and that in which it is computed."""

_MODES = ("valid", "same", "full")


def _linear_filter(b: Any, a: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """The output of a recursive filter, and with ``zi`` its last state."""
    dtype = numpy.dtype(result_type(*[v for v in (b, a, x, zi) if v is not None]))
    if dtype.char not in _FLOATS:
        raise NotImplementedError(f"input type '{dtype}' not supported\n")
    out_dtype, dtype_inside = _FLOATS[dtype.char]
    tx = as_tensor("lfilter", x)
    if not -tx.dim() <= axis < tx.dim():
        raise ValueError("selected axis is out of range")
    tb, ta = (_coefficients(v, dtype_inside) for v in (b, a))
    if not torch.compiler.is_compiling() and bool(ta[0] == 0):
        raise ValueError("BUG: filter coefficient a[0] == 0 not supported yet")
    count = max(len(ta), len(tb))
    tb, ta = tb / ta[0], ta / ta[0]
    lines = tx.movedim(axis, -1)
    shape = (*lines.shape[:-1], count - 1)
    if zi is None:
        state = lines.new_zeros(shape)
    else:
        state = _expanded(as_tensor("lfilter", zi), axis % tx.dim(), shape).movedim(axis, -1)
    rows = math.prod(lines.shape[:-1])
    flat = lines.reshape(rows, lines.shape[-1]).to(dtype_inside)
    y, last = filtered(tb, ta, flat, state.reshape(rows, count - 1).to(dtype_inside))
    out = wrap(y.reshape(lines.shape).to(out_dtype).movedim(-1, axis))
    return out if zi is None else (out, wrap(last.reshape(shape).to(out_dtype).movedim(-1, axis)))


def _coefficients(x: Any, dtype: torch.dtype) -> Tensor:
    """A filter's numbers; real ones stay real beside a complex signal."""
    t = as_tensor("lfilter", x)
    return t.to(dtype if t.is_complex() else torch.float64)


def _expanded(state: Tensor, axis: int, shape: tuple[int, ...]) -> Tensor:
    """The state in the shape of the lines, with their axis where it was."""
    if state.dim() < len(shape):
        raise ValueError("object of too small depth for desired array")
    expected = (*shape[:axis], shape[-1], *shape[axis:-1])
    fits = [
        a == b or (a == 1 and i != axis)
        for i, (a, b) in enumerate(zip(state.shape, expected, strict=False))
    ]
    if state.dim() > len(shape) or not all(fits):
        wanted, found = (",".join(map(str, s)) for s in (expected, state.shape))
        raise ValueError(f"Unexpected shape for zi:  expected ({wanted}), found ({found}).")
    return state.expand(expected)


def _correlateND(a: Any, kernel: Any, out: ndarray, mode: int) -> Any:  # noqa: N802 - SciPy's name
    """The correlation of arrays; but for mode 0 ``a`` ends with the zeros of a full one."""
    dtype = numpy.dtype(result_type(a, kernel))
    if dtype.kind == "b":
        raise ValueError("Unsupported type")
    ta, tk = convolutions.of_dtype(a, dtype), convolutions.of_dtype(kernel, dtype)
    if tk.is_complex():
        tk = tk.conj()
    if mode:
        sizes = [n - k + 1 for n, k in zip(ta.shape, tk.shape, strict=True)]
        begins = [0 if mode == 2 else (k - 1) // 2 for k in tk.shape]
        shape = ta.shape if mode == 2 else out.shape
        ta = ta[tuple([slice(n) for n in sizes])]
        wider: list[int] = []
        for n, k, begin, size in zip(sizes, tk.shape, begins, shape, strict=True):
            before = k - 1 - begin
            wider = [before, size + k - 1 - before - n, *wider]
        ta = pad(ta, wider)
    return wrap(convolutions.valid(ta, tk))


def _convolve2d(in1: Any, in2: Any, flip: int, mode: int, boundary: int, fillvalue: Any) -> Any:
    """The convolution of images, or their correlation, with what stands beyond the edges."""
    dtype = numpy.dtype(result_type(in1, in2))
    if dtype.char not in "bBhHiIlLqQfdFD":
        raise ValueError("convolve2d not available for this type.")
    value = numpy.asarray(fillvalue.tensor.cpu() if isinstance(fillvalue, ndarray) else fillvalue)
    if value.size != 1:
        raise ValueError("`fillvalue` must be scalar or an array with one element.")
    if not numpy.can_cast(numpy.min_scalar_type(value.item()), dtype, "same_kind") and (
        value.dtype.kind == "c"
    ):
        raise ValueError(
            "could not cast `fillvalue` directly to the output type (it was first converted to "
            "complex)."
        )
    t, kernel = convolutions.of_dtype(in1, dtype), convolutions.of_dtype(in2, dtype)
    if flip:
        kernel = kernel.flip(0, 1)
    edge = {0: windows.GRID_CONSTANT, 1: windows.REFLECT, 2: windows.GRID_WRAP}[boundary >> 2]
    for axis, k in enumerate(kernel.shape):
        if mode == 0:
            continue
        before = k - 1 if mode == 2 else (k - 1) // 2 if not flip else k - 1 - (k - 1) // 2
        after = k - 1 if mode == 2 else k - 1 - before
        t = windows.extend(t, axis, before, after, edge, value.astype(dtype).item())
    return wrap(convolutions.valid(t, kernel))


def _medfilt2d(image: Any, size: Any) -> Any:
    """The median of each window, with zeros beyond the edges."""
    t = as_tensor("medfilt2d", image)
    shape = as_tensor("medfilt2d", size).tolist()
    places = list(windows.offsets([True] * (shape[0] * shape[1]), shape))
    extended = windows.extend_for(order.comparable(t, 0), shape, (0, 0), windows.GRID_CONSTANT, 0)
    middle = order.rank_in(extended, places, len(places) // 2, t.shape)
    return wrap(windows.joined(middle).to(t.dtype))


__all__ = ["_convolve2d", "_correlateND", "_linear_filter", "_medfilt2d"]
