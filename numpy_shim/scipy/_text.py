"""SciPy's own Python text, executed with this library in the place of NumPy and of SciPy.

A chapter (``_fft``, ``_signal``) executes modules of the installed SciPy in a package of its own.
There the text finds our functions for NumPy's, our modules for SciPy's, and kernels in torch for
what SciPy has compiled. ``scipy._lib._array_api`` asks an array for its namespace: it is ours.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial, wraps
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import torch

from .._array.ndarray import ndarray
from .._convert.from_data import asarray
from .._convert.requirements import asarray_chkfinite
from .._functions.clipping import clip
from .._host.frames import pass_over
from .._numpys import executed, import_for_text
from .._numpys.names import on_its_device
from ._standing import OnTheHostError

PACKAGE = __name__.rpartition(".")[0]

_LIB = "scipy._lib"
_EXTERNAL = "scipy._external" if importlib.util.find_spec("scipy._external") else _LIB
"""Where SciPy keeps other libraries: from 1.18 on beside its own."""
_EXTRA = f"{_EXTERNAL}.array_api_extra"
_OF_ELEMENTS = "scipy._lib._elementwise_iterative_method"
_OF_NAMESPACES = "scipy._lib._array_api"
_OF_ARRAYS = "scipy._lib._util"


def execute(chapter: str, source: str, name: str = "") -> ModuleType:
    """SciPy's module ``source`` as a module of our package ``chapter``, under its last name.

    >>> from numpy_shim.scipy import _text
    >>> _text.execute("numpy_shim.scipy._text", "scipy.fft._fftlog_multimethods").__name__
    'numpy_shim.scipy._text._fftlog_multimethods'
    """
    name = f"{chapter}.{name or source.rpartition('.')[2]}"
    spec = importlib.util.find_spec(source)
    is_package = spec is not None and spec.submodule_search_locations is not None
    with torch.device("cpu"):  # what it computes at once is of the host
        module = executed(source, name, name if is_package else chapter, _import)
    for key, value in list(vars(module).items()):  # a program knows SciPy's errors, and results
        if isinstance(value, type) and issubclass(value, (Exception, dict)):
            vars(module)[key] = getattr(importlib.import_module(source), key, value)
    setattr(sys.modules[chapter], name.rpartition(".")[2], module)
    return module


def public(modules: Iterable[ModuleType], names: Iterable[str]) -> dict[str, Any]:
    """By name, the functions of executed modules that are public in SciPy, each on its device."""
    found: dict[str, Any] = {}
    for module in modules:
        for name in set(names).intersection(vars(module)) - found.keys():
            value = vars(module)[name]
            if isinstance(value, (FunctionType, partial)):
                found[name] = on_its_device(value)
    return found


def functions(chapter: str, on_the_host: dict[str, str], room: str = "") -> dict[str, Any]:
    """By name, the public functions of a chapter, or of a room in it, each on its device.

    They are those of SciPy's that are written in Python; their modules are executed in the package
    ``chapter``. Of modules that the chapter lists in ``SCIPYS`` with a reason the functions are
    added to ``on_the_host``, which names what is computed on the host.
    """
    theirs = importlib.import_module(_scipys(chapter) + room)
    found: dict[str, Any] = {}
    for name in theirs.__all__:
        function = getattr(theirs, name)
        if not isinstance(function, FunctionType) or name in on_the_host:
            continue
        why = _why_scipys(chapter, function.__module__.removeprefix(f"{_scipys(chapter)}."))
        if why is not None:
            on_the_host[name] = why
        else:
            found[name] = on_its_device(getattr(_provided(function.__module__), name))
    return found


def leaving(function: Callable[..., Any], why: Callable[[dict[str, Any]], str]) -> Any:
    """A function that leaves a call to SciPy, before it has done anything, for a reason.

    ``why`` gives the reason for arguments by their names; empty where the function runs here.
    """
    signature = inspect.signature(function)

    @wraps(function)
    @pass_over
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError:  # the function has its own words for it
            given = {}
        reason = why(given) if given else ""
        if reason:
            raise OnTheHostError(reason)
        return function(*args, **kwargs)

    return call


def classes(chapter: str, names: Iterable[str]) -> dict[str, Any]:
    """By name, classes of a chapter whose objects hold and compute with arrays where they are.

    Their methods make arrays on the device of those that the object has, or is given. They are
    instances of SciPy's classes for ``isinstance`` in a program.
    """
    theirs = importlib.import_module(_scipys(chapter))
    found: dict[str, Any] = {}
    for name in names:
        real = getattr(theirs, name)
        made = found[name] = getattr(_provided(real.__module__), name)
        for base in made.__mro__[:-1]:
            if base.__module__.startswith(f"{chapter}.") and "_placed" not in vars(base):
                place_methods(base)
        made._stands_for = real
    return found


def place_methods(cls: Any) -> None:
    """Let the methods of a class make arrays where those are that its object has, or gets."""
    for name, method in list(vars(cls).items()):
        is_called = name[:2] != "__" or name in ("__init__", "__call__")
        if isinstance(method, FunctionType) and is_called:
            setattr(cls, name, _placed(method))
    cls._placed = True


def read_parts(x: Any) -> dict[str, Any]:
    """What an object holds, by name, in its dictionary and in its slots."""
    slots = [name for base in type(x).__mro__ for name in vars(base).get("__slots__", ())]
    found = {name: getattr(x, name) for name in slots if hasattr(x, name)}
    return found | getattr(x, "__dict__", {})


def _read_values(x: Any) -> list[Any]:
    """What an object of a chapter holds, and what such objects in it hold."""
    found = []
    for value in read_parts(x).values():
        is_chapters = type(value).__module__.startswith(PACKAGE)
        found += _read_values(value) if is_chapters else [value]
    return found


def _placed(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    @pass_over
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        among = (*args, *kwargs.values(), *_read_values(self))
        return on_its_device(lambda *_: method(self, *args, **kwargs))(*among)

    return call


def _import(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> Any:
    """``__import__`` for SciPy's text."""
    if level:
        return _relative(name, globals["__package__"], fromlist, level)
    if name.partition(".")[0] != "scipy":
        return import_for_text(name, globals, locals, fromlist, level)
    if not fromlist:  # as in ``import scipy.fft as fft_lib``, which reads attributes then
        return _Top()
    rooms = _rooms(name)
    return rooms[0] if len(rooms) == 1 else _Found(name, *rooms)


