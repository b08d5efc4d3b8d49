"""The pytest plug-in that makes a namespace one more backend of a library's array API tests.

It runs in the library's own tests, with its conftest. It leaves out tests of other backends and
tests without a backend. It adds the event `about`: the backend of each test, and its key, the id
without the backend.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from .._namespace import load
from ..pytest_plugin import emit, speaks

BACKEND = "XP_TORCH_CONFORMANCE_BACKEND"
FLOATS = ("float64", "float32")
# The devices of a machine without an accelerator, by the names that scikit-learn's tests give them.
HOST = (None, "cpu", "CPU_DEVICE", "device1")


class Adapter:
    """The base of the adapters. `fixture` is the name of the fixture that gives the backend."""

    fixture = "xp"

    def __init__(self, package: str, module: str, peers: Iterable[str], device: str | None) -> None:
        self.package, self.module, self.peers = package, module, tuple(peers)
        self.device = device
        self.start()

    def start(self) -> None:
        """Prepare the process before the tests are imported."""

    def parameters(self) -> list[Any]:
        """The parameters of the fixture, for the module and its peers."""
        return []

    def generate(self, metafunc: pytest.Metafunc) -> None:
        """Parametrize the test with these parameters instead of the fixture's own."""
        if self.fixture in metafunc.fixturenames and (parameters := self.parameters()):
            mark = pytest.mark.parametrize(self.fixture, parameters, indirect=True)
            metafunc.definition.add_marker(mark)

    def name(self, value: object) -> str | None:
        """The backend of a parameter of the fixture."""
        return getattr(value, "__name__", None)

    def backend(self, parameters: dict[str, object]) -> str | None:
        """The backend of a test with these parameters; None if it was not requested."""
        found = self.name(parameters.get(self.fixture))
        return found if found in (self.module, *self.peers) else None

    def key(self, test_id: str, backend: str) -> str:
        """The id without the backend and its device."""
        head, bracket, tail = test_id.partition("[")
        devices = "|".join(re.escape(d) for d in (*filter(None, HOST), self.device or "cpu"))
        pattern = rf"(?<![\w.]){re.escape(backend)}(?:-(?:None|{devices})(?![\w.]))?(?![\w.])"
        return head + bracket + re.sub(pattern, "*", tail, count=1)


class SciPy(Adapter):
    """`scipy/conftest.py` has a fixture `xp` over the list `xp_available_backends`."""

    def parameters(self) -> list[Any]:
        conftest: Any = sys.modules[f"{self.package}.conftest"]
        # Like all other backends, skip it in tests for NumPy only.
        conftest.xp_known_backends.add(self.module)
        if self.device not in (None, "cpu"):
            conftest.xp_skip_cpu_only_backends.add(self.module)
        known = [p for p in conftest.xp_available_backends if p.id in self.peers]
        marks = pytest.mark.array_api_backends
        return [*known, pytest.param(load(self.module), id=self.module, marks=marks)]


class ScikitLearn(Adapter):
    """Its tests are parametrised by functions that give names of namespaces, devices and dtypes."""

    def start(self) -> None:
        source: Any = importlib.import_module(f"{self.package}.utils._array_api")
        plain = source.yield_namespaces
        combinations = source.yield_namespace_device_dtype_combinations
        mixed = source.yield_mixed_namespace_input_permutations
        device = self.device or "cpu"

        def yield_namespaces(include_numpy_namespaces: bool = True) -> Iterator[str]:
            yield from plain(include_numpy_namespaces)
            yield self.module

        def yield_combinations(include_numpy_namespaces: bool = True) -> Iterator[tuple[Any, ...]]:
            for found in combinations(include_numpy_namespaces):
                if found[0] != self.module:
                    yield found
            for dtype in FLOATS:
                yield self.module, device, dtype

        def yield_mixed() -> Iterator[tuple[Any, ...]]:
            yield from mixed()
            pair = source.NamespaceAndDevice
            yield pair(self.module, device), pair("torch", "cpu"), f"{self.module} to torch cpu"

        source.yield_namespaces = yield_namespaces
        source.yield_namespace_device_dtype_combinations = yield_combinations
        source.yield_mixed_namespace_input_permutations = yield_mixed

    def backend(self, parameters: dict[str, Any]) -> str | None:
        devices = [value for name, value in parameters.items() if name.startswith("device")]
        names = {value for name, value in parameters.items() if name.endswith("namespace")}
        for value in parameters.values():
            if type(value).__name__ == "NamespaceAndDevice":
                names.add(value.xp)
                devices.append(value.device)
        if any(device not in (*HOST, self.device) for device in devices):
            return None
        return next((name for name in (self.module, *self.peers) if name in names), None)


class Extra(Adapter):
    """The fixture `library` takes the members of the enumeration `Backend`."""

    fixture = "library"

    def start(self) -> None:
        self._enumeration: Any = importlib.import_module(f"{self.package}._lib._backends").Backend
        # A member outside the enumeration, which cannot be extended.
        self._member: Any = object.__new__(self._enumeration)
        self._member._name_ = self.module.upper()
        self._member._value_ = self.module

    def parameters(self) -> list[Any]:
        known = [
            # The id is the member's name, which may differ from the module's.
            pytest.param(b, id=b.value, marks=b.pytest_param().marks)
            for b in self._enumeration
            if b.value in self.peers
        ]
        return [*known, pytest.param(self._member, id=self.module)]

    def name(self, value: object) -> str | None:
        return getattr(value, "value", None)


ADAPTERS = {"scipy": SciPy, "sklearn": ScikitLearn, "array-api-extra": Extra}


class Plugin:
    """The hooks; registered where the variable names a library and a module."""

    def __init__(self, adapter: Adapter) -> None:
        self.adapter = adapter

    @pytest.hookimpl(tryfirst=True)
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        self.adapter.generate(metafunc)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        kept: list[pytest.Item] = []
        left: list[pytest.Item] = []
        for item in items:
            parameters: Any = getattr(item, "callspec", None)
            backend = self.adapter.backend(parameters.params) if parameters else None
            (left if backend is None else kept).append(item)
            if backend is not None and speaks(config):
                key = self.adapter.key(item.nodeid, backend)
                emit("about", id=item.nodeid, backend=backend, key=key)
        items[:] = kept
        config.hook.pytest_deselected(items=left)


# Patch now, not in pytest_configure: the library's conftest imports the patched names.
_ASKED = json.loads(os.environ.get(BACKEND, "{}"))
_ADAPTER = ADAPTERS[_ASKED.pop("kind")](**_ASKED) if _ASKED else None


def pytest_configure(config: pytest.Config) -> None:
    if _ADAPTER is not None:
        config.pluginmanager.register(Plugin(_ADAPTER))
