"""Arrays of evenly spaced values, and grids."""

from __future__ import annotations

from typing import Any, overload

import torch
from torch import Tensor

from xp_torch._core.axes import broadcast_shapes, integer
from xp_torch._kernels import creation

from .._array import views
from .._array.ndarray import array_of, ndarray, wrap
from .._base import defaults
from .._base.axes import normalize_axis
from .._base.dtypes import COMPLEXES, FLOATS, INTEGERS, promote, torch_dtype
from .._base.promotion import PYTHON_NUMBERS, WEAK
from .._base.release import MESHGRID_IS_A_TUPLE
from .._base.typing import ArrayLike, Device, DTypeLike, No, Yes
from .._convert.arguments import as_array, as_tensor, common, device_of, operands, promoted
from .._kernels import spacing
from .._kernels.casting import cast
from .._kernels.numbers import full_scalar
from .._kernels.value_checks import holds_somewhere
from .._ufunc.declarations import log10, power, sign
from .creation import checked_device

__all__ = ["geomspace", "linspace", "logspace", "meshgrid"]


@overload
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = ...,
    endpoint: bool = ...,
    retstep: No = ...,
    dtype: DTypeLike = ...,
    axis: int = ...,
    *,
    device: Device = ...,
) -> ndarray: ...
@overload
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = ...,
    endpoint: bool = ...,
    *,
    retstep: Yes,
    dtype: DTypeLike = ...,
    axis: int = ...,
    device: Device = ...,
) -> tuple[ndarray, ndarray]: ...
@overload
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int,
    endpoint: bool,
    retstep: Yes,
    dtype: DTypeLike = ...,
    axis: int = ...,
    *,
    device: Device = ...,
) -> tuple[ndarray, ndarray]: ...
@overload
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = ...,
    endpoint: bool = ...,
    retstep: bool = ...,
    dtype: DTypeLike = ...,
    axis: int = ...,
    *,
    device: Device = ...,
) -> ndarray | tuple[ndarray, ndarray]: ...
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike = None,
    axis: int = 0,
    *,
    device: Device = None,
) -> ndarray | tuple[ndarray, ndarray]:
    """Evenly spaced values from ``start`` to ``stop``.

    Parameters
    ----------
    start, stop : array_like
        The ends, which broadcast against each other.
    num : int
        The number of values.
    endpoint : bool
        Whether ``stop`` is the last value; otherwise it is not included.
    retstep : bool
        Whether to return ``(values, step)``, with the step between values.
    dtype : dtype, optional
        By default the dtype of the ends, at least floating-point. For an integer dtype, values
        are rounded down.
    axis : int
        The axis of the result along which the values run, if the ends have axes.
    device : torch.device or str, optional
        Where the array lives; by default the device of the ends.

    Returns
    -------
    ndarray or tuple
        ``num`` values along ``axis``; with ``retstep``, the values and the step.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linspace(0, 1, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    count = num if type(num) is int else integer("linspace", "num", num)
    if count < 0:
        raise ValueError(f"linspace: number of samples, {count}, must be non-negative")
    target = None if device is None else checked_device("linspace", device)
    step: Any
    if (
        type(start) in _REAL_NUMBERS
        and type(stop) in _REAL_NUMBERS
        and defaults.float_dtype() is torch.float64
    ):
        spaced, step = spacing.linspace_numbers(float(start), float(stop), count, endpoint, target)  # type: ignore[arg-type]
        if axis:
            normalize_axis("linspace", axis, 1)
    else:
        spaced, step = _linspace(start, stop, count, endpoint, target)
        if axis:
            spaced = spaced.movedim(0, normalize_axis("linspace", axis, spaced.dim()))
    if dtype is not None:
        kind = torch_dtype("linspace", dtype)
        spaced = cast(torch.floor(spaced) if kind in INTEGERS else spaced, kind)
    values = array_of(spaced)
    if not retstep:
        return values
    if isinstance(step, Tensor):
        return values, wrap(step)
    if step != step:
        return values, step
    return values, wrap(full_scalar("linspace", "step", step, torch.float64, target))


_REAL_NUMBERS = frozenset({bool, int, float})


def _linspace(start: Any, stop: Any, num: int, endpoint: bool, target: Any) -> Any:
    # A Python int is cast to the dtype of the result, not to that of the other end.
    start, stop = [float(x) if type(x) is int else x for x in (start, stop)]
    first, last = common("linspace", start, stop, arguments=("start", "stop"))
    broadcast_shapes("linspace", first.shape, last.shape)  # NumPy's error, not torch's
    if first.dtype not in FLOATS and first.dtype not in COMPLEXES:
        kind = promote("linspace", first.dtype, defaults.float_dtype())
        first, last = cast(first, kind), cast(last, kind)
    if target is not None:
        first, last = first.to(target), last.to(target)
    return spacing.linspace(first, last, num, endpoint)


def logspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    base: ArrayLike = 10.0,
    dtype: DTypeLike = None,
    axis: int = 0,
) -> ndarray:
    """Powers of a base with evenly spaced exponents.

    Parameters
    ----------
    start, stop : array_like
        The first and last exponents.
    num, endpoint, axis : optional
        As in ``linspace``.
    base : array_like
        The base; broadcasts with the ends.
    dtype : dtype, optional
        The dtype of the result.

    Returns
    -------
    ndarray
        ``num`` values along ``axis``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.logspace(0, 3, 4)
    array([   1.,   10.,  100., 1000.])
    """
    if type(base) not in WEAK:
        bases = as_tensor("logspace", base, "base", device_of(start, stop))
        if bases.dim():
            ends = [as_tensor("logspace", x, "start, stop", bases.device) for x in (start, stop)]
            ndim = max(t.dim() for t in (*ends, bases))
            widened = [t.reshape((1,) * (ndim - t.dim()) + tuple(t.shape)) for t in (*ends, bases)]
            start, stop = array_of(widened[0]), array_of(widened[1])
            dim = normalize_axis("logspace", axis, ndim + 1)
            base = array_of(widened[2].unsqueeze(dim))
        else:
            base = wrap(bases)
    exponents = linspace(start, stop, num, endpoint, axis=axis)
    result = power(base, exponents)
    if dtype is None:
        return result
    return array_of(cast(as_tensor("logspace", result), torch_dtype("logspace", dtype)))


def geomspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: int = 50,
    endpoint: bool = True,
    dtype: DTypeLike = None,
    axis: int = 0,
) -> ndarray:
    """A geometric sequence: each value is the previous one times a constant factor.

    Parameters
    ----------
    start, stop : array_like
        The ends, not zero; complex ends give a spiral.
    num, endpoint, dtype, axis : optional
        As in ``linspace``; the computation is in float64 or a wider dtype.

    Returns
    -------
    ndarray
        ``num`` values along ``axis``, of floating-point dtype unless ``dtype`` is given.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.geomspace(1, 1000, 4)
    array([   1.,   10.,  100., 1000.])
    """
    count = integer("geomspace", "num", num)
    kind = None if dtype is None else torch_dtype("geomspace", dtype)
    for end in (start, stop):
        if type(end) in PYTHON_NUMBERS:
            zero = end == 0
        else:
            tensor = as_tensor("geomspace", end, "start, stop")
            zero = holds_somewhere(torch.eq(tensor, 0))
        if zero:
            raise ValueError("Geometric sequence cannot include zero")
    # Python numbers become arrays of their own dtypes, so they are not weak here.
    first, last = promoted(
        "geomspace", operands("geomspace", start, stop, arguments=("start", "stop"))
    )
    within = promote("geomspace", first.dtype, kind or torch.float64, torch.float64)
    if kind is not None and (kind in FLOATS or kind in COMPLEXES):
        within = promote("geomspace", first.dtype, kind)
        within = within if within in FLOATS | COMPLEXES else torch.float64
    begin, end = array_of(cast(first, within)), array_of(cast(last, within))
    # Rotate to the positive reals and back, to avoid logarithms of negative numbers.
    turn = sign(begin)
    begin, end = begin / turn, end / turn
    values = logspace(log10(begin), log10(end), count, endpoint)._tensor
    ends = [
        as_tensor("geomspace", begin).expand(values.shape[1:])[None],
        as_tensor("geomspace", end).expand(values.shape[1:])[None],
    ]
    if count > 1 and endpoint:
        values = torch.cat([ends[0], values[1:-1], ends[1]])
    elif count > 0:
        values = torch.cat([ends[0], values[1:]])
    values = values * as_tensor("geomspace", turn)
    if axis:
        values = values.movedim(0, normalize_axis("geomspace", axis, values.dim()))
    return array_of(cast(values, kind or within))


def meshgrid(
    *xi: ArrayLike, copy: bool = True, sparse: bool = False, indexing: str = "xy"
) -> tuple[ndarray, ...]:
    """The coordinates of all points of a grid, one array per axis.

    Parameters
    ----------
    *xi : array_like
        The coordinates along each axis.
    copy : bool
        ``False`` gives views of ``xi`` with repeated elements.
    sparse : bool
        Whether the results keep size 1 along the other axes, so that they broadcast later.
    indexing : {'xy', 'ij'}
        Whether the first two axes of the results are swapped.

    Returns
    -------
    tuple of ndarray
        One array per argument, of its dtype; without ``sparse`` all have one shape. A list for
        ``sparse`` without ``copy``, as in NumPy.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.meshgrid([1, 2], [3, 4])
    (array([[1, 2],
           [1, 2]]), array([[3, 3],
           [4, 4]]))
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    if copy and not sparse and xi and all(type(x) is ndarray and x.ndim == 1 for x in xi):
        try:
            return tuple(
                [array_of(g) for g in creation.meshgrid([x._tensor for x in xi], indexing)]  # type: ignore[union-attr]
            )
        except RuntimeError:
            pass  # the dtypes differ
    arrays = [as_array("meshgrid", x, "xi", beside=xi) for x in xi]
    ndim = len(arrays)
    axes = list(range(ndim))
    if indexing == "xy" and ndim > 1:
        axes[0], axes[1] = 1, 0
    shape = [1] * ndim
    for axis, array in zip(axes, arrays, strict=True):
        shape[axis] = array.size
    grids = []
    for axis, array in zip(axes, arrays, strict=True):
        own = [1] * ndim
        own[axis] = array.size
        grid = views.reshaped(array, own)
        if grid is None:
            grid = array_of(array._tensor.reshape(own))
        if not sparse:
            grid = views.broadcast(grid, shape)
        if copy:
            grid = array_of(grid._tensor.clone(memory_format=torch.contiguous_format))
        grids.append(grid)
    return grids if sparse and not copy and not MESHGRID_IS_A_TUPLE else tuple(grids)  # type: ignore[return-value]