def _relative(name: str, package: str, fromlist: Any, level: int) -> Any:
    """What ``from .name import …`` gives: of the same chapter, its modules as they run here."""
    base = (package if package == _LIB else _scipys(package)).split(".")
    whole = ".".join([*base[: len(base) - level + 1], *([name] if name else [])])
    if package == _LIB or whole.partition(".")[2].partition(".")[0] != base[1]:
        return _import(whole, fromlist=fromlist)
    found = _provided(whole)
    modules = {item: _provided(f"{whole}.{item}") for item in fromlist if not hasattr(found, item)}
    values = {item: module or _value(whole, item) for item, module in modules.items()}
    return _Found(whole, SimpleNamespace(**{k: v for k, v in values.items() if v}), found)


def _value(package: str, name: str) -> Any:
    """What a package of SciPy's has under a name, from the module as it runs here."""
    module = getattr(getattr(importlib.import_module(package), name, None), "__module__", package)
    return None if module == package else getattr(_provided(module), name)


def _scipys(name: str) -> str:
    """SciPy's name of a module of a chapter.

    >>> from numpy_shim.scipy._text import _scipys
    >>> _scipys("numpy_shim.scipy._integrate._ivp")
    'scipy.integrate._ivp'
    """
    return "scipy." + name.removeprefix(f"{PACKAGE}._")


