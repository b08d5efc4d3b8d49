"""``arange``: values from a start to a stop, in steps of any kind."""

from __future__ import annotations

import inspect
import math
from typing import Any

import torch
from torch import Tensor

from xp_torch._core.dtypes import EXACT
from xp_torch._kernels import creation

from .._array.ndarray import array_of, ndarray
from .._base import defaults
from .._base.dtypes import INTEGERS, promote, torch_dtype
from .._base.promotion import PYTHON_NUMBERS, default_dtype
from .._base.release import SIZE_ONE_IS_A_NUMBER
from .._base.tracing import _NoValue
from .._base.typing import ArrayLike, Device, DTypeLike
from .._convert.arguments import as_tensor, device_of
from .._convert.from_data import check_like
from .._kernels import spacing
from .._kernels.numbers import full_scalar
from .creation import checked_device

__all__ = ["arange"]


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
                if 0 <= start_or_stop < EXACT:
                    return array_of(torch.arange(start_or_stop), torch.int64)
            elif type(stop) is int and -EXACT < start_or_stop <= stop < EXACT:
                return array_of(torch.arange(start_or_stop, stop), torch.int64)
        except RuntimeError:
            pass  # the general call says that it is too large
    start, stop = _ends(start_or_stop, start, stop)
    return _general_arange(start, stop, step, dtype, device, like)


arange.__signature__ = inspect.signature(  # type: ignore[attr-defined]
    lambda start_or_stop, /, stop=None, step=1, *, dtype=None, device=None, like=None: None
)  # NumPy's signature: it hides that start can be given by name, and exists from 2.4 on


def _ends(first: object, start: object, stop: object) -> tuple[Any, Any]:
    """``start`` and ``stop`` from arguments given by position or by name.

    One end alone stands first, beside ``None``: NumPy's dates need both.
    """
    if start is not _NoValue:
        if first is not _NoValue:
            raise TypeError("argument for arange() given by name ('start') and position (1)")
        first = start
    if stop is _NoValue and (first is _NoValue or start is not _NoValue):
        raise TypeError("arange() requires stop to be specified.")
    if first is _NoValue:
        first, stop = stop, None
    elif stop is _NoValue:
        stop = None
    if first is None:
        raise TypeError("arange: start and stop must be numbers, not None")
    return first, stop


def _general_arange(
    start: Any, stop: Any, step: Any, dtype: Any, device: Any, like: Any
) -> ndarray:
    check_like("arange", like)
    target = checked_device("arange", device)
    if stop is None:
        start, stop = 0, start
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


def _length(start: Any, stop: Any, step: object) -> int:
    """The number of steps from ``start`` until before ``stop``."""
    distance = stop - start
    parts = distance / step
    if isinstance(parts, complex):
        lengths = (_ceil(parts.real, 0), _ceil(parts.imag, 0))
        return max(min(lengths), 0)
    return max(_ceil(parts, distance), 0)


def _ceil(parts: float, distance: object) -> int:
    if parts == 0 and distance != 0:  # the quotient underflowed, or the step is infinite
        return 0 if math.copysign(1, parts) < 0 else 1
    if math.isnan(parts):
        raise ValueError("arange: cannot compute length")
    if not -(2**63) <= parts < 2**63 / 8:
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
