"""Refusals of what an array's methods do: reads of values, copies to the host, writes.

Each function returns a context manager, inside which methods of the array class are replaced. The
replacement belongs to the context (`contextvars`) that enters it: other threads have the methods
as they were.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any
from unittest import mock

import torch

import xp_torch

from ._frames import TestCode, caller

ARRAY: Any = type(xp_torch.asarray(0.0))
CONVERSIONS = ("__bool__", "__int__", "__float__", "__complex__", "__index__")
EXPORTS = ("__array__", "__dlpack__")
IN_PLACE = tuple(
    f"__i{name}__"
    for name in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
        "lshift", "rshift",
    )
)  # fmt: skip

Method = Callable[..., Any]
Replacement = Callable[[str, Method], Method]
"""Takes a method's name and the method, returns what stands in its place."""


@contextmanager
def replaced(names: tuple[str, ...], replacement: Replacement) -> Iterator[None]:
    """Replace methods of the array class in this context."""
    inside: ContextVar[bool] = ContextVar("conformance.worlds.hooks", default=False)

    def chosen(name: str, original: Method) -> Method:
        other = replacement(name, original)

        def method(self: object, *args: object, **kwargs: object) -> Any:
            return (other if inside.get() else original)(self, *args, **kwargs)

        return method

    with ExitStack() as stack:
        for name in names:
            stack.enter_context(mock.patch.object(ARRAY, name, chosen(name, getattr(ARRAY, name))))
        token = inside.set(True)
        stack.callback(inside.reset, token)
        yield


def _by_test(test: TestCode) -> bool:
    frame = caller()
    return frame is None or test.may_read(frame)


def _on_host(array: Any) -> Any:
    """The array on the host, without its gradient: what a test may read."""
    return xp_torch.asarray(xp_torch.to_torch(array).detach().cpu())


def _plain_name(name: str) -> str:
    return name.strip("_")


@contextmanager
def no_values(test: TestCode) -> Iterator[None]:
    """Refuse the values of arrays as Python's numbers and as another library's array."""

    def refused(name: str, original: Method) -> Method:
        def read(self: object, *args: object, **kwargs: object) -> Any:
            if _by_test(test):
                return original(self, *args, **kwargs)
            raise TypeError(
                f"{_plain_name(name)}: the array has no values that Python can read, as in a trace "
                "and in lazy libraries"
            )

        return read

    with replaced(CONVERSIONS + EXPORTS, refused):
        yield


@contextmanager
def no_copies(test: TestCode) -> Iterator[None]:
    """Refuse implicit copies to the host; test code gets them."""

    def refused(name: str, original: Method) -> Method:
        def export(self: Any, *args: Any, **kwargs: Any) -> Any:
            if _by_test(test):
                return original(_on_host(self), *args, **kwargs)
            if self.device.type == "cpu":
                return original(self, *args, **kwargs)
            raise TypeError(
                f"{_plain_name(name)}: the array is on the device {self.device}, whose memory "
                "NumPy cannot read"
            )

        return export

    with replaced(EXPORTS, refused):
        yield


@contextmanager
def imports_to_default_device() -> Iterator[None]:
    """Put arrays of other libraries on the default device, as torch and CuPy do.

    `xp_torch.asarray` leaves them on the device where they are.
    """
    plain = xp_torch.asarray

    def asarray(obj: Any, /, *, device: Any = None, **options: Any) -> Any:
        if device is None and not isinstance(obj, (ARRAY, torch.Tensor)) and hasattr(obj, "shape"):
            device = torch.get_default_device()
        return plain(obj, device=device, **options)

    with mock.patch.object(xp_torch, "asarray", functools.wraps(plain)(asarray)):
        yield


@contextmanager
def detached_for_tests(test: TestCode) -> Iterator[None]:
    """Give test code NumPy's arrays without the gradient, which the library must not lose."""

    def detached(_: str, original: Method) -> Method:
        def export(self: object, *args: object, **kwargs: object) -> Any:
            seen = _on_host(self) if _by_test(test) else self
            return original(seen, *args, **kwargs)

        return export

    with replaced(EXPORTS, detached):
        yield


def _by_at() -> bool:
    """Whether array_api_extra.at writes, or a copy of it in a library: it knows JAX's way."""
    frame = caller()
    name = str(frame.f_globals.get("__name__", "")) if frame is not None else ""
    return "array_api_extra" in name and name.endswith("._at")


@contextmanager
def immutable(test: TestCode) -> Iterator[None]:
    """Refuse `x[i] = value`; `x += y` makes a new array, as in JAX."""

    def refused(_: str, original: Method) -> Method:
        def assign(self: object, key: object, value: object) -> None:
            if _by_at():
                original(self, key, value)
                return
            raise TypeError("__setitem__: the array is immutable, as JAX's arrays are")

        return assign

    def rebound(_: str, __: Method) -> Method:
        return lambda self, other: NotImplemented  # Python then calls __add__ and its like

    with replaced(("__setitem__",), refused), replaced(IN_PLACE, rebound):
        yield


class Inputs:
    """The arrays that a test has made, which the code under test must not change."""

    def __init__(self) -> None:
        self._kept: dict[int, Any] = {}

    def add(self, array: object) -> Any:
        """Note an input; return it."""
        self._kept[self._memory(array)] = array
        return array

    def holds(self, array: object) -> bool:
        """Whether an array shares its memory with an input."""
        return self._memory(array) in self._kept

    @staticmethod
    def _memory(array: Any) -> int:
        return int(xp_torch.to_torch(array).untyped_storage().data_ptr())

    @contextmanager
    def read_only(self, test: TestCode) -> Iterator[None]:
        """Refuse writes to inputs and to views of them."""

        def refused(name: str, original: Method) -> Method:
            def write(self_: object, *args: object) -> Any:
                if self.holds(self_) and not _by_test(test):
                    raise ValueError(
                        f"{name}: the array is an argument of the library, or a view "
                        "of one, and must not change"
                    )
                return original(self_, *args)

            return write

        with replaced(("__setitem__", *IN_PLACE), refused):
            yield
