"""Arrays of evenly spaced values, and grids."""

from __future__ import annotations

import inspect
import math
from typing import Any, overload

import torch
from torch import Tensor

from xp_torch._core.axes import broadcast_shapes, integer
from xp_torch._core.errors import sized
from xp_torch._kernels import creation

from .._array import views
from .._array.ndarray import array_of, ndarray, wrap
from .._convert.arguments import as_array, as_tensor, common, device_of, operands, promoted
from .._convert.from_data import check_like
from .._convert.host_dtypes import handed, hosted
from .._core import defaults
from .._core.axes import normalize_axis
from .._core.dtypes import COMPLEXES, FLOATS, INTEGERS, HostDtypeError, promote, torch_dtype
from .._core.promotion import PYTHON_NUMBERS, WEAK, default_dtype
from .._core.release import SIZE_ONE_IS_A_NUMBER
from .._core.tracing import _NoValue
from .._core.typing import ArrayLike, Device, DTypeLike, No, Yes
from .._kernels import spacing
from .._kernels.casting import cast
from .._kernels.numbers import full_scalar
from .._kernels.value_checks import found
from .._ufunc.declarations import log10, power, sign
from .creation import checked_device

__all__ = ["arange", "geomspace", "linspace", "logspace", "meshgrid"]


def arange(
    start_or_stop: ArrayLike | None = _NoValue,
    /,
    stop: ArrayLike | None = _NoValue,
    step: ArrayLike | None = None,
    dtype: DTypeLike = None,
    *,
    start: ArrayLike | None = _NoValue,
    device: Device = None,
    like: ArrayLike | None = None,
) -> ndarray:
    """Values from ``start`` up to ``stop``, which is not included, in equal steps.

    Called as ``arange(stop)``, ``arange(start, stop)`` or ``arange(start, stop, step)``.

    Parameters
    ----------
    start_or_stop : int or float, or 0-D array
        The end of the interval if it is the only number given, else its start; the keyword is
        ``start``. The values of arrays are read.
    stop, step : int or float, or 0-D arrays
        The end of the interval, and the distance between values.
    dtype : dtype, optional
        By default the common dtype of the arguments, at least int64.
    device : torch.device or str, optional
        Where the array lives; by default torch's default device.
    like : ndarray, optional
        One of our arrays, or ``None``: the result is one of ours either way.

    Returns
    -------
    ndarray
        ``ceil((stop - start) / step)`` values. For a step that is not an integer, rounding can
        add one value.

    Raises
    ------
    ZeroDivisionError
        For a step of 0.
    ValueError
        For a length that is NaN or too large.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.arange(3)
    array([0, 1, 2])
    >>> np.arange(0, 1, 0.25)
    array([0.  , 0.25, 0.5 , 0.75])
    """
    if (
        type(start_or_stop) is int
        and step is None
        and dtype is None
        and start is _NoValue
        and device is None
        and like is None
    ):
        try:
            if stop is _NoValue:
                if 0 <= start_or_stop < creation.EXACT:
                    return array_of(torch.arange(start_or_stop), torch.int64)
            elif type(stop) is int and -creation.EXACT < start_or_stop <= stop < creation.EXACT:
                return array_of(torch.arange(start_or_stop, stop), torch.int64)
        except RuntimeError:
            pass  # the general call says that it is too large
    try:
        start, stop = _ends(start_or_stop, start, stop)
        return _arange(start, stop, step, dtype, device, like)
    except HostDtypeError as error:
        options = {"dtype": dtype, "device": device}
        return handed(error, "arange", (start, stop, step), options)


arange.__signature__ = inspect.signature(  # type: ignore[attr-defined]
    lambda start_or_stop, /, stop=None, step=1, *, dtype=None, device=None, like=None: None
)  # NumPy's signature: it hides that start can be given by name, and exists from 2.4 on


def _ends(first: Any, start: Any, stop: Any) -> tuple[Any, Any]:
    """``start`` and ``stop`` from arguments given by position or by name."""
    if start is not _NoValue:
        if first is not _NoValue:
            raise TypeError("argument for arange() given by name ('start') and position (1)")
        first = start
    if stop is _NoValue and (first is _NoValue or start is not _NoValue):
        raise TypeError("arange() requires stop to be specified.")
    if first is _NoValue:
        first = 0
    elif stop is _NoValue or stop is None:
        first, stop = 0, first
    if first is None or stop is None:
        raise TypeError("arange: start and stop must be numbers, not None")
    return first, stop


