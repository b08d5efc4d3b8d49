"""The rewritten tests call this module, in their own process, instead of importing NumPy.

A path such as `numpy._core.umath` and a name are looked up in the namespace under test, first under
NumPy's path. A private module of NumPy that the namespace lacks is replaced by the public one: if
`numpy._core.umath.add` is the same object as `numpy.add`, the result is the namespace's `add`.

While a file is imported, a name that is missing becomes a `Placeholder`, so that a list of
parameters that mentions it can be made. While tests run, it is an AttributeError.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .._namespace import load
from . import _testing
from ._rewrite import BRIDGE, rewrite

_NOTHING = object()
_MODULE = "conformance_numpy_suite"
# The modules with NumPy's public names, the most general first.
_PUBLIC = (
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "numpy.random",
    "numpy.polynomial",
    "numpy.polynomial.polynomial",
    "numpy.polynomial.polyutils",
    "numpy.lib.stride_tricks",
    "numpy.lib.array_utils",
    "numpy.lib",
    "numpy.exceptions",
    "numpy.dtypes",
)
# Helpers of NumPy's tests that compute nothing: use NumPy's own.
_WHOLE = (
    "numpy.testing",
    "numpy.testing._private.utils",
    "numpy.ma.testutils",
    "hypothesis.extra.numpy",
)
_DEFAULT_ERRORS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
_OWN = ("numpy._utils", "numpy.version", "numpy.testing.overrides", "numpy._pytesttester")


class Placeholder:
    """Stands for a name that is missing, and raises when it is used."""

    def __init__(self, name: str, error: BaseException | None = None) -> None:
        self._name, self._error = name, error

    def _raise(self, *_: object, **__: object) -> Any:
        raise NotImplementedError(self._story()) from self._error

    def _story(self) -> str:
        if self._error is None:
            return f"{self._name} is missing"
        return f"{self._name} could not be made: {type(self._error).__name__}: {self._error}"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            # Attributes that Python and pytest read from any object; it lacks them.
            raise AttributeError(name)
        raise AttributeError(self._story())

    def __repr__(self) -> str:
        return f"<{self._story()}>"

    __call__ = __iter__ = __getitem__ = __len__ = __enter__ = __mro_entries__ = _raise
    __contains__ = __array__ = _raise


_MISSING = Placeholder("nothing")


class Namespace(types.ModuleType):
    """A module of NumPy by its name, with the attributes of the namespace under test."""

    __slots__ = ("_bridge", "_path")
    _bridge: Bridge
    _path: str

    def __init__(self, path: str, bridge: Bridge) -> None:
        super().__init__(path)
        object.__setattr__(self, "_path", path)
        object.__setattr__(self, "_bridge", bridge)

    def __getattr__(self, name: str) -> Any:
        return self._bridge.attribute(self._path, name)

    def __setattr__(self, name: str, value: object) -> None:
        if "._" in self._path and not self._bridge.has(self._path):
            return  # a private setting of NumPy; the namespace does not read it
        setattr(self._bridge.owner(self._path), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._bridge.owner(self._path), name)

    def __dir__(self) -> list[str]:
        return list(self._bridge.contents(self._path))

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        return self._bridge.contents(self._path)


class Bridge:
    """The namespace under test, as NumPy's tests see it."""

    def __init__(self, module: str) -> None:
        self.name = module
        self.root = Path(str(importlib.import_module("numpy").__file__)).parent
        self.target = load(module)
        self.collecting = False
        self._prefixes = (f"{module}.", "numpy.")
        self._modules: dict[str, types.ModuleType] = {}
        self._testing = _testing.adapter(self.target)

    def module(self, path: str) -> types.ModuleType:
        """The result of `import path`."""
        if path in self._modules:
            return self._modules[path]
        made: types.ModuleType
        if path.startswith(_OWN):
            made = importlib.import_module(path)
        elif path.startswith("numpy.testing"):
            made = self._testing
        elif path == "numpy.ma.testutils":
            made = _testing.masked(self.target)
        elif path == "hypothesis.extra.numpy":
            made = _testing.strategies(self.target)
        elif ".tests." in path:
            made = self.load(self.root.joinpath(*path.split(".")[1:]).with_suffix(".py"))
        else:
            made = Namespace(path, self)
        self._modules[path] = made
        return made

    def attribute(self, path: str, name: str) -> Any:
        """The result of `from path import name`, and of `name` on that module."""
        whole = f"{path}.{name}"
        if whole in self._modules or whole in _WHOLE:
            return self.module(whole)
        if path in _WHOLE or path.startswith(_OWN) or ".tests." in path:
            return getattr(self.module(path), name)
        found = self._find(path, name)
        if isinstance(found, types.ModuleType) and f"{found.__name__}.".startswith(self._prefixes):
            return self.module(whole)
        if found is not _NOTHING:
            return found
        if (self.collecting or "._" in whole) and isinstance(_real(whole), types.ModuleType):
            # A private module has no counterpart, but its names may have one.
            return self.module(whole)
        if self.collecting:
            return Placeholder(f"{self.name}{whole.removeprefix('numpy')}")
        if (owner := self._resolve(path)) is not _NOTHING:
            return getattr(owner, name)  # its own AttributeError
        inner = path.removeprefix("numpy")
        raise AttributeError(f"module '{self.name}{inner}' has no attribute '{name}'")

    def _find(self, path: str, name: str) -> Any:
        found = getattr(self._resolve(path), name, _NOTHING)
        if found is not _NOTHING:
            return found
        if (owner := _public_owner(path, name)) is not None:
            found = getattr(self._resolve(owner), name, _NOTHING)
        if found is _NOTHING and path == "numpy.exceptions":
            return getattr(self.target, name, _NOTHING)
        if found is _NOTHING and "._" in path:
            real = _real(f"{path}.{name}")
            if isinstance(real, int | float | str):
                return real  # a private constant of NumPy
            if isinstance(real, dict | list):
                return self._translated(real)
        return found

    def _translated(self, value: object) -> Any:
        """The private table `sctypes`, limited to types that the namespace has arrays of."""
        if isinstance(value, dict):
            found = {key: self._translated(inner) for key, inner in value.items()}
            return {key: inner for key, inner in found.items() if inner is not _NOTHING} or _NOTHING
        if isinstance(value, list):
            kept = [v for v in map(self._translated, value) if v is not _NOTHING]
            return kept or _NOTHING
        if not isinstance(value, type) or not _testing.stores(self.target, value):
            return _NOTHING
        return getattr(self.target, value.__name__, _NOTHING)

    @functools.cache  # noqa: B019 - there is one bridge in a process
    def _resolve(self, path: str) -> Any:
        """The corresponding module of the namespace under test, or nothing."""
        found = self.target
        reached = self.name
        for part in path.split(".")[1:]:
            reached = f"{reached}.{part}"
            inner = getattr(found, part, _NOTHING)
            if inner is _NOTHING:
                try:
                    inner = importlib.import_module(reached)
                except ImportError:
                    return _NOTHING
            found = inner
        return found

    def has(self, path: str) -> bool:
        """Whether a module of the namespace corresponds to NumPy's."""
        return self._resolve(path) is not _NOTHING

    def owner(self, path: str) -> Any:
        """The module to set an attribute on. Raises AttributeError if it does not exist."""
        found = self._resolve(path)
        if found is _NOTHING:
            raise AttributeError(f"{self.name} has nothing for {path}")
        return found

    def contents(self, path: str) -> dict[str, Any]:
        """The names of a module, those of a private module of NumPy that have a counterpart."""
        owner = self._resolve(path)
        if owner is not _NOTHING:
            return dict(vars(owner))
        names = vars(_real(path)) if _real(path) is not _NOTHING else {}
        found = {name: self._find(path, name) for name in names if not name.startswith("__")}
        return {name: value for name, value in found.items() if value is not _NOTHING}

    def itself(self, value: object) -> Any:
        """The real module, for comparisons by identity."""
        return self.owner(value._path) if isinstance(value, Namespace) else value

    def held(self, value: Any) -> Any:
        """Wrap a function for a class body, so that it does not become a method, as in NumPy."""
        own = isinstance(value, types.FunctionType) and _real(f"numpy.{value.__name__}")
        return staticmethod(value) if isinstance(own, types.BuiltinFunctionType) else value

    def warning(self) -> contextlib.AbstractContextManager[None]:
        """A context with warnings for floating-point errors, as NumPy's default."""
        errstate = getattr(self.target, "errstate", None)
        return contextlib.nullcontext() if errstate is None else errstate(**_DEFAULT_ERRORS)

    def load(self, path: Path) -> types.ModuleType:
        """The module of a rewritten test file."""
        # Private, but as old as pytest: without it a failed `assert` does not show its values.
        import ast

        from _pytest.assertion.rewrite import rewrite_asserts

        name = f"{_MODULE}_{path.parts[-3]}_{path.stem}"
        if name in sys.modules:
            return sys.modules[name]
        source = path.read_bytes()
        tree = rewrite(ast.parse(source, str(path)))
        rewrite_asserts(tree, source)
        made = types.ModuleType(name)
        made.__file__ = str(path)
        made.__dict__[BRIDGE] = self
        made.__dict__["hasattr"] = _has
        sys.modules[name] = made
        before, self.collecting = self.collecting, True
        try:
            exec(compile(tree, str(path), "exec", dont_inherit=True), made.__dict__)
        except BaseException:
            del sys.modules[name]
            raise
        finally:
            self.collecting = before
        return made

    def broken(self, name: str, error: Exception, kind: str = "") -> Any:
        """Replaces a function whose decorators or defaults failed."""
        if kind == "fixture":
            return pytest.fixture(name=name)(_raising(name, error))
        if name.startswith("test"):
            return _raising(name, error)
        return Placeholder(name, error)

    def broken_class(self, name: str, error: Exception, tests: str) -> Any:
        """Replaces a class that could not be made; its tests fail."""
        if not name.startswith("Test"):
            return Placeholder(name, error)
        return type(name, (), {test: _raising(test, error) for test in tests.split()})

    def missing(self, name: str, error: Exception) -> Placeholder:
        """Replaces the result of a failed statement."""
        return Placeholder(name, error)


def _raising(name: str, error: BaseException) -> Callable[..., None]:
    def broken(*_: object) -> None:
        raise error

    broken.__name__ = broken.__qualname__ = name
    return broken


def _has(value: object, name: str) -> bool:
    """`hasattr` that is false for placeholders."""
    return not isinstance(getattr(value, name, _MISSING), Placeholder)


@functools.cache
def _real(path: str) -> Any:
    """NumPy's own object of that path, or nothing."""
    owner, _, name = path.rpartition(".")
    try:
        if not owner:
            return importlib.import_module(name)
        found = getattr(_real(owner), name, _NOTHING)
        return importlib.import_module(path) if found is _NOTHING else found
    except ImportError:
        return _NOTHING


@functools.cache
def _public_owner(path: str, name: str) -> str | None:
    """The public module of NumPy in which a name of another module is the same object."""
    meant = _real(f"{path}.{name}")
    if meant is _NOTHING:
        return None
    for owner in _PUBLIC:
        if owner != path and getattr(_real(owner), name, _NOTHING) is meant:
            return owner
    return None
