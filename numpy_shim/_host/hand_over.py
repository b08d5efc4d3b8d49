"""A call of ours that becomes NumPy's: strings, objects, dates, records, long double, odd strides.

Conversion raises ``HostDtypeError`` for such data and such a ``dtype=``. The public function that
was called catches it in ``hands_over`` and gives the whole call to NumPy's function of its name.
``surface`` puts this wrapper on every public function, or on the general twin of one with a flat
path: so the commonest calls never meet it.

A function that another function of ours called lets the error through: the outermost one hands
its call over, and no half of it is computed here and half there.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar

from torch.compiler import is_compiling

from xp_torch._core.devices import normalize_device
from xp_torch._core.errors import refuse_size

from .._base.dtypes import HostDtypeError
from .._base.host_setting import may_hand
from . import crossings
from .number_calls import HEADS, WITH_SCALARS, may_be_scalar, scalar_of
from .numpy_calls import call_numpy, is_host, is_host_target

_F = TypeVar("_F", bound=Callable[..., Any])
_R = TypeVar("_R")  # what the function returns whose call is handed over: its caller knows


def hands_over(function: _F, name: str) -> _F:
    """Hand a call of ``function`` to NumPy's function ``name`` where a dtype needs it.

    ``name`` is that of the public function, dotted in a submodule and for a method of ufuncs.
    ``function`` is that function itself, or the general twin that it calls, whose parameters are
    those of the public function in their order. A result that does not fit into memory is NumPy's
    error.
    """

    has_scalars = name in WITH_SCALARS

    @wraps(function)
    def call(*args: object, **kwargs: object) -> Any:
        if has_scalars and args and type(args[0]) in HEADS and may_be_scalar(args):
            found = _of_numbers(name, args, kwargs)
            if found is not None:
                return found
        try:
            return function(*args, **kwargs)
        except (RuntimeError, TypeError, ValueError, OverflowError) as error:
            if not _is_for_numpy(error, args, kwargs):
                refuse_size(name.rpartition(".")[2], error)
                raise
            return _answer(error, name, args, kwargs)

    return call  # type: ignore[return-value]


if TYPE_CHECKING:
    HandsOver = type  # so that the constructor's own parameters and result count
else:

    class HandsOver(type):
        """The class of classes whose arguments may be NumPy's: then the object is NumPy's too."""

        __signature__: inspect.Signature  # that of ``__init__``, not of ``__call__``

        def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, object]) -> None:
            super().__init__(name, bases, namespace)
            made = namespace.get("__init__") or namespace["__new__"]
            signature = inspect.signature(made)
            cls.__signature__ = signature.replace(parameters=[*signature.parameters.values()][1:])

        def __call__(cls, *args: object, **kwargs: object) -> Any:
            try:
                return super().__call__(*args, **kwargs)
            except HostDtypeError as error:
                return _answer(error, cls.__name__, args, kwargs)


def _of_numbers(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """NumPy's scalar of the program's call with numbers alone; ``None`` for other calls."""
    ours, frame = _function("numpy_shim", name), sys._getframe(2)
    if getattr(ours, "__code__", None) is frame.f_code and frame.f_back is not None:
        frame = frame.f_back
    if not crossings.is_programs(frame):
        return None
    args, kwargs = _as_given(name, ours, args, kwargs)
    return scalar_of(_function("numpy", name), args, kwargs)


def _answer(error: Exception, name: str, args: tuple[Any, ...], kwargs: dict[str, object]) -> _R:  # type: ignore[type-var]
    """What NumPy's function ``name`` makes of a call that ours refused with ``error``.

    Raises ``error`` again where another function of ours called that one, in a trace, and if such
    dtypes are switched off.
    """
    if name.startswith("ufunc."):
        name, args = f"{args[0].__name__}{name[5:]}", args[1:]
    theirs, ours = _function("numpy", name), _function("numpy_shim", name)
    if theirs is None or _is_called_inside(sys._getframe(2), ours):
        raise error  # an older NumPy does not have it
    if not may_hand():
        raise _as_builtin(error) from None
    args, kwargs = _as_given(name, ours, args, kwargs)
    return call_numpy(name, theirs, args, kwargs, _written(name, ours, args))


def call_ufunc(
    error: Exception | None,
    name: str,
    args: tuple[object, ...],
    out: object = None,
    options: Mapping[str, object] | None = None,
    operator: Any = None,
) -> _R:  # type: ignore[type-var]
    """What NumPy's ufunc ``name`` makes of a call or an operator that ours refused.

    Without an ``error`` the caller knows that it is NumPy's, by ``is_beside``. An ``operator`` is
    called in place of the ufunc.
    """
    theirs = operator or _function("numpy", name)
    if error is not None:
        frame = sys._getframe(1)
        while frame.f_back is not None and _module_of(frame).startswith("numpy_shim._ufunc."):
            frame = frame.f_back
        if not may_hand() or _is_called_inside(frame) or theirs is None:
            raise error
    given = dict(options or {})
    return call_numpy(name, theirs, args, given if out is None else {**given, "out": out})


def call_beside(name: str, args: tuple[object, ...]) -> Any:
    """What NumPy's function makes of arguments one of which is of a subclass of its arrays.

    To be called by a flat path: a refusal by the general twin takes longer than NumPy's call.
    ``NotImplemented`` where another function of ours called that one.
    """
    if _is_called_inside(sys._getframe(1), _function("numpy_shim", name)):
        return NotImplemented
    return call_numpy(name, _function("numpy", name), args, {})


def _is_for_numpy(error: Exception, args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    """Whether an error says that torch cannot store what is given or asked for.

    An option that only such a dtype has, as the fields to sort by, may have been refused first.
    """
    if isinstance(error, HostDtypeError):
        return True
    if not isinstance(error, (TypeError, ValueError)):
        return False
    return any(map(is_host_target, args[:1])) or any(
        any(map(is_host, x)) if isinstance(x, (list, tuple)) else is_host(x)
        for x in (*args, *kwargs.values())
    )


def _as_builtin(error: Exception) -> Exception:
    """The error as one of Python's own, for a user."""
    if not isinstance(error, HostDtypeError) or is_compiling():
        return error
    return (OverflowError if isinstance(error, OverflowError) else TypeError)(str(error))


