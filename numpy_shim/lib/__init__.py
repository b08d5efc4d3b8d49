"""``numpy.lib``: views of strided memory, complex-domain functions, and helpers of NumPy."""

from __future__ import annotations

import importlib as _importlib
import typing as _typing

from numpy.lib import Arrayterator as Arrayterator
from numpy.lib import NumpyVersion as NumpyVersion

from . import array_utils as array_utils
from . import format as format
from . import mixins as mixins
from . import npyio as npyio
from . import scimath as scimath
from . import stride_tricks as stride_tricks

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
