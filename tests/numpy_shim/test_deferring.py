"""Operators with operands of other classes: who is asked, in NumPy and here."""

from __future__ import annotations

import operator
from typing import Any

import pytest

import numpy_shim
from tests.numpy_shim.differential import compare

FORWARD = ["__{}__", "__r{}__"]
NAMES = ["add", "sub", "mul", "matmul", "pow", "divmod", "and"]


class Answers:
    """Has all operators, and says which one was called."""


for _name in [pattern.format(name) for name in NAMES for pattern in FORWARD]:
    setattr(Answers, _name, lambda self, other, n=_name: n)
for _name in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"):
    setattr(Answers, _name, lambda self, other, n=_name: n)


class Higher(Answers):
    __array_priority__ = 10


class Silent:
    """Has no operators, and a priority."""

    __array_priority__ = 10


class Overrides:
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return ufunc.__name__, method, len(inputs), sorted(options)


class OverridesToo(Overrides, Answers):
    """Its own operators are not asked."""


class Refuses(Answers):
    __array_ufunc__ = None


class HasArray:
    def __init__(self, np: Any) -> None:
        self.np = np

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.np.arange(1, 4)

    def __radd__(self, other: Any) -> str:
        return "__radd__"


class HasArrayHigher(HasArray):
    __array_priority__ = 1


class Fails:
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("no array")


class FailsHigher:
    __array_priority__ = 1000

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise KeyError("no array")


OPERATORS = [
    operator.add, operator.sub, operator.mul, operator.matmul, operator.pow, divmod,
    operator.lt, operator.ge, operator.eq, operator.ne, operator.iadd, operator.imatmul,
]  # fmt: skip


@pytest.mark.parametrize("symbol", OPERATORS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    "kind", [Higher, Silent, Overrides, OverridesToo, Refuses, HasArray, HasArrayHigher, Fails,
             FailsHigher],
)  # fmt: skip
@pytest.mark.parametrize("scalar", [False, True])
def test_who_is_asked(symbol: Any, kind: Any, scalar: bool):
    """An array or scalar with each kind of object, on its left and on its right."""

    def operands(np: Any) -> tuple[Any, Any]:
        other = kind(np) if issubclass(kind, HasArray) else kind()
        return (np.float64(2) if scalar else np.arange(3)), other

    if scalar and symbol in (operator.matmul, operator.imatmul):
        pytest.skip("NumPy's scalars have no matmul")
    compare(lambda np: symbol(*operands(np)))
    if symbol not in (operator.iadd, operator.imatmul, operator.matmul):
        compare(lambda np: symbol(*operands(np)[::-1]))


def test_opaque_objects():
    """NumPy asks them for each element, and holds the answers as objects; here they are asked once.

    Comparing for equality gives truths, element by element.
    """
    compare(lambda np: np.float64(2) + Answers())
    compare(lambda np: Answers() * np.float64(2))
    compare(lambda np: np.arange(3) == Answers())
    compare(lambda np: np.arange(3) != Answers())
    compare(lambda np: np.arange(3) == object())
    compare(lambda np: np.arange(3) + object())
    compare(lambda np: np.arange(3) < object())
    compare(lambda np: np.arange(3) + None)
    assert numpy_shim.arange(3) + Answers() == "__radd__"
