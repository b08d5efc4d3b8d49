"""Close the doors from tensors to NumPy, to find what computes there.

A namespace over torch could pass a test by handing the work to NumPy. With the doors closed, a
tensor becomes a NumPy array only for the modules that may ask for that (random streams, printing,
file formats), for this runner, which compares the results, and for a test that itself reads an
attribute which is there to show NumPy the memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import Any

_RUNNER = "conformance.numpy_suite._testing"
_TESTS = "conformance_numpy_suite_*"
_EXPORTS = {"__array__", "__array_interface__", "data"}


class ClosedDoorError(BaseException):
    """A tensor was made a NumPy array where it may not. Not an Exception: it must not be caught."""


def close(allowed: Sequence[str]) -> None:
    """Refuse `Tensor.numpy()` and `numpy.asarray(tensor)`, but below modules of the given names."""
    import torch

    patterns = (*allowed, _RUNNER)

    def closed(door: Callable[..., Any], name: str) -> Callable[..., Any]:
        def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            names: list[str] = []
            function = ""  # that the next caller has called
            while frame.f_back is not None:
                names.append(str(frame.f_globals.get("__name__")))
                if names[-1].startswith("_pytest."):
                    break
                if fnmatchcase(names[-1], _TESTS) and function in _EXPORTS:
                    return door(self, *args, **kwargs)
                function, frame = frame.f_code.co_name, frame.f_back
            if any(fnmatchcase(n, p) for n in names for p in patterns):
                return door(self, *args, **kwargs)
            raise ClosedDoorError(f"{name}() called by {names[0]}, below {', '.join(names[1:4])}")

        return refuse

    for name in ("numpy", "__array__"):
        setattr(torch.Tensor, name, closed(getattr(torch.Tensor, name), f"Tensor.{name}"))
