"""The positions of largest and smallest elements."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core.docs import documented_like
from xp_torch._kernels import blocks
from xp_torch._kernels.blocks import LARGE, is_large

from .._array.ndarray import ndarray, scalar, wrap
from .._array.typing import OutArray
from .._base.axes import normalize_axis
from .._base.dtypes import COMPLEXES, FLOATS
from .._base.tracing import _NoValue
from .._base.typing import ArrayLike
from .._convert.arguments import as_tensor, check_cast, check_out, finish
from .._kernels import value_checks
from .._kernels.host_kernels import or_numpys
from .._kernels.sorting import comparable
from .._ufunc.folds import keeps, reduction_axes
from .searching import NATIVE

__all__ = ["argmax", "argmin", "nanargmax", "nanargmin"]


def argmax(
    a: ArrayLike, axis: int | None = None, out: OutArray = None, *, keepdims: bool = _NoValue
) -> ndarray:
    """The index of the first largest element, or of the first NaN.

    Parameters
    ----------
    a : array_like
        The array; complex numbers are compared by real, then by imaginary part.
    axis : int, optional
        The axis to search along; by default the array is flattened.
    out : ndarray, optional
        Where to write the result, of integer dtype.
    keepdims : bool
        Whether the reduced axes stay, with size 1.

    Returns
    -------
    ndarray or scalar
        Indices, int64.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.argmax([1, 3, 3])
    np.int64(1)
    """
    if type(a) is ndarray and out is None and keepdims is _NoValue:
        found = _by_torch_alone(torch.argmax, a, axis)
        if found is not None:
            return found
    return _general_argmax(a, axis, out, keepdims)


def _general_argmax(a: ArrayLike, axis: int | None, out: OutArray, keepdims: bool) -> ndarray:
    return _arg_extremum("argmax", as_tensor("argmax", a), axis, out, keepdims, True)


@documented_like(
    argmax,
    "The index of the first smallest element, or of the first NaN.",
    """
    >>> import numpy_shim as np
    >>> np.argmin([[3, 1], [2, 5]], axis=1)
    array([1, 0])
    """,
)
def argmin(
    a: ArrayLike, axis: int | None = None, out: OutArray = None, *, keepdims: bool = _NoValue
) -> ndarray:
    if type(a) is ndarray and out is None and keepdims is _NoValue:
        found = _by_torch_alone(torch.argmin, a, axis)
        if found is not None:
            return found
    return _general_argmin(a, axis, out, keepdims)


def _general_argmin(a: ArrayLike, axis: int | None, out: OutArray, keepdims: bool) -> ndarray:
    return _arg_extremum("argmin", as_tensor("argmin", a), axis, out, keepdims, False)


def _by_torch_alone(search: Callable[..., Tensor], a: ndarray, axis: Any) -> ndarray | None:
    """One call of torch, or None where the general call must choose the way or the error."""
    t = a._tensor
    if (a._flat_dtype or t.dtype) not in NATIVE or (
        not is_dynamo_compiling() and t.numel() >= LARGE
    ):
        return None
    try:
        if axis is None:
            return scalar(search(t), torch.int64)
        return wrap(search(t, operator.index(axis)))
    except (RuntimeError, IndexError, TypeError, ValueError):
        return None


def _arg_extremum(
    name: str, x: Tensor, axis: object, out: object, keepdims: object, largest: bool
) -> ndarray:
    keep = keeps(name, keepdims)
    ndim = x.dim()
    if axis is None:
        x, dim = x.reshape(-1), 0
    else:
        x = x if ndim else x.reshape(1)
        dim = normalize_axis(name, axis, x.dim())
    if not x.shape[dim]:
        raise ValueError(f"attempt to get {'argmax' if largest else 'argmin'} of an empty sequence")
    if x.numel():
        result = _first_extremum(x, dim, keep and axis is not None, largest)
    else:
        sizes = [n for i, n in enumerate(x.shape) if i != dim]
        if keep:
            sizes.insert(dim, 1)
        result = torch.zeros(sizes, dtype=torch.int64, device=x.device)
    if axis is None and keep:
        result = result.reshape((1,) * ndim)
    elif not ndim:
        result = result.reshape(())
    if out is None:
        return wrap(result)
    target = check_out(name, out, result.shape)
    check_cast(f"{name}: out", target._tensor.dtype, torch.int64, "safe")
    return finish(name, result, out, "unsafe")


def nanargmax(
    a: ArrayLike, axis: int | None = None, out: OutArray = None, *, keepdims: bool = _NoValue
) -> ndarray:
    """The index of the first largest element that is not NaN.

    Parameters
    ----------
    a : array_like
        The array; complex numbers are compared by real, then by imaginary part.
    axis : int, optional
        The axis to search along; by default the array is flattened.
    out : ndarray, optional
        Where to write the result, of integer dtype.
    keepdims : bool
        Whether the reduced axes stay, with size 1.

    Returns
    -------
    ndarray or scalar
        Indices, int64.

    Raises
    ------
    AxisError
        For an axis that is not there.
    ValueError
        If there are no elements, or all elements of a slice are NaN. The latter is checked on the
        CPU only, because reading values would wait for a device.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.nanargmax([float("nan"), 1, 2])
    np.int64(2)
    """
    return _nan_arg_extremum("nanargmax", a, axis, out, keepdims, True)


@documented_like(
    nanargmax,
    "The index of the first smallest element that is not NaN.",
    """
    >>> import numpy_shim as np
    >>> np.nanargmin([float("nan"), 1, 2])
    np.int64(1)
    """,
)
def nanargmin(
    a: ArrayLike, axis: int | None = None, out: OutArray = None, *, keepdims: bool = _NoValue
) -> ndarray:
    return _nan_arg_extremum("nanargmin", a, axis, out, keepdims, False)


def _nan_arg_extremum(
    name: str, a: Any, axis: object, out: object, keepdims: object, largest: bool
) -> ndarray:
    x = as_tensor(name, a)
    if x.dtype in FLOATS or x.dtype in COMPLEXES:
        unknown = torch.isnan(x)
        if x.numel():
            axes = reduction_axes(name, axis, x.dim())
            if value_checks.holds_somewhere(torch.all(unknown, axes) if axes else unknown):
                raise ValueError("All-NaN slice encountered")
        x = torch.where(unknown, float("-inf") if largest else float("inf"), x)
    return _arg_extremum(name, x, axis, out, keepdims, largest)


# --- tensors ---


@or_numpys("arg_extremum")
def _first_extremum(x: Tensor, axis: int, keepdims: bool, largest: bool) -> Tensor:
    """The index of the first largest (or smallest) element along an axis, or of the first NaN."""
    function = torch.argmax if largest else torch.argmin
    if not x.dtype.is_complex:
        if is_large(x):
            ordered = x if x.dtype is torch.bool else comparable(x)
            return blocks.arg_extremum(ordered, axis, keepdims, largest)
        return function(comparable(x), axis, keepdims)
    chosen = _extreme(x, axis, largest)
    return torch.argmax(chosen.to(torch.uint8), axis, keepdims)


def _extreme(x: Tensor, axis: int, largest: bool) -> Tensor:
    """Which complex numbers equal the extremum, by real, then imaginary part, or are NaN."""
    worst = float("-inf") if largest else float("inf")
    extremum = torch.amax if largest else torch.amin
    unknown = torch.isnan(x)
    real = torch.where(unknown, worst, x.real)
    among = torch.eq(real, extremum(real, axis, keepdim=True))
    imag = torch.where(among, x.imag, worst)
    known = among & torch.eq(imag, extremum(imag, axis, keepdim=True))
    return torch.where(torch.any(unknown, axis, keepdim=True), unknown, known)
