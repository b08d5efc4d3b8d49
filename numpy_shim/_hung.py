"""What is hung on ``ndarray`` at import, as type checkers see it; not imported at run time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._attributes import Attributes
from ._methods import Methods
from ._protocols import Protocols

_Unary = Callable[[Any], Any]
_Binary = Callable[[Any, Any], Any]


class Operators:
    """Indexing and the operators, which factories make."""

    __slots__ = ()

    def __getitem__(self, key: Any, /) -> Any: ...
    def __setitem__(self, key: Any, value: Any, /) -> None: ...
    def __delitem__(self, key: Any, /) -> None: ...

    __neg__: _Unary
    __pos__: _Unary
    __abs__: _Unary
    __invert__: _Unary
    __add__: _Binary
    __radd__: _Binary
    __sub__: _Binary
    __rsub__: _Binary
    __mul__: _Binary
    __rmul__: _Binary
    __truediv__: _Binary
    __rtruediv__: _Binary
    __floordiv__: _Binary
    __rfloordiv__: _Binary
    __mod__: _Binary
    __rmod__: _Binary
    __pow__: _Binary
    __rpow__: _Binary
    __matmul__: _Binary
    __rmatmul__: _Binary
    __and__: _Binary
    __rand__: _Binary
    __or__: _Binary
    __ror__: _Binary
    __xor__: _Binary
    __rxor__: _Binary
    __lshift__: _Binary
    __rlshift__: _Binary
    __rshift__: _Binary
    __rrshift__: _Binary
    __lt__: _Binary
    __le__: _Binary
    __gt__: _Binary
    __ge__: _Binary


class Hung(Attributes, Protocols, Methods, Operators):
    """The attributes, methods and operators of ``ndarray`` from modules that need the class."""

    __slots__ = ()