def _provided(name: str) -> Any:
    """Our module for one of SciPy's in a chapter of ours, made when it is first asked for.

    It is a file of the chapter, or executed, or SciPy's own: what is compiled, and what the chapter
    lists in ``SCIPYS``. ``None`` if SciPy has no such module.
    """
    _, chapter, *rest = name.split(".")
    package = f"{PACKAGE}._{chapter}"
    ours = ".".join([package, *rest])
    if ours in sys.modules:
        return sys.modules[ours]
    if len(rest) == 1 and importlib.util.find_spec(ours) is not None:
        return importlib.import_module(ours)
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # what has it is no package
        return None
    if found is None or found.origin is None:
        return None
    parent = ours.rpartition(".")[0]
    if len(rest) > 1:
        _provided(name.rpartition(".")[0])
        if ours in sys.modules:  # the package has imported it
            return sys.modules[ours]
    if _why_scipys(package, ".".join(rest)) is None and found.origin.endswith(".py"):
        return execute(parent, name)
    module = sys.modules[ours] = importlib.import_module(name)
    setattr(sys.modules[parent], rest[-1], module)
    return module


def _why_scipys(chapter: str, module: str) -> str | None:
    """Why a module, or a package that it is in, is SciPy's own in a chapter; ``None`` if not."""
    scipys: dict[str, str] = vars(sys.modules[chapter]).get("SCIPYS", {})
    while module and module not in scipys:
        module = module.rpartition(".")[0]
    return scipys.get(module)


def _rooms(name: str) -> list[Any]:
    """Where SciPy's text finds the names of a module: ours first."""
    if name == "scipy":
        return [_Top()]
    if name == _OF_NAMESPACES:
        return [_namespaces()]
    if name == f"{_OF_NAMESPACES}_override":
        return [SimpleNamespace(array_namespace=_our_namespace), importlib.import_module(name)]
    if name == f"{_EXTERNAL}.array_api_compat":
        asked = {"numpy": sys.modules["numpy_shim"], "is_numpy_namespace": _is_ours}
        return [SimpleNamespace(**asked), importlib.import_module(name)]
    if name == _OF_ARRAYS:
        return [of_arrays(), importlib.import_module(name)]
    if name == _OF_ELEMENTS:
        return [_of_elements()]
    if name == _EXTRA:
        return [SimpleNamespace(lazy_apply=_applied), *_extra(), importlib.import_module(name)]
    if name in (_LIB, _EXTERNAL):
        return [_Top(name)]
    if name.startswith((_LIB, _EXTERNAL)):
        return [importlib.import_module(name)]
    _, chapter, *rest = name.split(".")
    ours = ".".join([PACKAGE, f"_{chapter}", *rest])
    if chapter == "sparse" or name == "scipy.linalg.lapack":
        importlib.import_module(f"{PACKAGE}._{chapter}")
    is_provided = chapter != "sparse" or rest[:1] in (["linalg"], ["_sputils"])  # matrices: SciPy's
    is_private = any(part.startswith("_") for part in rest)
    if is_provided and is_private and f"{PACKAGE}._{chapter}" in sys.modules:
        return [_provided(name)]
    if ours in sys.modules and rest:
        return [sys.modules[ours]]
    theirs = importlib.import_module(".".join([PACKAGE, chapter, *rest]))
    return [_Private(sys.modules[ours]), theirs] if ours in sys.modules else [theirs]


def _our_namespace(*arrays: Any, sparse_ok: bool = False) -> ModuleType:
    return NAMESPACE


def _is_ours(xp: Any) -> bool:
    return xp is NAMESPACE or xp is sys.modules["numpy_shim"]


def _clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    """``clip`` as the array API standard has it: both limits may be left out."""
    return clip(x, min, max)


def standing_in(**others: Any) -> ModuleType:
    """Our namespace with other functions under some names."""
    made, ours = ModuleType(f"{PACKAGE}.standing_in"), vars(sys.modules["numpy_shim"])
    vars(made).update({name: ours[name] for name in ours if name not in vars(made)}, **others)
    return made


NAMESPACE = standing_in(clip=_clip)
"""Our namespace with the standard's signatures, where NumPy's are other ones."""


@cache
def _namespaces() -> ModuleType:
    """``scipy._lib._array_api``, whose arrays are all of our namespace."""
    name = f"{PACKAGE}._array_api"
    return executed(_OF_NAMESPACES, name, PACKAGE, _import)


