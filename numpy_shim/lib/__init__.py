"""``numpy.lib``: views of strided memory, complex-domain functions, and helpers of NumPy."""

from __future__ import annotations

from numpy.lib import Arrayterator as Arrayterator
from numpy.lib import NumpyVersion as NumpyVersion
from numpy.lib import recfunctions as recfunctions

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
