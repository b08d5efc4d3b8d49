"""What torch cannot store is NumPy's: strings, objects, dates, records, long double, odd strides.

Conversion raises ``HostDtypeError`` for such data and such a ``dtype=``. The public function that
was called catches it and hands the whole call to NumPy's function of its name: functions of many
microseconds by the decorator ``hosted``, those with a flat path in the function itself, where a
``try`` costs nothing. So no call on numbers passes here, and none is slower for it.

A function that another function of ours called lets the error through: the outermost one hands
its call over, and no half of it is computed here and half there.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core.devices import normalize_device

from .._array import views
from .._array.host_view import kept_view, of_memory
from .._array.ndarray import AnyArray, array_of, ndarray
from .._array.scalars import TensorScalar
from .._base.dtypes import NUMPY, TORCH, HostDtypeError
from .._base.host_setting import may_hand
from .._base.promotion import PYTHON_NUMBERS
from .._base.tracing import _NoValue
from .arguments import as_tensor, assign
from .foreign import from_numpy, is_common, is_describable, is_subclass
from .one_storage import is_kept_in_place, on_memory_of
from .to_numpy import shared

_F = TypeVar("_F", bound=Callable[..., Any])
_R = TypeVar("_R")  # what the function returns whose call is handed over: its caller knows


def hosted(function: _F) -> _F:
    """Hand a call of ``function`` to NumPy's of its name where a dtype needs it.

    A decorator for functions that cost far more than the call it adds.
    """
    name = function.__name__

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except HostDtypeError as error:
            return handed(error, name, args, kwargs, call)
        except (TypeError, ValueError) as error:
            # An option that only such a dtype has, as the fields to sort by, was refused first.
            if not _holds_host((*args, *kwargs.values()), args[:1]):
                raise
            return handed(error, name, args, kwargs, call)

    return call  # type: ignore[return-value]


def _holds_host(given: tuple[Any, ...], written: tuple[Any, ...]) -> bool:
    """Whether an argument is, or is a sequence with, an array that torch cannot store."""
    return any(map(is_host_target, written)) or any(
        any(map(is_host, x)) if isinstance(x, (list, tuple)) else is_host(x) for x in given
    )


def _as_builtin(error: Exception) -> Exception:
    """The error as one of Python's own, for a user."""
    if not isinstance(error, HostDtypeError) or is_compiling():
        return error
    return (OverflowError if isinstance(error, OverflowError) else TypeError)(str(error))


if TYPE_CHECKING:
    Hosted = type  # so that the constructor's own parameters and result count
else:

    class Hosted(type):
        """The class of classes whose arguments may be NumPy's: then the object is NumPy's too."""

        __signature__: inspect.Signature  # that of ``__init__``, not of ``__call__``

        def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
            super().__init__(name, bases, namespace)
            made = namespace.get("__init__") or namespace["__new__"]
            signature = inspect.signature(made)
            cls.__signature__ = signature.replace(parameters=[*signature.parameters.values()][1:])

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            try:
                return super().__call__(*args, **kwargs)
            except HostDtypeError as error:
                return handed(error, cls.__name__, args, kwargs, cls)


def handed(
    error: Exception,
    name: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    function: Callable[..., Any] | None = None,
) -> _R:  # type: ignore[type-var]
    """What NumPy's function ``name`` makes of a call that ours refused with ``error``.

    To be called by the function that was called, in its ``except``. Raises ``error`` again where
    another function of ours called that one, in a trace, and if such dtypes are switched off.
    ``name`` is dotted for a function of a submodule or a method of a ufunc.
    """
    if _called_inside(sys._getframe(2)):
        raise error
    if not may_hand():
        raise _as_builtin(error) from None
    theirs = _theirs(name, function.__module__ if function else "")
    if theirs is None:  # an older NumPy does not have it
        raise error
    given = dict(kwargs or {})
    ours = function or _function(name)
    if given:
        _check_device(name, given.pop("device", None))
        given.pop("like", None)
        known = _parameters(ours)
        # NumPy of another release may not know an argument that was not given here either.
        given = {k: v for k, v in given.items() if k not in known or v is not known[k].default}
    targets = _targets(name, ours, args, given)
    return hand_over(name, theirs, args, given, targets)