def _applied(
    function: Callable[..., Any], *args: Any, shape: Any = None, dtype: Any = None,
    as_numpy: bool = False, xp: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """``array_api_extra.lazy_apply``: our arrays need not be brought to the host."""
    return function(*args, **kwargs)


@cache
def _extra() -> list[ModuleType]:
    """The modules of ``array_api_extra`` that ask an array for its namespace, which is ours."""
    made: list[ModuleType] = []
    for source in ("_lib._at", "_lib._funcs", "_delegation"):
        package = f"{_EXTRA}.{source}".rpartition(".")[0]
        module = executed(f"{_EXTRA}.{source}", f"{PACKAGE}.{source.rpartition('.')[2]}", package)
        vars(module).update({other.__name__.rpartition(".")[2]: other for other in made})
        made.append(module)
    at, *others = made
    vars(at).update(is_writeable_array=_is_writeable)
    for module in made:
        vars(module).update(array_namespace=_our_namespace)
    for module in others:
        vars(module).update(at=vars(at)["at"])
    return made[::-1]


def _is_writeable(x: Any) -> bool:
    return isinstance(x, ndarray) and x.flags.writeable


@cache
def of_arrays() -> Any:
    """What ``scipy._lib._util`` has for arrays, of our namespace; the rest is SciPy's."""
    made = executed(_OF_ARRAYS, f"{PACKAGE}._util", PACKAGE, _import)
    found = {name: getattr(made, name) for name in _COMPUTING if hasattr(made, name)}
    found["_asarray_validated"] = _checked(made._asarray_validated)
    return SimpleNamespace(**found)


_COMPUTING = (
    "_apply_over_batch", "_argmin", "_contains_nan", "_get_nan", "_lazyselect", "np_vecdot",
)  # fmt: skip


@cache
def _of_elements() -> ModuleType:
    """The loop of SciPy's iterations that go on for each element."""
    return executed(_OF_ELEMENTS, f"{PACKAGE}._elementwise_iterative_method", _LIB, _import)


def _checked(text: Callable[..., Any]) -> Callable[..., Any]:
    """``_asarray_validated``, which asks no array of ours whether it is sparse, or masked.

    These questions would end a graph.
    """

    @wraps(text)
    def _asarray_validated(a: Any, check_finite: bool = True, *args: Any, **kwargs: Any) -> Any:
        if type(a) is not ndarray or args or kwargs.keys() - {"as_inexact"}:
            return text(a, check_finite, *args, **kwargs)
        if kwargs.get("as_inexact") and a.dtype.kind not in "fc":
            a = asarray(a, dtype="float64")
        return asarray_chkfinite(a) if check_finite else a

    return _asarray_validated


class _Found:
    """What ``from module import name`` finds: the name in the first room that has it."""

    def __init__(self, name: str, *rooms: Any) -> None:
        self.__name__, self._rooms = name, rooms

    def __getattr__(self, name: str) -> Any:
        for room in self._rooms:
            try:
                return getattr(room, name)
            except AttributeError:
                continue
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


class _Private:
    """The private modules of a chapter of ours, and what it has for the text of the others."""

    def __init__(self, chapter: ModuleType) -> None:
        self._chapter = chapter

    def __getattr__(self, name: str) -> Any:
        inside = vars(self._chapter).get("INSIDE", {})
        if name in inside:
            return inside[name]
        if name.startswith("_") and not name.startswith("__"):
            _provided(f"{_scipys(self._chapter.__name__)}.{name}")
        found = vars(self._chapter).get(name)
        if not (name.startswith("_") and isinstance(found, ModuleType)):
            raise AttributeError(name)
        return found


class _Top:
    """What ``import scipy.x`` gives: a module for each of SciPy's, when it is read."""

    def __init__(self, name: str = "scipy") -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # no module
            raise AttributeError(name)
        whole = f"{self._name}.{name}"
        if whole in (_LIB, _EXTERNAL):
            return _Top(whole)
        return _import(whole, fromlist=("*",))
