"""A namespace whose creation functions make the inputs of a test: on a device, with a gradient."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ._frames import TestCode, caller

CREATION = (
    "arange", "asarray", "empty", "eye", "from_dlpack", "full", "linspace", "ones", "zeros",
)  # fmt: skip
"""The functions whose arrays have no other array's device. Those `*_like` follow their argument."""


class BoundNamespace(ModuleType):
    """A namespace as a test sees it. It equals the namespace that its arrays name.

    The creation functions give inputs: arrays on `device`, passed through `prepare`. A library
    that is handed this namespace in an argument gets the plain functions, if `test` can tell.
    """

    def __init__(
        self,
        namespace: Any,
        test: TestCode,
        device: object = None,
        prepare: Callable[[Any], Any] | None = None,
    ) -> None:
        super().__init__(namespace.__name__, namespace.__doc__)
        self._namespace, self._makes_inputs = namespace, test.makes_inputs
        self._device, self._prepare = device, prepare

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._namespace, name)
        return self._maker(found) if name in CREATION else found

    def __dir__(self) -> list[str]:
        return dir(self._namespace)

    def __eq__(self, other: object) -> bool:
        plain = other._namespace if isinstance(other, BoundNamespace) else other
        return bool(self._namespace == plain)

    def __hash__(self) -> int:
        return hash(self._namespace)

    def _maker(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def make(*args: object, **kwargs: object) -> Any:
            frame = caller()
            if frame is not None and not self._makes_inputs(frame):
                return function(*args, **kwargs)
            if self._device is not None and kwargs.get("device") is None:
                kwargs["device"] = self._device
            made = function(*args, **kwargs)
            return made if self._prepare is None else self._prepare(made)

        return make


def unbound(namespace: object) -> Any:
    """The namespace that a library gets: without the inputs' device."""
    return namespace._namespace if isinstance(namespace, BoundNamespace) else namespace