@lru_cache(None)
def _theirs(name: str, module: str) -> Any:
    """NumPy's function that has a dotted name, for a function of a module of ours."""
    home = next((_HOMES[room] for room in module.split(".") if room in _HOMES), "")
    theirs: Any = numpy
    for part in f"{home}{name}".split("."):
        theirs = getattr(theirs, part, None)
    return theirs


_HOMES = {
    "array_utils": "lib.array_utils.", "fft": "fft.", "linalg": "linalg.",
    "stride_tricks": "lib.stride_tricks.",
}  # fmt: skip
"""Where NumPy has the functions of our packages and modules that are not in its main namespace."""


def handed_ufunc(
    error: HostDtypeError, name: str, args: tuple[Any, ...], out: Any, options: dict[str, Any]
) -> _R:  # type: ignore[type-var]
    """What NumPy's ufunc ``name`` makes of a call that ours refused; see ``handed``."""
    frame = sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")) in _UFUNCS:
        frame = frame.f_back
    theirs = getattr(numpy, name, None)
    if not may_hand() or _called_inside(frame) or theirs is None:
        raise error
    return by_ufunc(name, theirs, args, out, options)


_UFUNCS = frozenset({
    "numpy_shim._ufunc.flat", "numpy_shim._ufunc.gufuncs", "numpy_shim._ufunc.objects",
})  # fmt: skip


def by_ufunc(
    name: str, theirs: Any, args: tuple[Any, ...], out: Any, options: dict[str, Any]
) -> _R:  # type: ignore[type-var]
    """A call of NumPy's ufunc ``theirs``, or of one of its methods, with our arrays as its own."""
    if out is not None:
        options = {**options, "out": out}
    outs = out if isinstance(out, tuple) else (out,)
    return hand_over(name, theirs, args, options, [x for x in outs if type(x) is ndarray])


def handed_method(error: HostDtypeError | None, name: str, a: Any, *args: Any, **kwargs: Any) -> _R:  # type: ignore[type-var]
    """What the method ``name`` of NumPy's array on the memory of ``a`` gives."""
    if not may_hand():
        raise error or TypeError(f"{name}: {_OFF}")
    values = shared(name, a)
    method = getattr(values[()] if isinstance(a, TensorScalar) else values, name)
    result: _R = returned(method(*Given(name).all(args), **kwargs))
    return result


def cast_on_host(error: HostDtypeError, name: str, value: Any, dtype: torch.dtype) -> Tensor:
    """Values that torch cannot store, cast to a dtype that it can, as an assignment casts."""
    if not may_hand():
        raise error
    made = numpy.empty(numpy.shape(value), NUMPY[dtype])
    made[...] = value
    return from_numpy(name, made, "value")


def compared(a: ndarray, other: Any, same: bool) -> Any:
    """``a == other`` or ``a != other`` with an array of a dtype that torch cannot store."""
    values = Given("equal").one(a)
    return returned(values == other if same else values != other)


def is_beside(other: Any) -> bool:
    """Whether an operator of an array of ours is NumPy's because of the class of ``other``.

    Found out before ``other`` is converted, which takes longer than NumPy's call.
    """
    return is_subclass(other) and may_hand()


def handed_beside(name: str, theirs: Any, args: tuple[Any, ...]) -> Any:
    """What NumPy's function makes of arguments one of which is of a subclass of NumPy's arrays.

    ``NotImplemented`` where another function of ours called that one, whose call is handed over.
    """
    if _called_inside(sys._getframe(2)):
        return NotImplemented
    return hand_over(name, theirs, args, {}, [])


def operated(error: HostDtypeError | None, name: str, args: tuple[Any, ...], out: Any = None) -> _R:  # type: ignore[type-var]
    """What an operator of an array of ours gives beside an operand that torch cannot store.

    Without an ``error`` the caller knows that it is one, by ``is_beside``.
    """
    if error is not None and not may_hand():
        raise error
    return by_ufunc(name, getattr(numpy, name), args, out, {})


def hosted_method(method: _F) -> _F:
    """``hosted`` for the method of a ufunc."""

    @wraps(method)
    def call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except (TypeError, ValueError) as error:
            if not isinstance(error, HostDtypeError) and not _holds_host(
                (*args, *kwargs.values()), args[:1]
            ):
                raise
            return handed(error, f"{self.__name__}.{method.__name__}", args, kwargs)

    return call  # type: ignore[return-value]


_EDGES = (
    "numpy_shim._members.", "numpy_shim._interop.", "numpy_shim._numpys.", "numpy_shim.polynomial"
)  # fmt: skip
"""Modules that call our functions for the user: methods, NumPy's dispatch, NumPy's own text."""


