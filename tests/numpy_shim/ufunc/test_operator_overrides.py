"""Operators with operands of other classes: who is asked, in NumPy and here."""

from __future__ import annotations

import operator
from decimal import Decimal
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from numpy_shim._array.ndarray import tensor_scalar
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


def two(np: Any) -> Any:
    """A scalar: of ours one that stays a tensor."""
    return numpy.float64(2) if np is numpy else tensor_scalar(torch.tensor(2.0).double())


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
        return (two(np) if scalar else np.arange(3)), other

    if scalar and symbol in (operator.matmul, operator.imatmul):
        pytest.skip("NumPy's scalars have no matmul")
    compare(lambda np: symbol(*operands(np)))
    if symbol not in (operator.iadd, operator.imatmul, operator.matmul):
        compare(lambda np: symbol(*operands(np)[::-1]))


def test_opaque_objects():
    """They are asked for each element, and the answers are objects; if those are off, once.

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
    found = numpy_shim.arange(3) + Answers()
    assert type(found) is numpy.ndarray
    assert found.tolist() == ["__radd__"] * 3
    assert (numpy_shim.arange(2) * Decimal("0.5")).tolist() == [Decimal(0), Decimal("0.5")]
    with numpy_shim.set_host_dtypes("error"):
        assert numpy_shim.arange(3) + Answers() == "__radd__"


class Wraps(HasArray):
    """Turns results into a description of them."""

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        told = context and (context[0].__name__, len(context[1]), context[2])
        return type(self).__name__, array, told, return_scalar


class WrapsHigher(Wraps):
    __array_priority__ = 20


WRAPPED = [
    "np.add(a, 1)", "np.add(x, a)", "np.add(a, b)", "np.add(b, a)", "np.modf(a)",
    "np.add(a, x, out=x)",
    "np.add(a, 1, dtype='f4')", "np.add.reduce(a)", "np.add.reduce(a, keepdims=True)",
    "np.add.accumulate(a)", "np.add.reduceat(a, [0])", "np.add.outer(a, [1, 2])", "np.matmul(a, a)",
    "np.add.reduce(a, out=np.zeros((), int))", "np.add(np.float64(1), a)", "np.negative(b)",
]  # fmt: skip


@pytest.mark.parametrize("line", WRAPPED)
def test_array_wrap(line: str):
    """The operand with the highest priority makes the result, unless there is an ``out``."""

    def body(np: Any) -> Any:
        return eval(line, {"np": np, "a": Wraps(np), "b": WrapsHigher(np), "x": np.ones(3)})

    compare(body)


OVERRIDDEN = [
    "np.add.reduce(u)", "np.add.accumulate(u)", "np.add.reduceat(u, [0])", "np.add.outer(u, 1)",
    "np.add.outer(1, u, out=x)",
    "np.add.reduce(x, out=u)", "np.add.reduce(u, None, 'f4', None, True)", "np.sin(u, out=(None,))",
    "np.modf(u, None)", "np.modf(u, out=(None, None))", "np.add(u, 1, out=(x, x))",
    "np.modf(u, out=(x,))", "np.add(u, 1, x)", "np.add.reduce(u, where=[True])",
]  # fmt: skip


@pytest.mark.parametrize("line", OVERRIDDEN)
def test_methods_of_ufuncs_ask(line: str):
    """``__array_ufunc__`` hears which method was called, and with what."""

    def body(np: Any) -> Any:
        return eval(line, {"np": np, "u": Overrides(), "x": np.ones(3)})

    compare(body)


def test_array_ufunc_called_directly():
    """With our ufuncs as with NumPy's."""
    compare(lambda np: np.ones(2).__array_ufunc__(np.add, "__call__", np.ones(2), 1))
    compare(lambda np: np.ones(2).__array_ufunc__(np.add, "reduce", np.ones(2)))
    compare(lambda np: np.ones(2).__array_ufunc__(np.add, "nothing", np.ones(2)))
    compare(lambda np: np.ones(2).__array_ufunc__(1, 2))
    compare(lambda np: np.ones(2).__array_ufunc__())
    compare(lambda np: np.add.outer(np.ones((1,) * 33), np.ones((1,) * 33)))


