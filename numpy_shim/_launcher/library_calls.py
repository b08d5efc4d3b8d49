"""Calls matplotlib, scikit-learn, scikit-image and Pillow with NumPy's arrays, and gives ours back.

A library that gets one of our arrays asks for NumPy's again and again (a surface of 60 x 60 did so
1,343 times), or takes our class for one of NumPy's: ``numpy.empty(n).view(type(x))``. So in a
launched program the public functions and methods of these libraries put each array on the host once
in a call. On the CPU that is the same memory. The arrays that they return are ours, on the device
of the arguments; where no argument is ours, the call and its result are the library's own. An
object of scikit-learn's that was given arrays of ours returns arrays of ours (``fitted``).
"""

from __future__ import annotations

import os
import pkgutil
import sys
import threading
from collections.abc import Iterator
from functools import partial, wraps
from types import FrameType, FunctionType, ModuleType
from typing import Any

import numpy
import torch
from torch.compiler import is_dynamo_compiling

from xp_torch._torch.patches import when_imported

from .._array.ndarray import AnyArray, ndarray
from .._host import crossings, exchange
from .._host.frames import pass_over
from . import fitted
from .fitted import is_scikit_learns

_MATPLOTLIB = (
    "animation", "axes", "cm", "collections", "colors", "contour", "figure", "image", "lines",
    "mlab", "patches", "path", "pyplot", "quiver", "table", "tri", "widgets",
)  # fmt: skip
_TOOLKITS = ("axes_grid1", "axisartist", "mplot3d", "mplot3d.art3d", "mplot3d.axes3d")

_LEARNING = (
    "feature_extraction.image", "feature_extraction.text", "gaussian_process.kernels",
    "metrics.cluster", "metrics.pairwise",
)  # fmt: skip
"""Public modules of scikit-learn's whose names are in no other one."""

_IMAGES = (
    "color", "draw", "exposure", "feature", "filters", "filters.rank", "graph", "io", "measure",
    "metrics", "morphology", "registration", "restoration", "segmentation", "transform", "util",
)  # fmt: skip

_LIBRARIES = frozenset({"matplotlib", "mpl_toolkits", "PIL", "skimage", "sklearn"})

_CALLED = frozenset({"__init__", "__call__"})
_OF_FITTED = _CALLED | {"__getitem__", "__getstate__"}
"""Of scikit-learn's objects also the steps of a pipeline, and pickles."""

_PLAIN = frozenset({type(None), bool, int, float, str, numpy.ndarray, numpy.float64})
"""Types of arguments that are, and hold, nothing of ours."""


def install() -> None:
    """Change the libraries' functions when they are imported."""
    for name in _MATPLOTLIB:
        when_imported(f"matplotlib.{name}", _change)
    for name in _TOOLKITS:
        when_imported(f"mpl_toolkits.{name}", _change)
    when_imported("PIL.Image", _change)
    when_imported("sklearn", _when_parts_are_imported)
    when_imported("joblib.hashing", _change_hashes)
    when_imported("sklearn.neighbors._base", _change_weights)
    for name in _IMAGES:
        when_imported(f"skimage.{name}", _when_files_are_imported)


def _when_parts_are_imported(sklearn: ModuleType) -> None:
    for name in getattr(sklearn, "__all__", ()):
        when_imported(f"sklearn.{name}", _change)
    for name in _LEARNING:
        when_imported(f"sklearn.{name}", _change_own)


def _change_hashes(hashing: ModuleType) -> None:
    """Let ``joblib.Memory`` tell calls with our arrays apart as those with NumPy's: by values."""
    hasher = getattr(hashing, "NumpyHasher", None)
    if hasher is None:  # a later release of joblib
        return
    theirs = hasher.save

    @wraps(theirs)
    def save(self: object, obj: object) -> None:
        theirs(self, exchange.to_host(obj, "joblib.hash") if isinstance(obj, AnyArray) else obj)

    hasher.save = save


def _change_weights(base: ModuleType) -> None:
    """Put the weights that a function of the program gives on the host, where Cython reads them.

    All other results of the program's functions scikit-learn converts itself.
    """
    theirs = getattr(base, "_get_weights", None)
    if theirs is None:  # a later release of scikit-learn
        return

    @wraps(theirs)
    def weights(*args: object, **kwargs: object) -> Any:
        return exchange.to_host(theirs(*args, **kwargs), "sklearn.neighbors, weights()")

    base._get_weights = weights  # type: ignore[attr-defined]


