"""How the namespaces of worlds are made: of xp_torch's flags, torch's devices and hooks.

Each function takes a `TestCode` and returns a context manager that gives a namespace.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ._bound import BoundNamespace
from ._frames import TestCode

Make = Callable[[TestCode], AbstractContextManager[Any]]


def flags(**values: Any) -> Make:
    """`xp_torch` with some of its flags set."""

    @contextmanager
    def make(test: TestCode) -> Iterator[Any]:
        import xp_torch

        named = {
            name: getattr(xp_torch, value) if name == "default_float" else value
            for name, value in values.items()
        }
        with xp_torch.flags(**named):
            yield xp_torch

    return make


def hooked(name: str) -> Make:
    """`xp_torch` with methods of its arrays replaced by a function of `_hooks`."""

    @contextmanager
    def make(test: TestCode) -> Iterator[Any]:
        import xp_torch

        from . import _hooks

        with getattr(_hooks, name)(test):
            yield xp_torch

    return make


def _npy() -> Any:
    """The device of NumPy's arrays that torch cannot read: every machine has it."""
    return importlib.import_module("xp_backend.npy").environment


@contextmanager
def device(test: TestCode) -> Iterator[Any]:
    """`xp_torch` with a default device whose memory NumPy cannot read."""
    import torch

    import xp_torch

    from . import _hooks

    with (
        torch.device(_npy().device),
        _hooks.imports_to_default_device(),
        _hooks.no_copies(test),
    ):
        yield xp_torch


@contextmanager
def two_devices(test: TestCode) -> Iterator[Any]:
    """Inputs on one device, and another as the default."""
    import torch

    import xp_torch

    from . import _hooks
    from ._origins import Origins

    place = _npy().device
    with torch.device("cpu"), _hooks.no_copies(test), Origins(place):
        yield BoundNamespace(xp_torch, test, place)


@contextmanager
def no_float64(test: TestCode) -> Iterator[Any]:
    """A default device that stores neither float64 nor complex128."""
    import torch

    import xp_torch

    from . import _hooks

    environment = _npy()
    with (
        environment.lacking(torch.float64, torch.complex128),
        torch.device(environment.device),
        xp_torch.flags(default_float=torch.float32),
        _hooks.imports_to_default_device(),
        _hooks.no_copies(test),
    ):
        yield xp_torch


@contextmanager
def gradient(test: TestCode) -> Iterator[Any]:
    """Inputs of real floating-point dtypes that require a gradient."""
    import xp_torch

    from . import _hooks

    def require(array: Any) -> Any:
        if not xp_torch.isdtype(array.dtype, "real floating"):
            return array
        # A result, not a leaf: torch refuses to write to leaves, and libraries get none.
        leaf = xp_torch.to_torch(array).detach().clone().requires_grad_()
        return xp_torch.asarray(leaf.clone())

    with _hooks.detached_for_tests(test):
        yield BoundNamespace(xp_torch, test, prepare=require)


@contextmanager
def read_only_inputs(test: TestCode) -> Iterator[Any]:
    """Inputs that may not change; arrays that the library makes may."""
    import xp_torch

    from . import _hooks

    inputs = _hooks.Inputs()
    with inputs.read_only(test):
        yield BoundNamespace(xp_torch, test, prepare=inputs.add)


def real(module: str) -> Make:
    """A library itself."""

    @contextmanager
    def make(test: TestCode) -> Iterator[Any]:
        yield importlib.import_module(module)

    return make
