"""The options of a ufunc's call: out, where, casting, order, dtype, signature; and refusals."""

from __future__ import annotations

import warnings
from typing import Any

import numpy
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import ROUNDING, compare
from tests.numpy_shim.ufunc.ufunc_inputs import REAL, operands, pairs

EXPRESSIONS = """
np.add(1, 2)
np.add(1, 2.0)
np.add(True, True)
np.add([1, 2], [3, 4], None)
np.add([1, 2], 3, dtype=float)
np.add([1, 2], 3, dtype="f4")
np.add(1)
np.add()
np.add(1, 2, 3)
np.add(1, 2, foo=3)
np.add(1.5, 2, dtype=int)
np.add(1.5, 2, dtype=int, casting="unsafe")
np.add([1.5], 2, casting="no")
np.add([1.5], [2], casting="equiv")
np.add([1.5], [2], casting="safe")
np.add(np.array([1]), 2, casting="equiv")
np.add(np.array([1]), 2, dtype="i4", casting="equiv")
np.add(np.array([1], "i4"), 2, dtype="i4", casting="equiv")
np.add(np.array([1], "i4"), 2, dtype="i4", casting="no")
np.add(np.array([1], "i4"), 2, dtype="i4", casting="safe")
np.add(np.array([1], "f4"), 2.5, casting="equiv")
np.add(np.array([1], "f8"), 2.5, casting="equiv")
np.add(np.array([1], "f4"), 2, dtype="f4", casting="equiv")
np.add(2.5, np.array([1.0]), signature="ii->i", casting="equiv")
np.add([1.5], 2, out=np.zeros(1, int))
np.add([1.5], 2, out=np.zeros(1, int), casting="unsafe")
np.add([1], 2, out=np.zeros(1, np.int8))
np.add([1.5], 2, out=np.zeros(2))
np.add([1.5, 2], 2, out=np.zeros(1))
np.add([1.5, 2], 2, out=(np.zeros(2),))
np.add([1.5, 2], 2, out=(None,))
np.add([1.5, 2], 2, out=(np.zeros(2), None))
np.add([1.5, 2], 2, out=3)
np.add([1.5, 2], 2, out=[0.0, 0.0])
np.add([1.5, 2], 2, np.zeros(2))
np.add([1.5, 2], 2, np.zeros(2), out=np.zeros(2))
np.add([1.5, 2], 2, np.zeros(2), np.zeros(2))
np.add([1, 2], 2, where=[True, False], out=np.zeros(2))
np.add([1, 2], 2, where=[1, 0], out=np.zeros(2))
np.add([1, 2], 2, where=np.array([1, 0]), out=np.zeros(2))
np.add([1, 2], 2, where=False, out=np.zeros(2))
np.add([1, 2], 2, where=True, out=np.zeros(2))
np.add([1, 2], 2, where=[[True], [False]], out=np.zeros((2, 2)))
np.add([1, 2], 2, where=[[True], [False]], out=np.zeros(2))
np.add([1, 2], [1, 2], order="F")
np.add([1, 2], [1, 2], order="X")
np.add([1, 2], [1, 2], casting="foo")
np.add([1, 2], [1, 2], subok=False)
np.add([1, 2], [1, 2], signature="dd->d")
np.add([1, 2], [1, 2], sig="dd->d")
np.add([1, 2], [1, 2], signature=(float, None, None))
np.add([1, 2], [1, 2], signature=(None, None, np.float32), casting="unsafe")
np.add([1, 2], [1, 2], signature="ff->f")
np.add([1, 2], [1, 2], signature="i")
np.add([1, 2], [1, 2], signature=("i4",))
np.add([1, 2], [1, 2], signature=(None, "f8"))
np.add([1, 2], [1, 2], signature=123)
np.add([1, 2], [1, 2], signature=(None, None, None))
np.add([1, 2], [1, 2], signature=b"dd->d")
np.add(1, 2, out=...)
np.add.reduce([1, 2], out=...)
np.add(1, 2, out=(...,))
np.add([1, 2], [1, 2], signature="ff->f", casting="unsafe")
np.add([1, 2], [1, 2], signature="xx->f")
np.add([1, 2], [1, 2], signature="dd->d", dtype=float)
np.add([1, 2], [1, 2], sig="dd->d", signature="dd->d")
np.sin(1)
np.sin([1, 2], dtype="f4")
np.sin([1, 2], signature="f->f", casting="unsafe")
np.sin([1, 2], np.zeros(2))
np.sin([1, 2], out=np.zeros(2, "f4"))
np.sin([1, 2], out=np.zeros(2, int))
np.divmod([5, 7], 3)
np.divmod([5, 7], 3, out=(np.zeros(2), np.zeros(2)))
np.divmod([5, 7], 3, out=(None, np.zeros(2)))
np.divmod([5, 7], 3, np.zeros(2))
np.divmod([5, 7], 3, np.zeros(2), np.zeros(2))
np.divmod([5, 7], 3, np.zeros(2), np.zeros(2), 1)
np.divmod([5, 7], 3, out=np.zeros(2))
np.divmod([5, 7])
np.frexp([5.0, 7], out=(None, np.zeros(2, int)))
np.modf([1.5, 2.0], where=[True, True])
np.add(np.ones((2, 3)), np.ones(4))
np.add(np.ones((2, 1)), np.ones(4), out=np.zeros((2, 4)))
np.add(np.ones((2, 1)), np.ones(4), out=np.zeros((3, 2, 4)))
np.add(np.ones((2, 1)), np.ones(4), out=np.zeros((2, 1)))
np.add(None, 1)
np.add([[1, 2], [3]], 1)
np.logical_not(np.array([0, 1]))
np.invert([1.5])
np.negative([True])
np.subtract([True], [True])
np.greater([1], [2], dtype=bool)
np.greater([1], [2], dtype=float)
np.equal([1, 2], [1, 3], out=np.zeros(2))
np.equal([1, 2], [1, 3], out=np.zeros(2, np.int8))
np.bitwise_and([1.0], [2])
np.power(2, -1)
np.power([2], [-1])
np.power(np.array([2], np.int8), -1)
np.power(np.array([2], np.uint8), -1)
np.power(2.0, -1)
np.float_power(2, -1)
np.ldexp([1.0], [2])
np.ldexp([1.0], [2.0])
np.ldexp([1], [2])
np.gcd([4.0], 2)
np.add(np.array([200], np.uint8), 100)
np.add(np.array([200], np.uint8), 300)
np.add(np.array([200], np.uint8), -1)
np.less(np.array([200], np.uint8), 300)
np.less(np.array([200], np.uint8), -1)
np.equal(np.array([200], np.uint8), 2**70)
np.greater(-(2**70), np.array([200, 3], np.int8))
np.greater_equal(np.array([1, 2]), 1.5)
np.maximum(np.array([1, 2], np.uint8), -1)
np.multiply(np.array([1.5, 2], np.float32), 1e300)
np.multiply(np.array([1.5, 2], np.float16), 70000)
np.multiply(np.array([1.5, 2]), 10**30)
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_call(expression: str):
    """A call of each kind, right or wrong, gives what NumPy gives, or raises as it does."""
    compare(lambda np: eval(expression, {"np": np}), rtol=ROUNDING)


def test_uninitialized_where_false():
    """Without an output the elements that ``where`` leaves out are anything."""
    got = numpy_shim.add([1, 2], 2, where=[True, False])
    assert got.shape == (2,)
    assert got[0] == 3


OVERLAPS = {
    "np.add(a[:-1], 1, out=a[1:])": (5,),
    "np.add(a[1:], a[:-1], out=a[1:])": (5,),
    "np.add(a[1:], a[:-1], out=a[:-1])": (5,),
    "np.add(a[::2], a[::2], out=a[:3])": (5,),
    "np.multiply(a.T, a, out=a)": (3, 3),
    "np.add(a, a.T, out=a)": (3, 3),
    "np.add(a, a[0], out=a)": (3, 3),
    "np.add(a, a[:, :1], out=a)": (3, 3),
    "np.negative(a[::-1], out=a)": (4,),
    "np.sin(a[1:], out=a[:-1])": (4,),
    "np.add(a, 1, out=a[::-1])": (4,),
    "np.divmod(a[1:], a[:-1] + 1, out=(a[:-1], None))": (4,),
    "np.add.accumulate(a[:-1], out=a[1:])": (5,),
    "np.add.reduce(a, axis=0, out=a[0])": (3, 3),
}


@pytest.mark.parametrize("expression", OVERLAPS)
def test_overlap(expression: str):
    """An output that overlaps an operand gets the result of the operands as they were."""

    def body(np: Any, a: Any) -> Any:
        eval(expression, {"np": np, "a": a})
        return a

    shape = OVERLAPS[expression]
    values = numpy.arange(numpy.prod(shape), dtype=float).reshape(shape)
    compare(body, Spec(values), rtol=ROUNDING)


@st.composite
def calls(draw: Any) -> tuple[Spec, ...]:
    """Two operands, an output of their shape and a mask."""
    pair = draw(pairs(REAL, finite=True))
    shape = numpy.broadcast_shapes(*[s.values.shape for s in pair])
    out = draw(operands(REAL, shape, finite=True))
    if out.layout == "broadcast":
        out = Spec(out.values)
    return *pair, out, Spec(draw(operands(["bool"], shape)).values)


@pytest.mark.parametrize("name", ["add", "less", "floor_divide", "sin", "logical_not", "sign"])
@given(call=calls(), casting=st.sampled_from(["same_kind", "unsafe"]))
def test_out_and_where(name: str, call: tuple[Spec, ...], casting: str):
    """A random output and mask: dtype, layout, what stays, and what cannot be cast."""
    # Floats beyond the range of integers convert as the processor does.
    assume(casting != "unsafe" or call[2].values.dtype.kind not in "iub")

    def arguments(np: Any, a: Any, b: Any) -> tuple[Any, ...]:
        return (a, b) if getattr(np, name).nin == 2 else (a + b * np.bool(False),)

    def body(np: Any, a: Any, b: Any, out: Any, mask: Any) -> Any:
        function = getattr(np, name)
        result = function(*arguments(np, a, b), out=out, where=mask, casting=casting)
        assert result is out
        return result

    rtol: Any = {**ROUNDING, "float16": 4e-3}
    if name == "sin":  # as exact as the dtype it computes in, which may be less than that of out
        computed = numpy.sin(*arguments(numpy, *[s.values for s in call[:2]])).dtype.name
        rtol = {dtype: max(bound, rtol[computed]) for dtype, bound in rtol.items()}
    compare(body, *call, rtol=rtol)


def test_failed_call_changes_nothing():
    """Nothing is written before everything has been checked."""
    a, first = numpy_shim.ones(2), numpy_shim.zeros(2)
    with pytest.raises(TypeError):
        numpy_shim.divmod(a, 1.0, out=(first, numpy_shim.zeros(2, numpy_shim.int8)))
    with pytest.raises(ValueError, match="broadcast"):
        numpy_shim.divmod(a, 1.0, out=(first, numpy_shim.zeros(3)))
    assert not first.any()


def test_tensor_as_output():
    """A torch tensor is written to, and comes back itself."""
    out = torch.zeros(2)
    assert numpy_shim.add([1, 2], 3, out=out) is out
    assert out.tolist() == [4, 5]
    t = torch.zeros(2, dtype=torch.float64)
    assert numpy_shim.frexp([5.0, 7.0], out=(t, None))[0] is t


def test_result_is_the_output():
    """Every way to give an output returns it."""
    a, out = numpy_shim.ones(3), numpy_shim.zeros(3)
    assert numpy_shim.add(a, a, out) is out
    assert numpy_shim.add(a, a, out=(out,)) is out
    assert numpy_shim.sin(a, out=out) is out
    assert numpy_shim.multiply(a, 2.0, out=out) is out
    assert numpy_shim.add.reduce(a[None], axis=0, out=out) is out
    assert numpy_shim.add.accumulate(a, out=(out,)) is out


def test_output_that_needs_a_gradient():
    """Writing to an output keeps the history of the operands."""
    t = torch.ones(3, dtype=torch.float64, requires_grad=True)
    out = numpy_shim.zeros(3)
    numpy_shim.multiply(numpy_shim.asarray(t), 3.0, out=out)
    out.tensor.sum().backward()
    assert t.grad is not None
    assert t.grad.tolist() == [3, 3, 3]


class Foreign:
    """A type with its own say on ufuncs."""

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **options: Any) -> Any:
        return ufunc, method, len(args), sorted(options)


def test_foreign_operand_decides():
    """A foreign operand gets the call, with NumPy's own ufunc, which is what it knows."""
    a, foreign = numpy_shim.ones(2), Foreign()
    assert numpy_shim.add(a, foreign) == (numpy.add, "__call__", 2, [])
    assert numpy_shim.add(foreign, a, where=True) == (numpy.add, "__call__", 2, ["where"])


