"""A transform from its arguments to the array: checks, the kernel, floating-point errors."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from xp_torch._core.dtypes import COMPLEX_OF
from xp_torch._core.errors import translate
from xp_torch._kernels import fft as kernels
from xp_torch._kernels.fft import Transform

from .._array.layout import like
from .._array.ndarray import AnyArray, ndarray
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import normalize_axis
from .._base.dtypes import COMPLEXES, FLOATS, HALVES, NUMPY
from .._base.tracing import warn
from .._convert.arguments import ArrayLike, as_array, as_tensor, finish
from .._convert.outputs import output_of

_NORMS = (None, "backward", "ortho", "forward")


def _signal(name: str, kind: Transform, a: ArrayLike) -> Tensor:
    """Convert the input to a dtype that the transform supports."""
    tensor = a._tensor if type(a) is ndarray else as_tensor(name, a)
    dtype = tensor.dtype
    if dtype in HALVES:
        tensor = tensor.float()
    elif dtype not in FLOATS and dtype not in COMPLEXES:
        tensor = tensor.to(torch.float64)
    if kind.halves or tensor.is_complex():
        return tensor
    return tensor.to(COMPLEX_OF[tensor.dtype])


def _check_real(kind: Transform, x: Tensor) -> None:
    """Raise if a real transform gets complex numbers; as in NumPy, this is the last check."""
    if kind.halves and x.is_complex():
        raise TypeError(f"{kind.name}: a must be real, not of dtype {NUMPY[x.dtype]}")


def _norm(name: str, norm: object) -> str:
    if norm not in _NORMS:
        raise ValueError(
            f'{name}: Invalid norm value {norm}; should be "backward", "ortho" or "forward".'
        )
    return norm or "backward"


def _size(name: str, n: Any) -> int:
    size = n if type(n) is int else operator.index(n)  # a trace would fix a size that varies
    if size < 1:
        raise ValueError(f"{name}: Invalid number of FFT data points ({size}) specified.")
    return size


def _run(name: str, function: Callable[..., Tensor], *args: object) -> Tensor:
    try:
        return function(*args)
    except RuntimeError as error:
        translate(name, error)


def _rounded(kind: Transform, a: object, result: Tensor) -> Tensor:
    """Round a real result to the 16-bit dtype of the signal; complex results stay as they are."""
    dtype = a._tensor.dtype if isinstance(a, AnyArray) else getattr(a, "dtype", None)
    return result.to(dtype) if kind.doubles and dtype in HALVES else result


def _finished(kind: Transform, a: object, x: Tensor, result: Tensor, out: object) -> ndarray:
    """The array of a result, in the memory order of ``x``, from which it was computed."""
    result = _rounded(kind, a, like(result, x))
    if out is not None and (shape := output_of(kind.name, out)._tensor.shape) != result.shape:
        raise ValueError(
            f"{kind.name}: output array has wrong shape {tuple(shape)}, "
            f"the result has {tuple(result.shape)}"
        )
    return finish(kind.name, result, out)


def _deprecated(name: str, what: str) -> None:
    """Warn about a deprecation of NumPy 2.0, at the line that called the public function."""
    warn(f"{name}: {what}", DeprecationWarning)


def along_axis(kind: Transform, a: Any, n: Any, axis: Any, norm: Any, out: Any) -> ndarray:
    name = kind.name
    x = _signal(name, kind, a)
    norm = _norm(name, norm)
    dim = normalize_axis(name, axis, x.dim())
    size = _size(name, kind.default_size(x.shape[dim]) if n is None else n)
    _check_real(kind, x)
    result = _run(name, kernels.one_axis, kind, x, size, dim, norm)
    if errstate.active:
        _look(kind, x, size, dim, result)
    return _finished(kind, a, x, result, out)


def along_axes(kind: Transform, a: Any, s: Any, axes: Any, norm: Any, out: Any) -> ndarray:
    name = kind.name
    x = _signal(name, kind, a)
    norm = _norm(name, norm)
    if axes is None:
        dims = tuple(range(x.dim())) if s is None else tuple(range(x.dim() - len(s), x.dim()))
        if s is not None and len(s) > x.dim():
            _check_real(kind, x)
            raise ValueError(f"{name}: Shape and axes have different lengths.")
        if s is not None:
            _deprecated(name, "`axes` should not be `None` if `s` is not `None`")
    else:
        dims = tuple(normalize_axis(name, axis, x.dim(), "axes") for axis in axes)
    sizes = [x.shape[p] for p in dims]
    if s is not None:
        if len(s) != len(dims):
            raise ValueError(f"{name}: Shape and axes have different lengths.")
        if None in s:
            _deprecated(name, "Passing an array containing `None` values to `s` is deprecated")
        # -1 keeps the size, as None does.
        sizes = [
            size if wanted is None or wanted == -1 else _size(name, wanted)
            for size, wanted in zip(sizes, s, strict=True)
        ]
        open_end = not s or s[-1] is None
    else:
        open_end = True
    if kind.doubles and dims and open_end:
        sizes[-1] = kind.default_size(sizes[-1])
    if not dims and (kind.halves or kind.doubles):
        raise IndexError(f"{name}: at least one axis is needed")
    for size in sizes:
        _size(name, size)
    _check_real(kind, x)
    if not dims:
        return as_array(name, a)  # NumPy returns the input itself
    # MKL's order of summation depends on the memory layout, NumPy's does not.
    given, x = x, x.contiguous()
    result = _run(name, kernels.many_axes, kind, x, tuple(sizes), dims, norm)
    if errstate.active and dims:
        for one, size, dim in kernels.steps(kind, tuple(sizes), dims):
            before, x = x, _run(name, kernels.one_axis, one, x, size, dim, norm)
            _look(one, before, size, dim, x)
    # After a complex transform of another axis the result is no longer of 16 bits.
    return _finished(kind, a if len(dims) == 1 else None, given, result, out)


_OPERATIONS = {"hfft": "irfft", "ihfft": "rfft"}
"""The operation that NumPy uses for these transforms."""


def _look(kind: Transform, x: Tensor, size: int, axis: int, result: Tensor) -> None:
    """Check a transform of one axis for floating-point errors."""
    operation = _OPERATIONS.get(kind.name, kind.name)
    if operation == "rfft":
        operation = f"rfft_n_{'odd' if size % 2 else 'even'}"
    if result.dtype in (torch.float32, torch.complex64):
        operation = "cast"  # NumPy casts from double precision
    error_checks.check_along(operation, x, axis, result)
