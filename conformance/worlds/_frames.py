"""Whose code a frame is: the library's under test, or that of array libraries and test runners."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FrameType

NOT_UNDER_TEST = (frozenset(sys.stdlib_module_names) - {"test"}) | {
    "conformance", "numpy_shim", "xp_backend", "xp_torch",
    "array_api_compat", "array_api_strict", "cupy", "dask", "jax", "jaxlib", "numpy", "torch",
    "_pytest", "hypothesis", "pluggy", "pytest",
}  # fmt: skip
"""The packages whose lines no refusal names: array libraries, the standard library, runners."""

ASSERTIONS = "array_api_extra.testing"
"""Assertions about arrays that tests call, also in the copy of a library that vendors them."""


@dataclass(frozen=True)
class TestCode:
    """Which frames are the test's, and not the library's.

    Attributes
    ----------
    may_read : callable
        Whether a frame may read the values of arrays where the library may not.
    makes_inputs : callable
        Whether the arrays that a frame makes are the library's arguments.
    """

    __test__ = False  # pytest looks at the name

    may_read: Callable[[FrameType], bool]
    makes_inputs: Callable[[FrameType], bool]


def under_test(frame: FrameType) -> bool:
    """Whether a frame is outside of array libraries and runners."""
    name = str(frame.f_globals.get("__name__", ""))
    return name.partition(".")[0] not in NOT_UNDER_TEST and ASSERTIONS not in name


def callers() -> Iterator[FrameType]:
    """The frames from here outwards."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


def caller() -> FrameType | None:
    """The nearest frame that is neither ours nor an array library's."""
    return next((frame for frame in callers() if under_test(frame)), None)


def line_of(frame: FrameType | None) -> str:
    """The file, the line and the function of a frame."""
    if frame is None:
        return "an unknown line"
    return f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_qualname}"


def block_of(code: CodeType) -> TestCode:
    """Test code that is one function or the top level of one module, with its comprehensions.

    Every array that is made through the world's namespace is an input.
    """
    own = {code, *(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name[0] == "<")}
    return TestCode(lambda frame: frame.f_code in own, lambda frame: True)