def _change_own(module: ModuleType) -> None:
    """Change what a module defines, and not the helpers that it imports."""
    _change(module, module.__name__)


def _when_files_are_imported(package: ModuleType) -> None:
    """Change what each file of a package defines: it imports them when it is asked for a name."""
    _change(package)
    for file in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        when_imported(file.name, _change_own)


def _change(module: ModuleType, where: str = "") -> None:
    """Change the public functions and classes of a module, wherever in the library they are from.

    A function is changed in its own module, too, where ``pickle`` looks for it.
    """
    named = None if where else getattr(module, "__all__", None)
    for name in list(named or vars(module)):
        value = vars(module).get(name)
        home = getattr(value, "__module__", None)
        if name.startswith("_") or not isinstance(home, str) or not _is_librarys(home):
            continue
        if where and home != where:
            continue
        if isinstance(value, type):
            for base in value.__mro__:
                if _is_librarys(base.__module__):
                    _change_class(base)
        elif isinstance(value, FunctionType) and not _is_changed(value):
            changed = _on_the_host(value, is_method=False)
            for place in {id(m): m for m in (module, sys.modules[home])}.values():
                if vars(place).get(name) is value:
                    setattr(place, name, changed)


def _is_librarys(module: str) -> bool:
    return module.partition(".")[0] in _LIBRARIES


_IMMUTABLE = 1 << 8
"""Set in a class's ``__flags__`` where nothing may be set, as in Cython's."""


def _change_class(cls: type) -> None:
    if cls.__flags__ & _IMMUTABLE:
        return
    learns = is_scikit_learns(cls.__module__) and not issubclass(cls, dict)
    for name, value in list(vars(cls).items()):
        if learns and type(value) is property and not name.startswith("_"):
            setattr(cls, name, fitted.reading(value))
        if name.startswith("_") and name not in (_OF_FITTED if learns else _CALLED):
            continue
        if isinstance(value, (classmethod, staticmethod)):
            if isinstance(value.__func__, FunctionType) and not _is_changed(value.__func__):
                is_method = isinstance(value, classmethod)
                setattr(cls, name, type(value)(_on_the_host(value.__func__, is_method)))
        elif isinstance(value, FunctionType):
            if not _is_changed(value):
                setattr(cls, name, _on_the_host(value, is_method=True))
        elif type(value).__name__ == "_AvailableIfDescriptor" and not _is_changed(value.fn):
            value.fn = _on_the_host(value.fn, is_method=True)


def _is_changed(function: object) -> bool:
    return hasattr(function, _MARK)


_MARK = "_takes_arrays_of_numpy_shim"


def _on_the_host(theirs: Any, is_method: bool) -> Any:
    """A library's function that gets NumPy's arrays, and whose results are ours."""
    first = int(is_method)
    has_object = is_method and is_scikit_learns(theirs.__module__)

    def call(*args: Any, **kwargs: Any) -> Any:
        if not _hold_ours(args, kwargs, first):
            if has_object and args and (within.device or fitted.device_of(args[0])):
                return _of_fitted(theirs, args, kwargs, sys._getframe(1))
            return theirs(*args, **kwargs)
        if is_dynamo_compiling() or _dispatches(theirs):
            return theirs(*args, **kwargs)
        return _call(theirs, args[:first], args[first:], kwargs)

    called: Any = pass_over(wraps(theirs)(call))
    setattr(called, _MARK, True)
    # matplotlib reads keyword defaults, and the name of a method's first argument, from functions.
    called.__kwdefaults__ = theirs.__kwdefaults__
    code, own = called.__code__, theirs.__code__
    name = own.co_varnames[1] if own.co_argcount > 1 else "args"
    if name not in (*code.co_varnames, *code.co_freevars):
        called.__code__ = code.replace(co_varnames=(code.co_varnames[0], name))
    return called


class _Within(threading.local):
    """The device of the arrays in the call that the program made, while scikit-learn runs it."""

    device: torch.device | None = None


within = _Within()