@sized
def _arange(start: Any, stop: Any, step: Any, dtype: Any, device: Any, like: Any) -> ndarray:
    check_like("arange", like)
    target = checked_device("arange", device)
    step = 1 if step is None else step
    if type(start) in _PLAIN and type(stop) in _PLAIN and type(step) in _PLAIN:
        if dtype is not None:
            kind = torch_dtype("arange", dtype)
        elif type(start) is type(stop) is type(step) is int:
            kind = torch.int64
        else:
            kind = defaults.float_dtype()
        if kind is not torch.int64 or _fits(start, stop, step):
            return array_of(_spaced(start, step, _length(start, stop, step), kind, target))
        _length(start, stop, step)  # a length that is too large is the first error
    numbers = [_number(x) for x in (start, stop, step)]
    first, _, by = (n for n, _ in numbers)
    count = _length(*[n for n, _ in numbers])
    if dtype is None:
        kind = promote("arange", torch.int64, *[d for _, d in numbers])
    else:
        kind = torch_dtype("arange", dtype)
    if target is None:
        target = device_of(start, stop, step)
    return array_of(_spaced(first, by, count, kind, target))


_PLAIN = frozenset({int, float})


def _fits(*numbers: float) -> bool:
    """Whether numbers are in the range of int64."""
    return all(-(2**63) <= n < 2**63 for n in numbers)


def _number(x: Any) -> tuple[Any, torch.dtype]:
    """The Python value of an argument, and its dtype."""
    if type(x) in PYTHON_NUMBERS:
        return (int(x) if type(x) is bool else x), default_dtype("arange", x)
    tensor = as_tensor("arange", x, "start, stop, step")
    if tensor.dim() and not (SIZE_ONE_IS_A_NUMBER and tensor.numel() == 1):
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    value = tensor.item()
    return (int(value) if type(value) is bool else value), tensor.dtype


def _length(start: Any, stop: Any, step: Any) -> int:
    """The number of steps from ``start`` until before ``stop``."""
    distance = stop - start
    parts = distance / step
    if isinstance(parts, complex):
        lengths = (_ceil(parts.real, 0), _ceil(parts.imag, 0))
        return max(min(lengths), 0)
    return max(_ceil(parts, distance), 0)


def _ceil(parts: float, distance: Any) -> int:
    if parts == 0 and distance != 0:  # the quotient underflowed, or the step is infinite
        return 0 if math.copysign(1, parts) < 0 else 1
    if math.isnan(parts):
        raise ValueError("arange: cannot compute length")
    if abs(parts) >= 2**63 / 8:
        if parts < 0:
            return 0
        raise ValueError("Maximum allowed size exceeded")
    return math.ceil(parts)


def _spaced(start: Any, step: Any, count: int, dtype: torch.dtype, device: Any) -> Tensor:
    """``count`` values in a dtype: the first two are cast to it and give the step."""
    if count == 0:
        return torch.empty(0, dtype=dtype, device=device)
    if count == 1:
        step = 0  # avoid 0 * inf for an infinite step
    if dtype is torch.bool:
        if count > 2:
            raise TypeError(
                "arange() is only supported for booleans when the result has at most length 2."
            )
        values = [bool(start), bool(start + step)][:count]
        return torch.tensor(values, dtype=dtype, device=device)
    if dtype in INTEGERS:
        return creation.arange_int(
            *_first_and_delta(start, step, count, dtype), count, dtype, device
        )
    if dtype is torch.float64 and type(start) is not complex and type(step) is not complex:
        return spacing.fill_from_numbers(float(start), float(start + step), count, device)
    first = full_scalar("arange", "start", start, dtype, device)
    second = full_scalar("arange", "step", start + step, dtype, device)
    return spacing.fill_from_two(first, second, count)


def _first_and_delta(start: Any, step: Any, count: int, dtype: torch.dtype) -> tuple[int, int]:
    low, high = torch.iinfo(dtype).min, torch.iinfo(dtype).max
    values = [int(start), int(start + step)]
    for value in values[:count]:
        if not low <= value <= high:
            raise OverflowError(f"arange: Python integer {value} out of bounds for {dtype}")
    return values[0], values[1] - values[0]


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
@hosted
@sized
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

    Raises
    ------
    AxisError
        For an axis that is not there.
    TypeError
        For a ``num`` that is not an integer.
    ValueError
        For a negative ``num``, or ends that do not broadcast.

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


@hosted
@sized
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

    Raises
    ------
    AxisError
        For an axis that is not there.
    TypeError
        For a ``num`` that is not an integer.
    ValueError
        For a negative ``num``, or ends that do not broadcast.

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


@hosted
@sized
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

    Raises
    ------
    AxisError
        For an axis that is not there.
    TypeError
        For a ``num`` that is not an integer.
    ValueError
        For a negative ``num``, ends that do not broadcast, or an end that is zero; arrays are
        checked for zeros on the CPU only.

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
            zero = found(torch.eq(tensor, 0))
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


@hosted
@sized
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
        One array per argument, of its dtype; without ``sparse`` all have one shape.

    Raises
    ------
    ValueError
        For another ``indexing``.

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
    arrays = [as_array("meshgrid", x, "xi") for x in xi]
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
    return tuple(grids)
