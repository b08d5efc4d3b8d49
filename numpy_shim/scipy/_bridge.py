"""Decides for each call of SciPy what computes it. All of the decision is in this file.

==========================================  ====================================================
the arrays                                  what runs
==========================================  ====================================================
on the CPU, no gradient, no trace           SciPy, on the same memory
on a device, with a gradient, in a trace,   a function of ``NATIVE``; else SciPy's own Python code,
spread over processes                       where SciPy says that it follows the array API; else
                                            SciPy on copies on the host, unless there is a gradient
==========================================  ====================================================

The solvers of ``optimize`` are called through ``_solutions``, which takes gradients out of such a
call before this decision and gives the solution its own.

Results are ours, on the device of the arguments; with no array among them, on the default device.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy
import torch
from torch.compiler import is_dynamo_compiling

from xp_torch._core.devices import CPU
from xp_torch._torch.internals import compiles_frames, is_transformed
from xp_torch._torch.patches import DYNAMO, when_imported

from .._array.ndarray import AnyArray, ndarray
from .._convert.from_data import asarray
from .._convert.to_numpy import no_host
from .._host import crossings
from .._host.frames import pass_over
from . import _solutions
from ._standing import Held, OnTheHostError, asking, is_librarys
from ._values import (
    PLAIN,
    Call,
    Callback,
    Elsewhere,
    FoundElsewhere,
    HostCall,
    object_to_scipy,
    to_program,
    to_scipy,
)


def _native(name: str) -> Callable[..., Any] | None:
    """Our function of SciPy's name, as ``"special.erf"``, that runs where the arrays are.

    Each chapter executes SciPy's modules when it is imported: here, at the first such call.
    """
    package, _, function = name.rpartition(".")
    package = package.partition("._")[0]  # SciPy's private modules have the same functions
    if package == "special":
        from .. import special
        from ..special._of_counts import OF_COUNTS

        public = getattr(special, function) if function in special.__all__ else None
        if public or function in OF_COUNTS:
            return public or OF_COUNTS[function]
    top, _, room = package.partition(".")
    found = _chapter(top)
    functions = getattr(found, room.upper() or "FUNCTIONS", None) if found is not None else None
    return functions.get(function) if functions is not None else None


def _native_of(name: str, args: Any, method: bool) -> Callable[..., Any] | None:
    """What computes a call where the arrays are: our function, or a method of our object."""
    if not method:
        return _native(name)
    if not args or not issubclass(type(args[0]), Held):
        return None
    method_of = getattr(_chapter(name.partition(".")[0]), "method_of", None)
    return method_of(args[0]._scipys, name.rpartition(".")[2]) if method_of is not None else None


_FAILED: dict[str, str] = {}
"""Why chapters cannot be imported: of another SciPy than those that are tested."""


def _chapter(name: str) -> ModuleType | None:
    """Our package for one of SciPy's, if there is one, and the installed SciPy has its text."""
    if name in _FAILED:
        return None
    try:
        return _imported(name)
    except (ImportError, AttributeError, NameError, TypeError, ValueError) as error:
        scipy = import_module("scipy")
        words = f"{type(error).__name__}: {error}"
        _FAILED[name] = f"numpy_shim.scipy does not know SciPy {scipy.__version__}: {words}"
        return None


def _imported(name: str) -> ModuleType | None:
    """A chapter; Dynamo traces such imports alone."""
    found: Any = None
    if name == "fft":
        from . import _fft as found
    elif name == "linalg":
        from . import _linalg as found
    elif name == "ndimage":
        from . import _ndimage as found
    elif name == "signal":
        from . import _signal as found
    elif name == "special":
        from . import _special as found
    elif name == "stats":
        from . import _stats as found
    elif name == "optimize":
        from . import _optimize as found
    elif name == "constants":
        from . import _constants as found
    elif name == "differentiate":
        from . import _differentiate as found
    elif name == "integrate":
        from . import _integrate as found
    elif name == "interpolate":
        from . import _interpolate as found
    elif name == "spatial":
        from . import _spatial as found
    elif name == "cluster":
        from . import _cluster as found
    elif name == "sparse":
        from . import _sparse as found
    return found  # type: ignore[no-any-return]


def _why_on_the_host(name: str) -> str:
    """Why SciPy's function of a name has none of ours; empty where nothing is said of it."""
    package, _, function = name.rpartition(".")
    room = package.partition(".")[0]
    reasons: dict[str, str] = getattr(_chapter(room), "ON_THE_HOST", {})
    return reasons.get(function, "") or _FAILED.get(room, "")