@pass_over
def _call(theirs: Any, owner: tuple[object, ...], args: tuple[object, ...], kwargs: Any) -> Any:
    """Call a library's function with NumPy's arrays for ours; ``owner`` holds a method's object."""
    name = _name(theirs, owner)
    device = exchange.device_of((args, kwargs))
    if device is not None and device.type != "cpu" and _fits_there(theirs, owner):
        try:
            with sys.modules["sklearn"].config_context(array_api_dispatch=True):
                args_there, kwargs_there = exchange.back((args, kwargs), device, name)
                result = theirs(*owner, *args_there, **kwargs_there)
                fitted.remember(owner[0], device)
                return fitted.presented(result, device, name)
        except Exception as error:  # the call on the host has scikit-learn's own words for it
            crossings.explain(name, error)
    if device is not None and theirs.__module__.startswith("skimage."):  # it may write to them
        return exchange.call(partial(theirs, *owner), args, kwargs, device, name)
    args, kwargs = exchange.to_host(args, name), exchange.to_host(kwargs, name)
    if device is None:
        return theirs(*owner, *args, **kwargs)
    if not is_scikit_learns(theirs.__module__):
        return exchange.back(theirs(*owner, *args, **kwargs), device, name)
    if owner:
        fitted.to_object(owner[0])
    outer, within.device = within.device, device
    try:
        result = theirs(*owner, *args, **kwargs)
    finally:
        within.device = outer
    if owner:
        fitted.remember(owner[0], device)
    return fitted.presented(result, device, name)


@pass_over
def _of_fitted(theirs: Any, args: tuple[object, ...], kwargs: Any, frame: FrameType) -> Any:
    """Call a method without arrays of ours, of an object that has or gets such arrays otherwise."""
    owner, fits = args[0], theirs.__name__ in _FITS
    device = fitted.device_of(owner)
    if device is not None:
        fitted.to_object(owner)
    result = theirs(*args, **kwargs)
    if theirs.__name__ == "__getstate__":
        return result
    if not crossings.is_programs(frame):
        if fits and within.device is not None:
            fitted.remember(owner, within.device)
        return result
    if device is None:
        return result
    if fits and theirs.__name__ != "partial_fit":
        fitted.forget(owner)
        return result
    return fitted.presented(result, device, _name(theirs, args[:1]))


_FITS = frozenset({"fit", "fit_transform", "fit_predict", "partial_fit"})


def _dispatches(theirs: object) -> bool:
    """Whether the program lets scikit-learn compute with the arrays that it gets."""
    if not is_scikit_learns(theirs.__module__):
        return False
    return bool(sys.modules["sklearn"].get_config().get("array_api_dispatch"))


def _fits_there(theirs: Any, owner: tuple[object, ...]) -> bool:
    """Whether a method of scikit-learn's estimator may compute with our arrays on their device.

    The estimator says so by its tag, the user by ``SCIPY_ARRAY_API``. What was fitted on the device
    predicts there; a random stream would go on twice if the host computed after all.
    """
    if not owner or os.environ.get("SCIPY_ARRAY_API") != "1":
        return False
    if not is_scikit_learns(theirs.__module__) or not hasattr(owner[0], "__sklearn_tags__"):
        return False
    if isinstance(getattr(owner[0], "random_state", None), numpy.random.RandomState):
        return False
    fits = theirs.__name__ in _FITS and theirs.__name__ != "partial_fit"
    if not fits and not any(isinstance(value, AnyArray) for value in vars(owner[0]).values()):
        return False
    return bool(sys.modules["sklearn.utils"].get_tags(owner[0]).array_api_support)


def _hold_ours(args: tuple[object, ...], kwargs: dict[str, object], first: int) -> bool:
    """Whether an argument is an array of ours, or holds one; the owner of a method is none."""
    for x in args[first:]:
        if type(x) not in _PLAIN and _holds_ours(x):
            return True
    return any(type(x) not in _PLAIN and _holds_ours(x) for x in kwargs.values())


def _holds_ours(x: Any) -> bool:
    """Whether an argument is an array of ours, or a list, tuple or dictionary with one."""
    kind = type(x)
    if kind is ndarray:
        return True
    if kind is dict:
        return any(_items_hold_ours(x.values()))
    if kind is list or kind is tuple:
        return any(_items_hold_ours(x))
    return isinstance(x, AnyArray)


def _items_hold_ours(items: Any) -> Iterator[bool]:
    for x in items:
        if type(x) not in _PLAIN:
            yield _holds_ours(x)


def _name(function: Any, owner: tuple[object, ...]) -> str:
    """The full name of a function, for the report; a method is the one of its object's class."""
    module, name = function.__module__, function.__qualname__
    if owner:
        cls = owner[0] if isinstance(owner[0], type) else type(owner[0])
        module, name = cls.__module__, f"{cls.__qualname__}.{function.__name__}"
    return crossings.public_name(module, name)
