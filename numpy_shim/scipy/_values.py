"""What goes into a function of SciPy's, and what comes out.

In: our arrays become NumPy's on the same memory, our objects SciPy's, and the program's functions
become functions that are called with our arrays. Out: arrays become ours, and so do those inside of
tuples, lists, dictionaries and results; objects and functions of SciPy's become what ``_objects``
makes of them. A container in which nothing changes stays the object that it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial, update_wrapper
from types import FunctionType, GeneratorType, MethodType, ModuleType, NoneType, SimpleNamespace
from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._core.devices import CPU, default_is_cpu

from .._array.host_view import BEHAVED, ORDERED, WRITEABLE, kept_view, memory_of
from .._array.ndarray import AnyArray, ndarray, new
from .._array.scalars import TensorScalar
from .._array.views import read_only
from .._base.dtypes import TORCH
from .._convert.to_numpy import shared
from .._host import exchange
from ._solutions import has_derivative
from ._standing import Held, is_librarys_code, scipys_class

PLAIN = frozenset(
    {NoneType, bool, int, float, complex, str, bytes, slice, type(...), numpy.dtype}
    | set(numpy.sctypeDict.values())
)
"""Types of what is the same on both sides."""

_FUNCTIONS = (FunctionType, MethodType, partial)


class Elsewhere(Exception):  # noqa: N818 - no error: it ends the common way of a call
    """An array is not plain memory of the CPU."""


class FoundElsewhere(TypeError):  # noqa: N818 - mostly no error
    """A function of the program has given an array with a gradient, or of a device.

    It ends the common way of a call, and is an error where no function of ours computes the call.
    """

    def __init__(
        self, name: str, function: Any, array: AnyArray, values: Any = None, words: str = ""
    ) -> None:
        super().__init__(words or say_lost(name))
        self.function, self.device, self._first = function, array._tensor.device, values

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function; where its first call was made already, the values of that."""
        first, self._first = self._first, None
        return self.function(*args, **kwargs) if first is None else first


def say_lost(name: str) -> str:
    """The message for a gradient that a function of the program gives, and SciPy would lose."""
    works = _INSTEAD.get(name, "")
    works = (
        f"use {works}, which keeps it"
        if works
        else "compute it with functions of numpy_shim, which have derivatives"
    )
    return (
        f"{name}: what a function of the program gives has a gradient, and SciPy would compute on "
        f"the host without it; {works}, or detach the array: x.tensor.detach()"
    )


_INSTEAD = {
    "integrate.dblquad": "integrate.cubature",
    "integrate.nquad": "integrate.cubature",
    "integrate.odeint": "integrate.solve_ivp",
    "integrate.quad": "integrate.quad_vec",
    "integrate.tplquad": "integrate.cubature",
}
"""Functions that keep a gradient, for those that do not."""

FOLLOWING = frozenset(
    {"integrate.cubature", "integrate.fixed_quad", "integrate.quad_vec", "optimize.fixed_point"}
)
"""SciPy's functions that compute where the results of the program's function are."""


class Call:
    """One call of SciPy: the device of its arrays, and which array of ours is which of NumPy's."""

    __slots__ = ("device", "is_read", "known", "name")

    def __init__(
        self, name: str, device: torch.device | None = None, is_read: bool = False
    ) -> None:
        self.name = name
        self.device = device
        self.is_read = is_read  # an attribute is read, whose memory others may have
        self.known: dict[int, Any] = {}

    def host(self, x: AnyArray) -> Any:
        """The values of an array that ``kept_view`` does not give."""
        if type(x) is not ndarray and x._tensor.is_cpu and not x._tensor.requires_grad:
            return _host(x, self.name)
        raise Elsewhere


class HostCall(Call):
    """A call that SciPy computes on the host, with arrays that are somewhere else."""

    __slots__ = ()

    def host(self, x: AnyArray) -> Any:
        return _host(x, self.name)


class ResultCall(HostCall):
    """The results of a function of the program, for SciPy: a gradient of them is not lost."""

    __slots__ = ("function",)

    def __init__(self, name: str, function: Any = None) -> None:
        super().__init__(name)
        self.function = function

    def host(self, x: AnyArray) -> Any:
        if has_derivative(x._tensor):
            if self.function is None:
                raise TypeError(say_lost(self.name))
            raise FoundElsewhere(self.name, self.function, x)
        try:
            return _host(x, self.name)
        except TypeError as refusal:  # of a copy on the host
            if self.function is None:
                raise
            words = str(refusal)
        raise FoundElsewhere(self.name, self.function, x, words=words)