PROGRAM = """
import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

class Unit(NDArrayOperatorsMixin):
    handled = {np.multiply: "product", np.add: "sum", np.matmul: "matrix product"}

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        return self.handled.get(ufunc, "unknown"), method

unit = Unit()
found = [
    np.multiply(np.ones(2), unit), np.add.reduce(unit), np.ones(2) * unit, unit * 2.0, 2.0 + unit,
    unit @ np.ones(2), np.float64(2) * unit, np.add.outer(unit, np.ones(2)), np.exp(unit),
]
"""


def test_a_program_gets_its_own_ufuncs():
    """``u is np.multiply`` holds where ``np`` is the module that the program imports."""
    results = []
    for module in ("numpy", "numpy_shim"):
        names: dict[str, Any] = {"__name__": "program"}
        exec(PROGRAM.replace("numpy", module), names)
        results.append(names["found"])
    assert results[0] == results[1]


def test_ufuncs_equal_numpys():
    """NumPy's scalars call NumPy's ufuncs: both are one key."""
    assert {numpy_shim.add: 1}[numpy.add] == {numpy.add: 1}[numpy_shim.add] == 1
    assert numpy.add == numpy_shim.add != numpy_shim.subtract
    assert numpy_shim.absolute == numpy.abs
    assert numpy_shim.add != numpy.subtract
    assert numpy_shim.add != "add"


def test_a_library_gets_numpys_ufuncs():
    """A class in a module that imports NumPy compares with NumPy's."""
    names: dict[str, Any] = {"__name__": "library"}
    exec(PROGRAM.split("unit =")[0], names)
    unit = names["Unit"]()
    assert numpy_shim.multiply(numpy_shim.ones(2), unit) == ("product", "__call__")
    assert numpy_shim.ones(2) * unit == ("product", "__call__")


def test_the_mixin_has_numpys_operators():
    ours, theirs = numpy_shim.lib.mixins.NDArrayOperatorsMixin, numpy.lib.mixins
    names = {n for n in vars(theirs.NDArrayOperatorsMixin) if n.startswith("__")}
    assert {n for n in vars(ours) if n.startswith("__")} >= names - {"__firstlineno__"}


class Marked(numpy.ndarray):
    """Each operator says that it was called."""

    def __rmul__(self, other: Any) -> Any:
        return "times"

    def __rmatmul__(self, other: Any) -> Any:
        return "matrix product"

    def __rdivmod__(self, other: Any) -> Any:
        return "divided"

    def __gt__(self, other: Any) -> Any:
        return "more"


@pytest.mark.parametrize("symbol", ["*", "+", "-", "/", "//", "%", "**", "@", "<", "==", "divmod"])
@pytest.mark.parametrize("kind", ["matrix", "masked", "Marked"])
def test_beside_a_subclass_of_numpys(kind: str, symbol: str):
    """The subclass's own operator comes first: the product of a matrix is one of matrices."""
    call = "divmod({}, {})" if symbol == "divmod" else f"{{}} {symbol} {{}}"
    values = numpy.array([[1.0, 2], [3, 4]])
    subclass = {
        "matrix": numpy.matrix(values),
        "masked": numpy.ma.array(values, mask=[[0, 1], [0, 0]]),
        "Marked": values.view(Marked),
    }[kind]
    for left, right in (("a", "s"), ("s", "a")):
        found = []
        for np in (numpy_shim, numpy):
            a = np.array([[5.0, 6], [7, 8]])
            try:
                made = eval(call.format(left, right), {"a": a, "s": subclass})
            except TypeError:  # an exponent of a matrix is an integer
                made = "refused"
            parts = made if isinstance(made, tuple) else (made,)
            found.append([(type(x).__name__, numpy.asarray(x).tolist()) for x in parts])
        assert found[0] == found[1], (left, symbol, right)