def _called_inside(frame: Any) -> bool:
    """Whether a call comes from one of our functions, which then hands over its own call."""
    module = str(frame.f_globals.get("__name__"))
    return module.startswith("numpy_shim.") and not module.startswith(_EDGES)


def _check_device(name: str, device: Any) -> None:
    """Raise ``TypeError`` for a device, named by the program, on which such a dtype cannot be."""
    if device is not None and normalize_device(name, device).type != "cpu":
        raise TypeError(
            f"{name}: device={str(device)!r} was asked for a dtype that torch has no storage for; "
            "such an array is NumPy's, on the host"
        )


@lru_cache(None)
def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function of ours; reading a signature costs more than many a call."""
    return inspect.signature(function).parameters


@lru_cache(None)
def _position_of_out(function: Callable[..., Any]) -> int | None:
    """Which positional argument ``out`` is, if it is one."""
    for position, (name, parameter) in enumerate(_parameters(function).items()):
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            return None
        if name == "out":
            return position
    return None


_WRITERS = frozenset({"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"})
"""Functions that write to their first argument; others write to ``out`` alone."""


def _function(name: str) -> Any:
    """The function of ours that has a dotted name."""
    found: Any = sys.modules["numpy_shim"]
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _targets(
    name: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> list[ndarray]:
    """The arrays of ours that the call writes to."""
    found = kwargs.get("out")
    if found is None and len(args) > 1:
        position = _position_of_out(function)
        found = args[position] if position is not None and position < len(args) else None
    if name in _WRITERS or name.endswith(".at"):
        found = args[0] if args else None
    outs = found if isinstance(found, tuple) else (found,)
    return [array_of(x) if isinstance(x, Tensor) else x for x in outs
            if type(x) is ndarray or isinstance(x, Tensor)]  # fmt: skip


def hand_over(
    name: str, theirs: Any, args: tuple[Any, ...], kwargs: dict[str, Any], targets: list[ndarray]
) -> _R:  # type: ignore[type-var]
    """``theirs(*args, **kwargs)`` with our arrays as NumPy's, and numbers that come back as ours.

    What is written to ``targets`` is written to copies and then assigned, so that devices,
    read-only arrays and autograd are asked as ever. Other arrays of ours are given read-only.
    """
    if not targets and not kwargs:
        given = Given(name)
        result = _call(theirs, given.all(args), {})
        if type(result) is numpy.ndarray and result.dtype == object:
            _with_given(result, given)
        alone: _R = returned(result, [m for m in given.made.values() if type(m[1]) is ndarray])
        return alone
    copies: dict[int, tuple[ndarray, Any]] = {}
    for target in targets:
        if target._tensor.requires_grad:
            raise TypeError(
                f"{name}: an array that requires grad cannot be written to by NumPy, which "
                "computes with dtypes that torch has no storage for; detach it first"
            )
        copies[id(target._tensor)] = target, numpy.array(shared(name, target))
    given = Given(name, copies)
    result = _call(theirs, given.all(args), {k: given.one(v) for k, v in kwargs.items()})
    if type(result) is numpy.ndarray and result.dtype == object:
        _with_given(result, given)
    for target, copy in copies.values():
        if not views.is_writeable(target):
            raise ValueError(f"{name}: output array is read-only")
        assign(target, from_numpy(name, copy, "out", target._tensor.device))
    kept = [(copy, target) for target, copy in copies.values()]
    found: _R = returned(result, kept + [m for m in given.made.values() if type(m[1]) is ndarray])
    return found


def _with_given(result: numpy.ndarray[Any, Any], given: Given) -> None:
    """Put the arrays of ours back that are elements of a result of objects."""
    if given.made:
        for index, x in numpy.ndenumerate(result):
            if id(x) in given.made:
                result[index] = given.made[id(x)][1]


def _call(theirs: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The one place where NumPy computes."""
    return theirs(*args, **kwargs)