def test_foreign_operand_that_declines():
    """If every foreign operand declines, the call is a TypeError."""

    class Declines:
        def __array_ufunc__(self, *args: Any, **options: Any) -> Any:
            return NotImplemented

    with pytest.raises(TypeError, match="NotImplemented"):
        numpy_shim.add(numpy_shim.ones(2), Declines())


@pytest.mark.parametrize(
    "line",
    ["np.modf([1.5], out=None)", "np.modf([1.5], out=())", "np.modf([1.5], out=(None, None))",
     "np.modf([1.5], np.zeros(1))", "np.modf([1.5], None)", "np.modf([1.5], out=[None, None])",
     "np.modf([1.5], np.zeros(1), out=(None, None))", "np.divmod(5, 3, out=np.zeros(1))"],
)  # fmt: skip
def test_outputs_of_two_results(line: str):
    """A tuple of two, or positions after the operand; ``None`` by name is neither."""
    compare(lambda np: eval(line, {"np": np}))


def test_text_of_a_ufunc():
    """It can be set, and deleting that gives the ufunc's own back."""
    text = numpy_shim.add.__doc__
    numpy_shim.add.__doc__ = "other"
    assert numpy_shim.add.__doc__ == "other"
    del numpy_shim.add.__doc__
    assert numpy_shim.add.__doc__ == text


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "add"])
def test_output_by_position(name: str):
    """Of maximum and minimum NumPy warns: it may be meant as a third operand."""

    def body(np: Any, *outputs: Any) -> Any:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result = getattr(np, name)([1.0, 5.0], np.array([2.0, 4.0]), *outputs)
            except Exception as error:
                result = error
        return result, [(w.category, str(w.message), w.filename == __file__) for w in caught]

    compare(lambda np: body(np))
    compare(lambda np: body(np, np.zeros(2)))
    compare(lambda np: body(np, None) if name != "add" else None)
    compare(lambda np: body(np, np.zeros(2), None))
    compare(lambda np: body(np, 3))
    compare(lambda np: getattr(np, name)(1, 2, np.zeros(2), out=np.zeros(2)))