def _host(x: AnyArray, what: str) -> Any:
    """The values of an array as NumPy's, counted if they come from a device; a scalar's number."""
    values = shared(f"scipy.{what}", x)
    return values[()] if isinstance(x, TensorScalar) else values


class _Memory:
    """The memory of a read-only array: torch has no such memory, but arrays of ours are locked."""

    def __init__(self, x: numpy.ndarray[Any, Any]) -> None:
        self.owner = x
        interface = x.__array_interface__
        self.__array_interface__ = interface | {"data": (interface["data"][0], False)}

    def writable(self) -> numpy.ndarray[Any, Any]:
        """An array on the memory that may be written to."""
        return numpy.asarray(self)


_SMALL = 1 << 16  # elements that are copied sooner than described


def _is_private(x: numpy.ndarray[Any, Any]) -> bool:
    """Whether nothing but a view holds the memory that it is on."""
    base = x.base
    return type(base) is numpy.ndarray and base.base is None and sys.getrefcount(base) == _ALONE


_ALONE = 3  # references to an array: that of its only view, and two of the question


def _back(x: numpy.ndarray[Any, Any], call: Call, is_shared: bool) -> Any:
    """SciPy's array as one of ours, on the device of the call or else the default device.

    On the CPU it has the same memory; ``is_shared`` says that another array may have it, too. What
    torch has no storage for stays NumPy's.
    """
    dtype = x.dtype
    if dtype not in TORCH:
        dtype = dtype.newbyteorder("=")
        if dtype not in TORCH:
            return x
        x = x.astype(dtype)
    device = call.device
    if device == CPU if device is not None else default_is_cpu():  # its type takes six times this
        flags = x.flags.num
        if not (is_shared or flags & ORDERED) and x.size <= _SMALL and _is_private(x):
            x = x.copy()  # such as a reversed part of what SciPy has computed
            flags = x.flags.num
        if not is_shared and flags & BEHAVED == BEHAVED and flags & ORDERED:
            out = new(ndarray)
            tensor = memory_of(x)
            if tensor is None:  # C has several types of one size; torch accepts one of them
                return exchange.back(x, CPU)
            out._tensor = tensor
            out._flat_dtype = tensor.dtype if x.ndim else None
            return out
        if is_shared and not flags & WRITEABLE and x.size:
            return read_only(exchange.back(_Memory(x).writable(), CPU))
    return exchange.back(x, device or torch.get_default_device(), f"scipy.{call.name}")


def to_scipy(x: Any, call: Call) -> Any:
    """An argument for SciPy."""
    kind = type(x)
    if kind in PLAIN:
        return x
    if kind is ndarray:
        values = kept_view(x)
        if values is None:
            values = call.host(x)
        if call.device is None:
            call.device = x._tensor.device
        call.known[id(values)] = x
        return values
    if kind is list or kind is tuple:
        for v in x:
            if type(v) not in PLAIN:
                break
        else:
            return x
        made = [v if type(v) in PLAIN else to_scipy(v, call) for v in x]
        for new, old in zip(made, x, strict=True):
            if new is not old:
                return made if kind is list else tuple(made)
        return x
    if kind is numpy.ndarray:
        return x
    if issubclass(kind, Held):
        return object_to_scipy(x, call)
    return _other_to_scipy(x, kind, call)


def object_to_scipy(x: Held, call: Call) -> Any:
    """SciPy's object for one of ours."""
    real = x._scipys
    if call.device is None:
        call.device = x._device
    call.known[id(real)] = x
    return real