NATIVE_FIRST = bool(os.environ.get("XP_TORCH_NATIVE_FIRST"))
"""For tests: our functions are taken on the CPU, too, so that SciPy's own tests run them."""

_OUTPUTS = frozenset({"out", "output", "distances", "indices"})
"""Parameters whose arrays SciPy writes to."""


def bridged(function: Any, name: str, module: str = "", method: bool = False) -> Any:
    """SciPy's function for the program: it takes and gives arrays of ours.

    ``name`` is that in SciPy's documentation, without ``scipy.``. A ``method`` called by a library
    runs as SciPy has it.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        if is_dynamo_compiling():
            return _traced(function, name, args, kwargs, method)
        is_of_ours = method and args and issubclass(type(args[0]), Held)
        rest = args[1:] if is_of_ours else args
        if method and is_librarys(asking(1)) and not _has_ours(rest, kwargs):
            return function(*([args[0]._scipys] if is_of_ours else ()), *rest, **kwargs)
        if NATIVE_FIRST and _native_of(name, args, method) is not None:
            return _elsewhere(function, name, args, kwargs, method)
        one = Call(name)
        try:
            theirs = [x if type(x) in PLAIN else to_scipy(x, one) for x in rest]
            if is_of_ours:
                theirs.insert(0, object_to_scipy(args[0], one))
            named = kwargs and _named_to_scipy(kwargs, one)
        except Elsewhere:
            theirs = None
        if theirs is None:  # outside of the handler, so that SciPy's errors have no context of ours
            return _elsewhere(function, name, args, kwargs, method)
        apart = compiles_frames()  # after the end of a graph
        try:
            result = _apart(function, theirs, named) if apart else function(*theirs, **named)
        except (FoundElsewhere, SystemError, RuntimeError) as error:
            again = _found_in(error)
        else:
            return result if type(result) in PLAIN else to_program(result, one)
        if _native_of(name, args, method) is None:
            raise TypeError(str(again)) from None
        args = tuple([again if x is again.function else x for x in args])
        kwargs = {key: again if x is again.function else x for key, x in kwargs.items()}
        try:
            with again.device:
                return _elsewhere(function, name, args, kwargs, method)
        except FoundElsewhere as error:  # our function has left it to SciPy
            raise TypeError(str(error)) from None

    made = pass_over(call)
    if name in _solutions.SOLVERS:
        made = _solving(made, function, name)
    return named_as(made, function, name, module)


def _named_to_scipy(given: dict[str, Any], call: Call) -> dict[str, Any]:
    """Arguments by name for SciPy."""
    made = {k: v if type(v) in PLAIN else to_scipy(v, call) for k, v in given.items()}
    told = made.get("callback")
    if type(told) is Callback:
        told._is_told = True
    return made


def _found_in(error: BaseException | None) -> FoundElsewhere:
    """What a call ended with; SciPy makes another error of it, or goes on to others in C."""
    first = error
    while first is not None:
        if isinstance(first, FoundElsewhere):
            return first
        first = first.__cause__
    raise error  # type: ignore[misc]


def _solving(call: Any, function: Any, name: str) -> Any:
    """A solver of ``optimize``, whose solution has derivatives."""

    def solve(*args: Any, **kwargs: Any) -> Any:
        if is_dynamo_compiling():
            return _untraced(function, name, args, kwargs, False)
        return _solutions.solve(call, function, name, args, kwargs, refuse)

    return pass_over(solve)


def _has_ours(args: Any, kwargs: Any) -> bool:
    return any(isinstance(x, (AnyArray, Held)) for x in (*args, *kwargs.values()))


def named_as(made: Any, function: Any, name: str, module: str) -> Any:
    """Give a function the name, the attributes, the documentation and the signature of SciPy's."""
    vars(made).update(getattr(function, "__dict__", {}))  # as a routine of BLAS has its typecode
    made.__name__ = getattr(function, "__name__", name.rpartition(".")[2])
    made.__qualname__ = getattr(function, "__qualname__", made.__name__)
    made.__module__ = module or getattr(function, "__module__", None) or "numpy_shim.scipy"
    made.__doc__ = function.__doc__
    made.__wrapped__ = made._scipys = function
    return made


def _traced(function: Any, name: str, args: Any, kwargs: Any, method: bool) -> Any:
    """A call in a graph: one of ours, or SciPy's after a break of the graph."""
    native = None if method else _native(name)
    if native is not None and not isinstance(native, type):
        return native(*args, **kwargs)
    return _untraced(function, name, args, kwargs, method)


