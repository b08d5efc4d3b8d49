"""The pytest plug-in that puts a package in SciPy's place in SciPy's own test files.

Where a test file imports `scipy`, it gets the package; where it imports `numpy`, it gets the
package's parent. The fixture `xp` gives the parent, too. SciPy's helpers for tests, in
`scipy._lib`, stay SciPy's, and get NumPy's arrays.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any

import pytest

from .._namespace import load

IN_PLACE = "XP_TORCH_CONFORMANCE_IN_PLACE"
# Modules that test what a release has, or compute nothing on arrays.
OWN = ("scipy._lib", "scipy.conftest", "scipy._build_utils", "numpy.f2py", "numpy.lib.introspect")
HELPERS = ("scipy._lib._array_api", "scipy._lib._array_api_no_0d")


class Place:
    """The package in SciPy's place, as the test files see it."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.parent = module.rpartition(".")[0]
        self.package: Any = load(module)
        self.namespace: Any = load(self.parent)
        self.plain = builtins.__import__
        self.root = os.path.join(os.path.dirname(str(self.plain("scipy").__file__)), "")
        self.helpers = {name: _Helpers(self, name) for name in HELPERS}

    def install(self) -> None:
        """Answer the imports of test files, and let the namespace's arrays be read."""
        allow = getattr(self.namespace, "allow_implicit_host_copy", None)
        if allow is not None:
            allow(True)
        # The parameters of tests: those with dtypes that the namespace leaves to NumPy, too.
        self.namespace.typecodes = self.plain("numpy").typecodes
        builtins.__import__ = self.imported

    def imported(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """`__import__`, for test files with the packages in the places of SciPy and NumPy."""
        if level == 0 and name[:5] in ("scipy", "numpy") and self.is_test(globals):
            if name in HELPERS and fromlist:
                return self.helpers[name]
            own = self.name(name)
            if own is not None:
                try:
                    found = importlib.import_module(own)
                except ModuleNotFoundError:
                    return self.attribute(name, fromlist, globals, locals)
                for item in fromlist or ():
                    if item != "*" and not hasattr(found, item):
                        with contextlib.suppress(ModuleNotFoundError):
                            importlib.import_module(f"{own}.{item}")
                if fromlist:
                    return found
                top: ModuleType = self.package if name[:5] == "scipy" else self.namespace
                return top
        return self.plain(name, globals, locals, fromlist or (), level)

    def attribute(self, name: str, fromlist: Any, globals: Any, locals: Any) -> ModuleType:
        """A module that is an attribute of the namespace only; SciPy's or NumPy's own without."""
        value: Any = self.package if name[:5] == "scipy" else self.namespace
        for part in name.split(".")[1:]:
            value = getattr(value, part, None)
        if isinstance(value, ModuleType) and fromlist:
            return value
        return self.plain(name, globals, locals, fromlist or (), 0)

    def is_test(self, names: Mapping[str, object] | None) -> bool:
        """Whether the globals are those of one of SciPy's test files."""
        file = (names or {}).get("__file__")
        return (
            isinstance(file, str)
            and file.startswith(self.root)
            and f"{os.sep}tests{os.sep}" in file.removeprefix(self.root)
        )

    def made(self, function: object) -> bool:
        """Whether the package made a function for one of SciPy's."""
        module = str(getattr(function, "__globals__", {}).get("__name__", ""))
        return module.startswith(f"{self.parent}.") and hasattr(function, "__wrapped__")

    def name(self, name: str) -> str | None:
        """The name of the module in the place of one of SciPy's or NumPy's."""
        if name.startswith(OWN) or ".tests" in name:
            return None
        top, _, rest = name.partition(".")
        if top not in ("scipy", "numpy"):
            return None
        own = self.module if top == "scipy" else self.parent
        return f"{own}.{rest}" if rest else own


class _Helpers(ModuleType):
    """SciPy's helpers for tests: they get NumPy's arrays for those of the namespace."""

    def __init__(self, place: Place, name: str) -> None:
        super().__init__(name)
        self._place = place
        self._made: dict[str, Any] = {}
        self._numpys = importlib.import_module("scipy._lib.array_api_compat.numpy")

    def __getattr__(self, name: str) -> Any:
        value = getattr(importlib.import_module(self.__name__), name)
        if not callable(value) or isinstance(value, type):
            return value
        if name not in self._made:
            self._made[name] = self._wrapped(value)
        return self._made[name]

    def _wrapped(self, function: Any) -> Any:
        @functools.wraps(function)
        def called(*args: object, **kwargs: Any) -> Any:
            found = map(self._theirs, args)
            made = function(*found, **{k: self._theirs(v) for k, v in kwargs.items()})
            return self._place.namespace if made is self._numpys else made

        return called

    def _theirs(self, x: Any) -> Any:
        """An argument as SciPy's helper expects it."""
        numpy = self._numpys
        if x is self._place.namespace:
            return self._numpys
        if isinstance(x, (list, tuple)) and type(x) in (list, tuple):
            return type(x)(map(self._theirs, x))
        top = type(x).__module__.partition(".")[0]
        if top == self._place.parent and hasattr(x, "__array__"):
            return numpy.asarray(x)[()] if not isinstance(x, numpy.ndarray) else numpy.asarray(x)
        # The package's function for one of SciPy's, by which the helper has a table.
        while callable(x) and self._place.made(x):
            x = x.__wrapped__
        return x


class Plugin:
    """Gives the namespace as `xp`."""

    def __init__(self, place: Place) -> None:
        self.place = place

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: object) -> Iterator[None]:
        conftest: Any = sys.modules.get("scipy.conftest")
        if fixturedef.argname == "xp" and conftest is not None:
            conftest.array_namespace = lambda *_: self.place.namespace
        return (yield)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the namespace's functions in class bodies from becoming methods, as NumPy's are."""
        for cls in {getattr(item, "cls", None) for item in items} - {None}:
            for base in cls.__mro__:  # type: ignore[union-attr]
                for name, value in list(vars(base).items()):
                    own = isinstance(value, FunctionType) and value.__module__.split(".")[0]
                    if own == self.place.parent:
                        setattr(base, name, staticmethod(value))


_MODULE = os.environ.get(IN_PLACE)


def pytest_configure(config: pytest.Config) -> None:
    if _MODULE:
        place = Place(_MODULE)
        place.install()
        config.pluginmanager.register(Plugin(place))
