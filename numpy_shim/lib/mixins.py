"""``numpy.lib.mixins``: operators for a class that has ``__array_ufunc__``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from .._ufunc import declarations as ufuncs
from .._ufunc.gufuncs import matmul

__all__ = ["NDArrayOperatorsMixin"]

_Operator = Callable[..., Any]


def _refuses(other: Any) -> bool:
    return getattr(other, "__array_ufunc__", NotImplemented) is None


def _unary(ufunc: _Operator, name: str) -> Any:
    def operator(self: Any) -> Any:
        return ufunc(self)

    operator.__name__ = f"__{name}__"
    return operator


def _binary(ufunc: _Operator, name: str) -> Any:
    def operator(self: Any, other: Any) -> Any:
        return NotImplemented if _refuses(other) else ufunc(self, other)

    operator.__name__ = f"__{name}__"
    return operator


def _reflected(ufunc: _Operator, name: str) -> Any:
    def operator(self: Any, other: Any) -> Any:
        return NotImplemented if _refuses(other) else ufunc(other, self)

    operator.__name__ = f"__r{name}__"
    return operator


def _numeric(ufunc: _Operator, name: str) -> tuple[Any, Any, Any]:
    def in_place(self: Any, other: Any) -> Any:
        return ufunc(self, other, out=(self,))

    in_place.__name__ = f"__i{name}__"
    return _binary(ufunc, name), _reflected(ufunc, name), in_place


class NDArrayOperatorsMixin(numpy.lib.mixins.NDArrayOperatorsMixin):
    """Defines all operators by ``__array_ufunc__``, which receives the ufuncs of this namespace.

    It is ``numpy.lib.mixins.NDArrayOperatorsMixin`` with our ufuncs.

    Examples
    --------
    >>> import numpy_shim as np
    >>> class Named(np.lib.mixins.NDArrayOperatorsMixin):
    ...     def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
    ...         return ufunc is np.multiply
    >>> Named() * 2
    True
    """

    __slots__ = ()

    __lt__ = _binary(ufuncs.less, "lt")
    __le__ = _binary(ufuncs.less_equal, "le")
    __eq__ = _binary(ufuncs.equal, "eq")
    __ne__ = _binary(ufuncs.not_equal, "ne")
    __gt__ = _binary(ufuncs.greater, "gt")
    __ge__ = _binary(ufuncs.greater_equal, "ge")
    __hash__ = None  # type: ignore[assignment]
    __add__, __radd__, __iadd__ = _numeric(ufuncs.add, "add")
    __sub__, __rsub__, __isub__ = _numeric(ufuncs.subtract, "sub")
    __mul__, __rmul__, __imul__ = _numeric(ufuncs.multiply, "mul")
    __matmul__, __rmatmul__, __imatmul__ = _numeric(matmul, "matmul")
    __truediv__, __rtruediv__, __itruediv__ = _numeric(ufuncs.true_divide, "truediv")
    __floordiv__, __rfloordiv__, __ifloordiv__ = _numeric(ufuncs.floor_divide, "floordiv")
    __mod__, __rmod__, __imod__ = _numeric(ufuncs.remainder, "mod")
    __divmod__ = _binary(ufuncs.divmod, "divmod")
    __rdivmod__ = _reflected(ufuncs.divmod, "divmod")
    __pow__, __rpow__, __ipow__ = _numeric(ufuncs.power, "pow")
    __lshift__, __rlshift__, __ilshift__ = _numeric(ufuncs.left_shift, "lshift")
    __rshift__, __rrshift__, __irshift__ = _numeric(ufuncs.right_shift, "rshift")
    __and__, __rand__, __iand__ = _numeric(ufuncs.bitwise_and, "and")
    __xor__, __rxor__, __ixor__ = _numeric(ufuncs.bitwise_xor, "xor")
    __or__, __ror__, __ior__ = _numeric(ufuncs.bitwise_or, "or")
    __neg__ = _unary(ufuncs.negative, "neg")
    __pos__ = _unary(ufuncs.positive, "pos")
    __abs__ = _unary(ufuncs.absolute, "abs")
    __invert__ = _unary(ufuncs.invert, "invert")
