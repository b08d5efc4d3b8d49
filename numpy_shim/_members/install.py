"""The methods of ``ndarray``: hung on here, the only place; imported last."""

from __future__ import annotations

from .._array.ndarray import hang
from .function_methods import Thin
from .own_methods import Own


class Methods(Own, Thin):
    """All methods of ``ndarray``."""

    __slots__ = ()


for _source in (Own, Thin):
    hang(_source)