def _other_to_scipy(x: Any, kind: type, call: Call) -> Any:
    if kind is dict:
        made = {key: to_scipy(value, call) for key, value in x.items()}
        return x if all(made[key] is x[key] for key in x) else made
    if isinstance(x, AnyArray):
        values = call.host(x)
        if call.device is None:
            call.device = x._tensor.device
        return values
    if isinstance(x, type):
        return scipys_class(x)
    if hasattr(kind, "_stands_for"):
        return _as_scipys(x, kind, call)
    if isinstance(x, _FUNCTIONS):
        owner: Any = getattr(x, "__self__", None)
        if issubclass(type(owner), Held):
            return getattr(owner._scipys, x.__name__)  # type: ignore[union-attr]
        real = getattr(x, "_scipys", None)
        if real is not None:
            return real
        return _numpys(x) or Callback(x, call)
    if isinstance(x, ModuleType):
        numpys = x.__name__.startswith("numpy_shim") and sys.modules.get(
            x.__name__.replace("numpy_shim", "numpy", 1)
        )
        return numpys or x
    if isinstance(x, (numpy.random.Generator, numpy.random.RandomState)):
        return getattr(x, "_source", x)  # ours gives arrays of ours
    if isinstance(x, tuple) and hasattr(kind, "_fields"):
        real = getattr(x, "__dict__", {}).get("_scipys")
        return real[0] if real else _rebuilt(x, lambda v: to_scipy(v, call))
    shim = sys.modules["numpy_shim"]
    if kind is shim.poly1d:
        return numpy.poly1d(to_scipy(x.coeffs, call), variable=x.variable)
    if issubclass(kind, shim.ufunc):
        return _numpys(x) or Callback(x, call)
    if callable(x) and kind.__module__.partition(".")[0] not in _NOT_OF_THE_PROGRAM:
        return Callback(x, call)
    asked = getattr(kind, "__array__", None)  # NumPy takes none of ours from it
    if isinstance(asked, FunctionType) and not is_librarys_code(asked.__globals__):
        made = x.__array__()
        return to_scipy(made, call) if isinstance(made, AnyArray) else x
    return x


_NOT_OF_THE_PROGRAM = frozenset({"scipy", "numpy", "builtins", "torch", "ctypes", "_cffi_backend"})


def _numpys(function: Any) -> Any:
    """NumPy's function of the name of one of ours, which is quick on NumPy's memory."""
    name = getattr(function, "__name__", "")
    if getattr(sys.modules["numpy_shim"], name, None) is function:
        return getattr(numpy, name, None)
    return None


def _as_scipys(x: Any, kind: Any, call: Call) -> Any:
    """An object of a chapter of ours as one of SciPy's, with copies of its arrays on the host."""
    from ._text import read_parts

    real = object.__new__(kind._stands_for)
    for name, value in read_parts(x).items():
        setattr(real, name, _OF_NUMPY[name] if name in _OF_NUMPY else to_scipy(value, call))
    return real


_OF_NUMPY = {"_asarray": numpy.asarray, "_xp": numpy, "_xp_internal": numpy}
"""What a spline keeps of the namespace of its arrays, for NumPy's."""


class Callback:
    """A function of the program, for SciPy to call: it takes and gives arrays of ours.

    What a ``callback`` gives, which is only told of steps, stays as it is. It goes to other
    processes as the program's function.
    """

    def __init__(self, function: Any, call: Call) -> None:
        self._call, self._is_called, self._is_told = call, False, False
        with suppress(AttributeError):  # an object without the attributes of a function
            update_wrapper(self, function, updated=())
        self.__wrapped__ = function

    def __getattr__(self, name: str) -> Any:
        if name == "__wrapped__":  # a copy that is not filled yet
            raise AttributeError(name)
        value = getattr(self.__wrapped__, name)  # such as ``event.terminal``
        if name == "__code__" and isinstance(self.__wrapped__, FunctionType):
            # f2py counts the arguments there, less one for ``self`` where it is not a function.
            return SimpleNamespace(co_argcount=value.co_argcount + 1)
        return value

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        call = self._call
        made = self.__wrapped__(
            *[v if type(v) in PLAIN else to_program(v, call) for v in args],
            **{key: to_program(value, call) for key, value in kwargs.items()},
        )
        is_first, self._is_called = not self._is_called, True
        if type(made) in PLAIN or self._is_told:
            return made
        function = self.__wrapped__ if type(call) is Call else None
        if type(made) is ndarray:
            values = kept_view(made)
            if values is not None:
                return values
            if function is not None and call.name in FOLLOWING:
                raise FoundElsewhere(call.name, function, made, made if is_first else None)
        return to_scipy(made, ResultCall(call.name, function))

    def __reduce__(self) -> Any:
        return _restored_callback, (self.__wrapped__, self._call.name, self._call.device)


def _restored_callback(function: Any, name: str, device: torch.device | None) -> Callback:
    return Callback(function, HostCall(name, device))