class Given:
    """Arguments of a call as NumPy takes them."""

    __slots__ = ("_copies", "_name", "made")

    def __init__(self, name: str, copies: dict[int, tuple[ndarray, Any]] | None = None) -> None:
        self._name = name
        self._copies = copies or {}
        self.made: dict[int, tuple[Any, Any]] = {}
        """By the ``id`` of an array that was made, that array and the one it was made from."""

    def all(self, xs: Any) -> list[Any]:
        """Several arguments."""
        return [self.one(x) for x in xs]

    def one(self, x: Any) -> Any:
        """An argument: our arrays and tensors as NumPy's arrays, also within sequences."""
        kind = type(x)
        if kind is ndarray and not self._copies and type(x._tensor) is Tensor:
            view = kept_view(x)
            if view is not None:
                view = view[...]
                view.flags.writeable = False
                self.made[id(view)] = view, x
                return view
        elif kind in PYTHON_NUMBERS or issubclass(kind, numpy.ndarray):
            return x
        if isinstance(x, (AnyArray, Tensor)):
            tensor = x._tensor if isinstance(x, AnyArray) else as_tensor(self._name, x)
            if id(tensor) in self._copies:
                return self._copies[id(tensor)][1]
            made = shared(self._name, x if isinstance(x, AnyArray) else array_of(tensor))[...]
            made.flags.writeable = False
            if isinstance(x, TensorScalar):
                return made[()]
            self.made[id(made)] = made, x
            return made
        if kind is list or kind is tuple:
            return kind(self.all(x))
        if kind is dict:
            return {k: self.one(v) for k, v in x.items()}
        if kind is slice:
            return slice(self.one(x.start), self.one(x.stop), self.one(x.step))
        if isinstance(x, torch.dtype) and x in NUMPY:
            return NUMPY[x]
        if isinstance(x, type) and issubclass(x, ndarray):
            return numpy.ndarray
        return numpy._NoValue if x is _NoValue else x


def returned(result: Any, kept: list[tuple[Any, ndarray]] | None = None) -> Any:
    """A result of NumPy's: arrays of numbers as ours, on the default device; the rest as it is.

    ``kept`` are arrays that stand for arrays of ours, which come back themselves. NumPy's scalars
    and its subclasses of ``ndarray`` stay.
    """
    kind = type(result)
    if kind is numpy.ndarray:
        for copy, ours in kept or ():
            if result is copy:
                return ours
        if is_common(result):
            try:
                return array_of(of_memory(result))
            except ValueError:  # an axis of one element or none, whose stride torch does not take
                return result
        if result.dtype not in TORCH or not is_describable(result) or _is_locked(result):
            return result
        if result.base is not None and is_kept_in_place(result):  # a view
            made = on_memory_of("result", result, "values")
            if made is not None:
                return made
        return array_of(from_numpy("result", result, "values"))
    if kind is list:
        return [returned(r, kept) for r in result]
    if isinstance(result, tuple):
        parts = [returned(r, kept) for r in result]
        return kind(*parts) if hasattr(result, "_fields") else kind(parts)
    return result


def _is_locked(x: numpy.ndarray[Any, Any]) -> bool:
    """Whether memory is read-only that is not of an array of ours, which is given read-only."""
    if x.flags.writeable:
        return False
    owner: Any = x
    while isinstance(owner, numpy.ndarray):
        owner = owner.base
    return not isinstance(owner, Tensor)


def numpys(name: str) -> Any:
    """NumPy's function ``name``, about dtypes of its own; numbers come back as arrays of ours."""
    theirs = getattr(numpy, name)

    @wraps(theirs)
    def function(*args: Any, **kwargs: Any) -> Any:
        if not may_hand():
            raise TypeError(f"{name}: {_OFF}")
        out = kwargs.get("out")
        targets = [out] if type(out) is ndarray else []
        return hand_over(name, theirs, args, kwargs, targets)

    function.__module__ = "numpy_shim"
    function.__doc__ = f"NumPy's ``{name}``; arrays of numbers that it gives come back as ours."
    return function


_OFF = "its dtypes have no storage in torch, and set_host_dtypes('error') is in force"


def is_host(x: Any) -> bool:
    """Whether ``x`` is a NumPy array or scalar that torch cannot store: by dtype or class.

    One in the other byte order is not: its values are numbers.
    """
    if not isinstance(x, (numpy.ndarray, numpy.generic)):
        return False
    dtype = x.dtype
    if dtype not in TORCH and (dtype.kind not in "biufc" or dtype.newbyteorder("=") not in TORCH):
        return True
    return is_subclass(x)


def is_host_target(x: Any) -> bool:
    """Whether ``x``, which is written to, is NumPy's, in the other byte order too."""
    return isinstance(x, numpy.ndarray) and (x.dtype not in TORCH or is_subclass(x))
