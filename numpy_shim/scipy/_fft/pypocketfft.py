"""``scipy.fft._pocketfft.pypocketfft`` for arrays of ours: what SciPy has written in C++.

From SciPy 1.18 on it is ``scipy.fft._duccfft.pyduccfft``, with the same functions.

The names and the arguments are those by which SciPy's Python code calls it. ``out`` is written
where it is given; the number of threads is torch's own setting.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from torch import Tensor

from xp_torch._kernels import fft as transforms

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from . import cosines

KERNELS = "_pocketfft" if find_spec("scipy.fft._pocketfft") else "_duccfft"
"""SciPy's package over its compiled transforms: the second from 1.18 on."""

_THEIRS: Any = import_module(f"scipy.fft.{KERNELS}.py{KERNELS[1:]}")
good_size, prev_good_size = _THEIRS.good_size, _THEIRS.prev_good_size

_NORMS = ("backward", "ortho", "forward")


def _scale_name(inorm: int, forward: bool) -> str:
    """torch's name for SciPy's number: 0 is no factor, 1 and 2 are 1 / sqrt(n) and 1 / n."""
    if inorm not in (0, 1, 2):
        raise ValueError("invalid value for inorm (must be 0, 1, or 2)")
    return _NORMS[inorm if forward else 2 - inorm]


def _result(values: Tensor, out: ndarray | None) -> Any:
    if out is None or out._tensor.requires_grad:
        return wrap(values)
    out[...] = wrap(values)
    return out


def _sizes(t: Tensor, axes: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes, counted from the first, and their sizes."""
    places = tuple(range(t.dim())[axis] for axis in axes)
    return tuple(t.shape[axis] for axis in places), places


def c2c(
    a: Any, axes: Sequence[int], forward: bool, inorm: int, out: ndarray | None, nthreads: int
) -> Any:
    t = as_tensor("fft", a)
    kind = transforms.fftn if forward else transforms.ifftn
    sizes, places = _sizes(t, axes)
    return _result(transforms.many_axes(kind, t, sizes, places, _scale_name(inorm, forward)), out)


def r2c(
    a: Any, axes: Sequence[int], forward: bool, inorm: int, out: ndarray | None, nthreads: int
) -> Any:
    t = as_tensor("fft", a)
    sizes, places = _sizes(t, axes)
    name = _scale_name(inorm, True)
    values = transforms.many_axes(transforms.rfftn, t, sizes, places, name)
    return _result(values if forward else values.conj().resolve_conj(), out)


def c2r(
    a: Any, axes: Sequence[int], lastsize: int, forward: bool, inorm: int, out: ndarray | None,
    nthreads: int,
) -> Any:  # fmt: skip
    t = as_tensor("fft", a)
    sizes, places = _sizes(t, axes)
    lastsize = lastsize or 2 * sizes[-1] - 1
    if sizes[-1] != lastsize // 2 + 1:
        raise ValueError("bad lastsize")
    if forward:
        t = t.conj()
    name = _scale_name(inorm, False)
    sizes = (*sizes[:-1], lastsize)
    return _result(transforms.many_axes(transforms.irfftn, t, sizes, places, name), out)


def _real_to_real(
    kernel: Callable[[Tensor, int], Tensor], longer: int, scale_ends: Any, a: Any, type: int,
    axes: Sequence[int], inorm: int, out: ndarray | None, ortho: bool | None,
) -> Any:  # fmt: skip
    """One of the eight transforms over each axis; ``longer`` is what type I adds to a period."""
    name = "DCT" if kernel is cosines.dct else "DST"
    if (type := int(type)) not in (1, 2, 3, 4):
        raise ValueError(f"invalid {name} type")
    _scale_name(inorm, True)
    ortho = inorm == 1 if ortho is None else ortho
    t = as_tensor("fft", a)
    sizes, places = _sizes(t, axes)
    if 0 not in t.shape:
        for axis in places:
            t = t.movedim(axis, -1)
            if ortho:
                t = scale_ends(t, type, True)
            t = kernel(t, type)
            if ortho:
                t = scale_ends(t, type, False)
            t = t.movedim(-1, axis)
        count = math.prod([2 * (n + longer) if type == 1 else 2 * n for n in sizes])
        if inorm:
            t = t * (1 / count if inorm == 2 else 1 / math.sqrt(count))
    return _result(t, out)


def dct(
    a: Any, type: int, axes: Sequence[int], inorm: int, out: ndarray | None, nthreads: int,
    ortho: bool | None = None,
) -> Any:  # fmt: skip
    return _real_to_real(
        cosines.dct, -1, cosines.scale_dct_ends, a, type, axes, inorm, out, ortho
    )  # fmt: skip


def dst(
    a: Any, type: int, axes: Sequence[int], inorm: int, out: ndarray | None, nthreads: int,
    ortho: bool | None = None,
) -> Any:  # fmt: skip
    return _real_to_real(cosines.dst, 1, cosines.scale_dst_ends, a, type, axes, inorm, out, ortho)


__all__ = ["c2c", "c2r", "dct", "dst", "good_size", "prev_good_size", "r2c"]
