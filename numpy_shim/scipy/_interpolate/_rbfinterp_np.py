"""What ``scipy.interpolate._rbfinterp_np`` computes in C++: SciPy's code for other namespaces."""

from __future__ import annotations

from typing import Any

from .._text import _provided

_OF_ANY_NAMESPACE = _provided("scipy.interpolate._rbfinterp_xp")


def __getattr__(name: str) -> Any:
    return getattr(_OF_ANY_NAMESPACE, name)
