"""The distribution of Kolmogorov and Smirnov, which SciPy computes on the host."""

from importlib import import_module
from typing import Any

_SCIPYS: Any = import_module("numpy_shim.scipy.stats._ksstats")
kolmogn, kolmogni, kolmognp = _SCIPYS.kolmogn, _SCIPYS.kolmogni, _SCIPYS.kolmognp