_EDGES = (
    "numpy_shim._members.", "numpy_shim._interop.", "numpy_shim._numpys.", "numpy_shim.polynomial",
    "numpy_shim.scipy.",
)  # fmt: skip
"""Modules that call our functions for the user: methods, NumPy's dispatch, NumPy's own text."""


def _is_called_inside(frame: Any, public: Any = None) -> bool:
    """Whether a call comes from one of our functions, which then hands over its own call.

    ``frame`` called the wrapper. That may be the function ``public``, whose general twin it is.
    """
    if getattr(public, "__code__", None) is frame.f_code:
        frame = frame.f_back
    module = _module_of(frame)
    return module.startswith("numpy_shim.") and not module.startswith(_EDGES)


def _module_of(frame: Any) -> str:
    return str(frame.f_globals.get("__name__"))


@lru_cache(None)
def _function(package: str, name: str) -> Any:
    """The function that has a dotted name in a package; ``None`` if there is none."""
    found: Any = sys.modules[package]
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _as_given(
    name: str, ours: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments for NumPy: without those of ours alone, and without what is a default anyway.

    NumPy of another release may not know an argument that was not given. A twin gets arguments by
    position that the public function takes by name only.
    """
    names, defaults, count = _parameters(ours)
    given = {**kwargs}
    if 0 <= count < len(args) and not hasattr(ours, "__wrapped__"):  # the call is one of its twin
        given |= zip(names[count:], args[count:], strict=False)
        args = args[:count]
    if len(args) <= count:
        while args and args[-1] is defaults[len(args) - 1]:
            args = args[:-1]
    if not given:
        return args, given
    device = given.pop("device", None)
    if device is not None and normalize_device(name, device).type != "cpu":
        raise TypeError(
            f"{name}: device={str(device)!r} was asked for a dtype that torch has no storage for; "
            "such an array is NumPy's, on the host"
        )
    given.pop("like", None)
    known = dict(zip(names, defaults, strict=True))
    return args, {k: v for k, v in given.items() if v is not known.get(k, _GIVEN)}


@lru_cache(None)
def _parameters(
    function: Callable[..., Any],
) -> tuple[tuple[str, ...], tuple[Any, ...], int]:
    """The names and the defaults of the parameters, and how many take an argument by position.

    The number is -1 if any number of arguments can be given by position. Reading a signature costs
    more than many a call.
    """
    parameters = inspect.signature(function).parameters
    kinds = [p.kind for p in parameters.values()]
    count = sum(k <= inspect.Parameter.POSITIONAL_OR_KEYWORD for k in kinds)
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        count = -1
    return tuple(parameters), tuple([p.default for p in parameters.values()]), count


_GIVEN = object()

_WRITERS = frozenset({"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"})
"""Functions that write to their first argument; others write to ``out`` alone."""


def _written(name: str, ours: object, args: tuple[object, ...]) -> tuple[Any, ...]:
    """What a call writes to of its positional arguments."""
    if name in _WRITERS or name.endswith(".at"):
        return args[:1]
    names, _, count = _parameters(ours)
    names = names[: min(count, len(args))] if count >= 0 else ()
    found = args[names.index("out") :][:1] if "out" in names else ()
    return found[0] if found and isinstance(found[0], tuple) else found
