"""Lets pandas take scalars of a device as numbers, as it takes NumPy's.

pandas asks in C whether a key is an integer (``df.iloc[np.argmax(a)]``) and which dtype a list of
numbers has (``pd.Series([np.mean(a), np.std(a)])``). Only NumPy's own scalars pass there, and a
scalar that stays on its device is none. So in a launched program the helpers of pandas that answer
are given the number, and so are its dates and lengths of time, windows and keys. With other objects
they are pandas's own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

import numpy

from xp_torch._torch.patches import when_imported

from .._array.ndarray import AnyArray
from .._convert.to_numpy import shared
from .replacing import replace, replace_in

_ASKING = ("is_bool", "is_float", "is_int_or_none", "is_integer", "is_scalar")
_GIVEN = {
    "pandas._libs.algos": ("validate_limit",),
    "pandas._libs.interval": ("Interval.__init__",),
    "pandas._libs.tslibs.offsets": ("BaseOffset.__rmul__",),
    "pandas._libs.tslibs.period": ("Period.__new__",),
    "pandas._libs.tslibs.timedeltas": ("Timedelta.__new__", "Timedelta.__rmul__"),
    "pandas._libs.tslibs.timestamps": ("Timestamp.__new__",),
    "pandas.core.indexes.base": ("Index.get_loc",),
    "pandas.core.tools.timedeltas": ("to_timedelta",),
    "pandas.core.window.rolling": ("BaseWindow.__init__",),
}
"""What is given the number, by module: functions, and methods of classes."""


def install() -> None:
    """Change pandas's helpers when pandas is imported."""
    when_imported("pandas._libs.lib", _change)
    when_imported("pandas.core.dtypes.cast", _change_cast)
    replace_in(_GIVEN, _asking_the_number)


def number(x: object) -> Any:
    """An array of ours without axes as NumPy's scalar; anything else as it is."""
    if isinstance(x, AnyArray) and x.ndim == 0:
        return shared("__array__", x)[()]
    return x


def _numbers(x: object) -> Any:
    return [number(v) for v in x] if type(x) is list else number(x)


def _change(lib: ModuleType) -> None:
    for name in (*_ASKING, "item_from_zerodim"):
        replace(lib, name, _asking_the_number)
    replace(lib, "maybe_convert_objects", _converting)


def _change_cast(cast: ModuleType) -> None:
    replace(cast, "infer_dtype_from_scalar", _asking_the_number)


def _asking_the_number(theirs: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(theirs)
    def asked(*args: object, **kwargs: object) -> Any:
        return theirs(*map(_numbers, args), **{key: _numbers(x) for key, x in kwargs.items()})

    return asked


def _converting(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """The function that finds the dtype of objects."""

    @wraps(theirs)
    def convert(*args: object, **kwargs: object) -> Any:
        if not (args and isinstance(args[0], numpy.ndarray)):
            return theirs(*args, **kwargs)
        objects = args[0] if args else None
        if isinstance(objects, numpy.ndarray) and any(
            isinstance(x, AnyArray) for x in objects.flat
        ):
            numbers = numpy.empty(objects.shape, object)
            for index, x in numpy.ndenumerate(objects):
                numbers[index] = number(x)
            args = (numbers, *args[1:])
        return theirs(*args, **kwargs)

    return convert
