"""The ufuncs that SciPy's text asks for: ours, and the others as a program finds them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ... import special


def __getattr__(name: str) -> Any:
    if name in special.__all__:
        return getattr(special, name)
    return getattr(import_module("numpy_shim.scipy.special._ufuncs"), name)
