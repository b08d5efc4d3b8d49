"""Close the conversion functions from tensors to NumPy, to find code that computes with NumPy.

A namespace over torch could pass a test by handing the work to NumPy. This guard lets only three
callers convert a tensor to a NumPy array: the modules that need it (random streams, printing,
file formats), this runner, which compares the results, and a test that itself reads an attribute
that gives NumPy access to the memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import Any

_RUNNER = "conformance.numpy_suite._testing"
_TESTS = "conformance_numpy_suite_*"
_EXPORTS = {"__array__", "__array_interface__", "data"}


class ForbiddenConversionError(BaseException):
    """A forbidden conversion of a tensor to NumPy. Not an Exception, so that no test catches it."""


def close(allowed: Sequence[str]) -> None:
    """Refuse `Tensor.numpy()` and `numpy.asarray(tensor)` unless an allowed module is a caller."""
    import torch

    patterns = (*allowed, _RUNNER)

    def closed(conversion: Callable[..., Any], name: str) -> Callable[..., Any]:
        def refuse(self: object, *args: object, **kwargs: object) -> Any:
            frame = sys._getframe(1)
            names: list[str] = []
            function = ""  # the function that the next frame called
            while frame.f_back is not None:
                names.append(str(frame.f_globals.get("__name__")))
                if names[-1].startswith("_pytest."):
                    break
                if fnmatchcase(names[-1], _TESTS) and function in _EXPORTS:
                    return conversion(self, *args, **kwargs)
                function, frame = frame.f_code.co_name, frame.f_back
            if any(fnmatchcase(n, p) for n in names for p in patterns):
                return conversion(self, *args, **kwargs)
            raise ForbiddenConversionError(
                f"{name}() called by {names[0]}, below {', '.join(names[1:4])}"
            )

        return refuse

    for name in ("numpy", "__array__"):
        setattr(torch.Tensor, name, closed(getattr(torch.Tensor, name), f"Tensor.{name}"))
