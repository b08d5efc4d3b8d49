"""The methods of ``ndarray``: hung on here, the only place; imported last."""

from __future__ import annotations

from ._methods_own import Own
from ._methods_thin import Thin
from ._ndarray import hang


class Methods(Own, Thin):
    """All methods of ``ndarray``."""

    __slots__ = ()


for _source in (Own, Thin):
    hang(_source)