def _untraced(function: Any, name: str, args: Any, kwargs: Any, method: bool) -> Any:
    return bridged(function, name, method=method)(*args, **kwargs)


def _apart(function: Any, args: Any, kwargs: Any) -> Any:
    """SciPy's function in a compiled one: Dynamo would give SciPy's frames arrays of its own."""
    return function(*args, **kwargs)


def _leave_out_of_graphs(_: Any) -> None:
    """Let Dynamo end its graph at a call of SciPy, and look at nothing that SciPy calls."""
    global _apart, _untraced
    disable: Any = torch.compiler.disable
    _untraced = disable(_untraced, reason="SciPy computes outside of graphs")
    _apart = disable(_apart, reason="SciPy computes outside of graphs")


when_imported(DYNAMO, _leave_out_of_graphs)


_REFUSALS = (TypeError, ValueError, AttributeError, ImportError, NameError)
"""Errors of a function of ours for which SciPy is asked: the last three of a SciPy that is new."""


@pass_over
def _elsewhere(function: Any, name: str, args: Any, kwargs: Any, method: bool = False) -> Any:
    """A call with arrays that are not plain memory of the CPU."""
    arrays = list(_arrays((args, kwargs)))
    device = CPU if arrays else torch.get_default_device()
    device = next((x.device for x in arrays if x.device != CPU), device)
    native = _native_of(name, args, method)
    if native is not None and name not in _BEGINNING_AT_RANDOM and _draws(args, kwargs):
        native = None
    given = args[1:] if method else args
    reason: Exception | None = None
    why: Exception | str = "" if method or native is not None else _why_on_the_host(name)
    if native is not None:
        try:
            return native(*_lifted(given, device), **_lifted(kwargs, device))
        except numpy.linalg.LinAlgError:  # what a matrix is does not change on the host
            raise
        except (OnTheHostError, NotImplementedError) as error:
            reason = error
        except _REFUSALS as error:  # such as complex numbers
            if not may_be_tried(function, args, kwargs):
                raise  # it may be the program's, and to call that again is not the same
            reason = error
    elif follows_array_api(function) and may_be_tried(function, args, kwargs):
        try:
            with no_host():
                return _on_our_namespace(function, name, args, kwargs, device)
        except Exception as error:  # the call on the host has SciPy's own words for it
            reason = error
    kept = [x for x in arrays if _would_lose(x)]
    if kept:
        raise TypeError(_no_gradient(function, name, kept[0])) from reason
    why = reason or why
    if why:
        crossings.explain(f"scipy.{name}", why)
    one = HostCall(name, device)
    try:
        theirs = [to_scipy(x, one) for x in args]
        named = _named_to_scipy(kwargs, one)
    except TypeError:  # no copies on the host: an error about the values is more to the point
        if isinstance(reason, ValueError):
            raise reason from None
        raise
    apart = compiles_frames()
    made = _apart(function, theirs, named) if apart else function(*theirs, **named)
    result = to_program(made, one)
    for target, values in _written(function, args, kwargs, theirs, named):
        target[...] = asarray(values, device=target.device)
    return result


def _would_lose(x: AnyArray) -> bool:
    """Whether the host would lose a derivative of ``x``, or a map over it."""
    return (x._tensor.requires_grad and torch.is_grad_enabled()) or is_transformed()


def refuse(function: Any, name: str, values: list[Any]) -> None:
    """Raise for a gradient in values, by which no derivative is computed."""
    for x in _arrays(values):
        if _solutions.has_derivative(x._tensor):
            raise TypeError(_no_gradient(function, name, x))


def _no_gradient(function: Any, name: str, x: AnyArray) -> str:
    """The message for a call whose derivative nothing computes."""
    if torch.is_grad_enabled() and x._tensor.requires_grad:
        what, otherwise = "an array has a gradient", "or detach the array: x.tensor.detach()"
    else:
        what, otherwise = "an array is in a transform of torch.func", "or call it outside of that"
    works = "compute it with functions of numpy_shim, which have derivatives"
    if says_array_api(function) and not _is_on():
        works = (
            "set SCIPY_ARRAY_API=1 before SciPy is imported, so that SciPy's own code runs on "
            "our arrays"
        )
    return f"{name}: {what}, and SciPy would compute on the host without it; {works}, {otherwise}"