def _rebuilt(x: Any, change: Callable[[Any], Any], kind: Any = None) -> Any:
    """A named tuple of SciPy's or Python's with other values, without a call of its constructor."""
    kind = kind or type(x)
    made = tuple.__new__(kind, map(change, x))
    extra = getattr(x, "__dict__", None)
    if extra:
        kept = "_" if kind is not type(x) else ()  # private: for SciPy's methods, which have ``x``
        changed = {k: v if k.startswith(kept) else change(v) for k, v in extra.items()}
        made.__dict__.update(changed)
    return made


def _given_result(x: Any, kind: Any, call: Call) -> Any:
    """A named tuple with our arrays; its methods compute with SciPy's."""
    made = _rebuilt(x, lambda v: to_program(v, call), _result_class(kind))
    if type(made) is not kind:
        made.__dict__["_scipys"] = x, call.device
    return made


@cache
def _result_class(kind: Any) -> Any:
    """A class of results: one with methods is derived from, and they go through SciPy's result."""

    def method(name: str) -> Any:
        def called(self: Any, *args: Any, **kwargs: Any) -> Any:
            real, device = self.__dict__["_scipys"]
            one = HostCall(f"{kind.__name__}.{name}", device)
            theirs = [to_scipy(v, one) for v in args]
            named = {key: to_scipy(value, one) for key, value in kwargs.items()}
            return to_program(getattr(real, name)(*theirs, **named), one)

        return update_wrapper(called, getattr(kind, name))

    def reduce(self: Any, protocol: Any) -> Any:
        return restored_result, self.__dict__["_scipys"]

    found = {
        name: method(name)
        for base in kind.__mro__
        if base.__module__.partition(".")[0] == "scipy"
        for name, value in vars(base).items()
        if isinstance(value, FunctionType) and not name.startswith("_")
    }
    if not found:
        return kind
    names = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
    return type(kind.__name__, (kind,), {**found, **names, "__reduce_ex__": reduce})


def restored_result(x: Any, device: torch.device | None) -> Any:
    """Our result for one of SciPy's."""
    return _given_result(x, type(x), Call("result", device))


def to_program(x: Any, call: Call) -> Any:
    """A result of SciPy's for the program, or an argument that SciPy gives one of its functions."""
    kind = type(x)
    if kind in PLAIN:
        return x
    if kind is numpy.ndarray:
        known = call.known
        if known:
            found = known.get(id(x))
            if found is not None:
                return found
            return _back(x, call, call.is_read or id(x.base) in known)
        return _back(x, call, call.is_read)
    if kind is tuple or kind is list:
        made = [v if type(v) in PLAIN else to_program(v, call) for v in x]
        for new, old in zip(made, x, strict=True):
            if new is not old:
                return made if kind is list else tuple(made)
        return x
    return _other_given(x, kind, call)


def _other_given(x: Any, kind: type, call: Call) -> Any:
    known = call.known.get(id(x))
    if known is not None:
        return known
    if isinstance(x, tuple):
        return _given_result(x, kind, call) if hasattr(kind, "_fields") else x
    if is_dictionary(kind):
        return _dictionary(x, kind, call)
    if kind is GeneratorType:
        return _each(x, call)
    if kind is numpy.poly1d:
        return sys.modules["numpy_shim"].poly1d(to_program(x.coeffs, call), variable=x.variable)
    if kind is Callback:
        return x.__wrapped__
    if isinstance(x, Tensor):
        return x
    return present(x, call.device)


def is_dictionary(kind: type) -> bool:
    """Whether a class is a dictionary, and no sparse array that is made with one."""
    return issubclass(kind, dict) and kind.__getitem__ is dict.__getitem__


def _dictionary(x: Any, kind: Any, call: Call) -> Any:
    changed = {key: to_program(value, call) for key, value in x.items()}
    if all(changed[key] is x[key] for key in x) or (kind is not dict and not _is_scipys(kind)):
        return x
    if kind is dict:
        return changed
    made = kind.__new__(kind)  # an OptimizeResult, whose values are its attributes
    dict.update(made, changed)
    vars(made).update({key: to_program(value, call) for key, value in vars(x).items()})
    return made


def _each(values: Iterator[Any], call: Call) -> Iterator[Any]:
    for value in values:
        yield to_program(value, call)


def _is_scipys(x: Any) -> bool:
    return str(getattr(x, "__module__", "")).partition(".")[0] == "scipy"


def _as_it_is(x: Any, device: torch.device | None) -> Any:
    return x


present: Callable[[Any, torch.device | None], Any] = _as_it_is
"""What becomes of objects, functions and classes of SciPy's; ``_objects`` sets it."""
