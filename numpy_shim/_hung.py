"""What is hung on ``ndarray`` at import, as its type checkers see it."""

from __future__ import annotations

from ._attributes import Attributes
from ._methods import Methods
from ._protocols import Protocols


class Hung(Attributes, Protocols, Methods):
    """The attributes and methods of ``ndarray`` that stand in modules which need the class."""

    __slots__ = ()