def _arrays(x: Any) -> Iterator[AnyArray]:
    """The arrays of ours in arguments."""
    if isinstance(x, AnyArray):
        yield x
    elif type(x) in (list, tuple):
        for value in x:
            yield from _arrays(value)
    elif type(x) is dict:
        yield from _arrays(list(x.values()))


def _written(
    function: Any, args: Any, kwargs: Any, theirs: list[Any], named: dict[str, Any]
) -> Iterator[tuple[ndarray, Any]]:
    """The arrays of ours that SciPy wrote copies of, with the copies."""
    places = _positions(function)
    for place, (old, new) in enumerate(zip(args, theirs, strict=True)):
        if type(old) is ndarray and place < len(places) and places[place] in _OUTPUTS:
            yield old, new
    for key, old in kwargs.items():
        olds, news = (old, named[key]) if type(old) is tuple else ((old,), (named[key],))
        if key in _OUTPUTS or key.startswith("overwrite_"):
            for target, values in zip(olds, news, strict=True):
                if type(target) is ndarray:
                    yield target, values


def _positions(function: Any) -> list[str]:
    if isinstance(function, numpy.ufunc):
        return ["x"] * function.nin + ["out"] * function.nout
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


# --- SciPy's own Python code on our arrays ---


def _is_on() -> bool:
    """Whether SciPy was imported to follow the array API: ``SCIPY_ARRAY_API=1``."""
    return bool(getattr(import_module(_SWITCH), "SCIPY_ARRAY_API", False))


_SWITCH = "scipy._lib._array_api"


def says_array_api(function: Any) -> bool:
    """Whether SciPy says that a function follows the array API, on any device."""
    table = getattr(import_module(_SWITCH), "xp_capabilities_table", {})
    try:
        said: Any = table.get(function) or table.get(getattr(function, "__wrapped__", None))
    except TypeError:  # what has no hash
        return False
    return bool(said) and not (said["np_only"] or said["cpu_only"])


def follows_array_api(function: Any) -> bool:
    """Whether SciPy's code of a function would run on our namespace."""
    return _is_on() and says_array_api(function)


def may_be_tried(function: Any, args: Any, kwargs: Any) -> bool:
    """Whether a call may begin on our namespace and be made again on the host: it has no effects.

    Random streams would go on, the program's functions would be called twice, and SciPy does not
    write to our arrays.
    """
    if _OUTPUTS.intersection(kwargs) or {"rng", "random_state"}.intersection(_positions(function)):
        return False
    return not any(
        (callable(x) and not isinstance(x, (type, numpy.ufunc, Held))) or isinstance(x, _RANDOM)
        for x in (*args, *kwargs.values())
    )


def _draws(args: Any, kwargs: Any) -> bool:
    """Whether a call is to draw random numbers, which are those of SciPy on the host."""
    if any(kwargs.get(name) is not None for name in ("rng", "random_state", "seed")):
        return True
    given = (*args, *kwargs.values())
    return any(
        isinstance(x, _RANDOM) or (isinstance(x, Held) and type(x._scipys).__name__ in _RESAMPLING)
        for x in given
    )


_BEGINNING_AT_RANDOM = frozenset({f"sparse.linalg.{name}" for name in ("eigs", "eigsh", "svds")})
"""Functions that draw the vector they begin with; what they find does not depend on it."""

_RANDOM = (numpy.random.Generator, numpy.random.RandomState)
_RESAMPLING = ("MonteCarloMethod", "PermutationMethod", "BootstrapMethod")


@pass_over
def _on_our_namespace(
    function: Any, name: str, args: Any, kwargs: Any, device: torch.device
) -> Any:
    """SciPy's Python code on our arrays; what else is an array of numbers becomes one of ours."""

    result = function(*_lifted(args, device), **_lifted(kwargs, device))
    return to_program(result, Call(name, device))


def _lifted(x: Any, device: torch.device) -> Any:
    """Arguments with arrays on the device for other arrays of numbers."""
    if type(x) is dict:
        return {key: _lifted(value, device) for key, value in x.items()}
    if type(x) is ndarray and x.device.type == "cpu" != device.type:
        return asarray(x, device=device)
    if type(x) is numpy.ndarray or (type(x) is list and x and type(x[0]) in (float, list)):
        return asarray(x, device=device)
    if type(x) is tuple and any(isinstance(v, (AnyArray, numpy.ndarray, dict, list)) for v in x):
        return tuple([_lifted(v, device) for v in x])
    return x
