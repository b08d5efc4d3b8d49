"""``numpy.lib``: views of strided memory, complex-domain functions, and helpers of NumPy."""

from __future__ import annotations

import importlib as _importlib
import typing as _typing

from numpy.lib import Arrayterator, NumpyVersion

from . import array_utils, format, mixins, npyio, scimath, stride_tricks

__all__ = [
    "Arrayterator", "NumpyVersion", "array_utils", "format", "mixins", "npyio",
    "recfunctions", "scimath", "stride_tricks",
]  # fmt: skip

if _typing.TYPE_CHECKING:
    from numpy.lib import recfunctions as recfunctions
else:

    def __getattr__(name: str) -> object:
        """Load ``recfunctions`` on first use: it imports NumPy's masked arrays."""
        if name == "recfunctions":
            return _importlib.import_module("numpy.lib.recfunctions")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
