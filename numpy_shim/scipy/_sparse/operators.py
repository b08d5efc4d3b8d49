"""Linear operators where the arrays are: SciPy's text of them over arrays of ours."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

import torch
from scipy.sparse import issparse
from scipy.sparse.linalg import LinearOperator

from ..._array.ndarray import ndarray
from ..._convert.from_data import asarray
from ..._functions.creation import zeros
from .. import _values
from .._solutions import has_derivative
from .._standing import Held, OnTheHostError
from .._text import NAMESPACE, _provided
from .._values import Callback
from .matrices import Elements, check_array, elements_of

_text: Any = _provided("scipy.sparse.linalg._interface")
_text.np_compat = NAMESPACE  # SciPy 1.18 compares it with that of an array
_text_aslinearoperator = _text.aslinearoperator
_IMPL = "_CustomLinearOperator__"
_OF_PROGRAMS = ("matvec", "rmatvec", "matmat", "rmatmat")
"""The products for which a program gives functions."""


class _Products(_text.LinearOperator):  # type: ignore[misc]
    """The operator of a sparse matrix."""

    def __init__(self, elements: Elements) -> None:
        super().__init__(elements.dtype, elements.shape)
        self._elements = elements

    def _matmat(self, X: Any) -> ndarray:
        return self._elements.dot(X)

    def _adjoint(self) -> _Products:
        return _Products(self._elements.T.conj())


def aslinearoperator(A: Any) -> Any:
    """SciPy's ``aslinearoperator``: products with ``A`` stay where the arrays are."""
    real = A._scipys if issubclass(type(A), Held) else A
    if issparse(real):
        return _Products(elements_of(real, torch.get_default_device()))
    if isinstance(real, LinearOperator):
        return _with_ours(real)
    return _text_aslinearoperator(asarray(A) if type(A) is list else A)


def refusing(A: Any) -> Any:
    """An operator of the program, whose products may not have a gradient; all else as it is."""
    real = A._scipys if issubclass(type(A), Held) else A
    is_operator = isinstance(real, (LinearOperator, _text.LinearOperator))
    if issparse(real) or not is_operator or not torch.is_grad_enabled():
        return A
    operator = aslinearoperator(A)

    def refuse(product: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def multiply(x: Any) -> Any:
            with torch.enable_grad():
                made = product(x)
                if has_derivative(made._tensor):
                    raise OnTheHostError("the derivative needs a matrix, and no operator")
            return made

        return multiply

    products = {name: refuse(getattr(operator, name)) for name in _OF_PROGRAMS}
    return _text.LinearOperator(operator.shape, dtype=operator.dtype, **products)


def adjoint_of(operator: Any) -> Any:
    """The adjoint of an operator; ``None`` for one whose program gives no ``rmatvec``."""
    try:
        operator.rmatvec(zeros(operator.shape[0], dtype=operator.dtype))
    except NotImplementedError:
        return None
    return operator.H


def _with_ours(real: Any) -> Any:
    """SciPy's operator as one of ours; a function of the program gets arrays of ours."""
    kind = type(real).__name__
    if type(real).__module__ != _text_module:
        raise OnTheHostError(f"a {kind} computes on the host")
    made = getattr(_text, kind)
    if kind == "_CustomLinearOperator":
        given = {name: _as_programs(getattr(real, f"{_IMPL}{name}_impl")) for name in _OF_PROGRAMS}
        return made(real.shape, dtype=real.dtype, **given)
    if kind == "IdentityOperator":
        return made(real.shape, real.dtype)
    if kind in _OF_MATRICES and issparse(real.args[0]):
        one = aslinearoperator(real.args[0])
        return one if kind == "MatrixLinearOperator" else one.H
    return made(*[_operand(x) for x in real.args])


_text_module = LinearOperator.__module__
_OF_MATRICES = ("MatrixLinearOperator", "_AdjointMatrixOperator")


def _operand(x: Any) -> Any:
    """What an operator is made of: other operators, dense matrices and numbers."""
    if isinstance(x, LinearOperator):
        return _with_ours(x)
    return asarray(x) if hasattr(x, "ndim") and x.ndim else x


def _as_programs(function: Any) -> Any:
    """The program's function; one of SciPy's computes on the host."""
    if type(function) is Callback:
        return function.__wrapped__
    return function and _values.present(function, None)


_text.aslinearoperator = aslinearoperator
for _name, _made in list(vars(_text).items()):
    if isinstance(_made, type) and issubclass(_made, _text.LinearOperator):  # as in a program
        cast(Any, _made)._stands_for = getattr(import_module(_text_module), _name)


def product_of(real: Any, name: str) -> Callable[..., Any] | None:
    """A method of one of SciPy's operators that is a product, with arrays where they are."""
    if name not in _PRODUCTS:
        return None

    def multiply(x: Any) -> Any:
        check_array(x)
        with x.device:
            return getattr(_with_ours(real), name)(x)

    return multiply


_PRODUCTS = frozenset({
    "__call__", "__matmul__", "__mul__", "__rmatmul__", "__rmul__", "dot", "matmat", "matvec",
    "rmatmat", "rmatvec",
})  # fmt: skip
