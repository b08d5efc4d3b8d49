"""The pytest plug-in that puts a module in the place of CuPy, in Dask's own tests.

The tests import `cupy`; they get the module's functions under that name. What CuPy has and NumPy
has not is added: `asnumpy`, the method `get` and the bit generator `XORWOW`. Where the tests name
Dask's backend `cupy`, they get the module's own backend if it has an entry point of its name, and
the functions it has registered itself; else Dask's for CuPy.

The tests tell NumPy's arrays from CuPy's by `isinstance`. A module whose arrays pass for NumPy's is
told apart by the exact class there.

It adds the event `about`: whether Dask marks the test as one that CuPy fails, or skips.
"""

from __future__ import annotations

import builtins
import importlib
import json
import os
import sys
from types import ModuleType
from typing import Any

import pytest

from .._namespace import load
from ..pytest_plugin import emit, speaks

DASK = "XP_TORCH_CONFORMANCE_DASK"
# The tests ask for the version to leave out what old releases lack.
CUPY = "13.6.0"
PASSES, FAILS, SKIPPED = "passes", "fails", "skipped"


class StandIn(ModuleType):
    """A module under another name, with additions."""

    def __init__(self, name: str, source: object, **additions: object) -> None:
        super().__init__(name)
        self.__path__: list[str] = []
        self._source = source
        vars(self).update(additions)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._source, name)


def stand_in(module: Any) -> StandIn:
    """The module as `cupy`."""
    import numpy

    random = StandIn("cupy.random", module.random, XORWOW=module.random.PCG64)
    module.ndarray.get = lambda array: numpy.array(array)
    return StandIn(
        "cupy", module, __version__=CUPY, random=random, asnumpy=numpy.array, ndarray=module.ndarray
    )


def exactly(own: type) -> Any:
    """`isinstance` that tells arrays of NumPy's from arrays of the module's by their class."""
    import numpy

    def isinstance(x: Any, kinds: Any) -> bool:
        if type(x) not in (own, numpy.ndarray):
            return builtins.isinstance(x, kinds)
        wanted = kinds if builtins.isinstance(kinds, tuple) else (kinds,)
        return any(kind in type(x).__mro__ for kind in wanted)

    return isinstance


def put(name: str) -> Any:
    """Put the module in the place of CuPy; its class of arrays."""
    module = load(name)
    backends: Any = importlib.import_module("dask.array.backends")
    dispatch = backends.array_creation_dispatch
    try:
        backend = dispatch.dispatch(name)
    except ValueError:
        backend = None
    sys.modules["cupy"] = cupy = stand_in(module)
    sys.modules["cupy.random"] = cupy.random
    if backend is None:
        importlib.import_module("dask.array.chunk_types").register_chunk_type(module.ndarray)
        backends.register_cupy()
    else:
        dispatch.register_backend("cupy", backend)
    # Some tests call it; with CuPy it would replace nothing that is registered already.
    backends.register_cupy = lambda: None
    return module.ndarray


def design(item: pytest.Item) -> str:
    """What Dask says of the test with CuPy."""
    if item.get_closest_marker("skip"):
        return SKIPPED
    return FAILS if item.get_closest_marker("xfail") else PASSES


class Plugin:
    """The hooks; registered where the variable names a module."""

    def __init__(self, name: str) -> None:
        self.array = put(name)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        distinguishing = exactly(self.array)
        for item in items:
            module: Any = getattr(item, "module", None)
            module.isinstance = distinguishing
        if speaks(config):
            for item in items:
                emit("about", id=item.nodeid, design=design(item))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu: needs a GPU with CuPy")
    config.addinivalue_line("markers", "flaky: may fail now and then")
    asked = json.loads(os.environ.get(DASK, "null"))
    if asked is not None:
        config.pluginmanager.register(Plugin(asked))
