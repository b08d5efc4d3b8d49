"""What a function makes of one of NumPy's arrays is on its memory, as NumPy's result would be.

torch cannot describe the memory of each: a field of a packed record lies between whole elements,
and other arrays run backwards or are in the other byte order. So the functions that return views
and those that write to an array are called with all of them, here and in NumPy.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from tests.numpy_shim.calls import lines


def of_packed_records(shape: tuple[int, ...], dtype: str = "f8") -> Any:
    return numpy.zeros(shape, [("name", "i4"), ("value", dtype), ("flag", "?")])["value"]


OPERANDS: dict[str, Callable[[], Any]] = {
    "field": lambda: of_packed_records((4,)),
    "fields": lambda: of_packed_records((4, 2)),
    "complex fields": lambda: of_packed_records((2, 2), "c16"),
    "field backwards": lambda: of_packed_records((4,))[::-1],
    "one field": lambda: of_packed_records((1,)),
    "read-only field": lambda: numpy.broadcast_to(of_packed_records((4,)), (4, 4)),
    "backwards": lambda: numpy.zeros(4)[::-1],
    "rows backwards": lambda: numpy.zeros((4, 2), "i8")[::-1],
    "all backwards": lambda: numpy.zeros((4, 4), "f4")[::-2, ::-1],
    "other byte order": lambda: numpy.zeros((4, 2), ">f8"),
    "forwards": lambda: numpy.zeros((4, 2)),
}

VIEWS = lines("""
np.asarray(x)
np.asarray(x, order="K")
np.asarray(x, dtype=x.dtype)
np.asanyarray(x)
np.array(x, copy=None)
np.array(x, copy=False)
np.array(x, copy=None, ndmin=3)
np.require(x, requirements="W")
np.asarray_chkfinite(x)
np.astype(x, x.dtype, copy=False)
np.reshape(x, (*x.shape, 1))
np.reshape(x, (2, -1))
np.ravel(x)
np.moveaxis(x, 0, -1)
np.rollaxis(x, 0)
np.swapaxes(x, 0, -1)
np.transpose(x)
np.permute_dims(x, tuple(range(x.ndim)))
np.matrix_transpose(x)
np.linalg.matrix_transpose(x)
np.einsum("...->...", x)
np.einsum("i...->...i", x)
np.atleast_1d(x)
np.atleast_2d(x)
np.atleast_3d(x)
np.atleast_1d(3, x)[1]
np.expand_dims(x, 0)
np.squeeze(x)
np.flip(x)
np.flip(x, 0)
np.fliplr(x)
np.flipud(x)
np.rot90(x)
np.split(x, 2)[1]
np.array_split(x, 3)[0]
np.hsplit(x, 2)[0]
np.vsplit(x, 2)[1]
np.unstack(x)[0]
np.broadcast_to(x, (2, *x.shape))
np.broadcast_arrays(x, 1)[0]
np.meshgrid(x, [1, 2], copy=False)[0]
np.lib.stride_tricks.sliding_window_view(x, 2, axis=0)
np.lib.stride_tricks.sliding_window_view(x, 2, axis=0, writeable=True)
np.lib.stride_tricks.as_strided(x)
np.lib.stride_tricks.as_strided(x, (min(len(x), 2),), (x.strides[0],))
np.diagonal(x)
np.linalg.diagonal(x)
np.diag(x)
np.real(x)
np.imag(x)
np.real_if_close(x)
np.nan_to_num(x, copy=False)
np.ix_(x)[0]
np.apply_over_axes(lambda a, axis: a, x, [0])
np.from_dlpack(x)
""")


def outcome(np: Any, call: str, make: Callable[[], Any]) -> Any:
    """What a call gives, whose memory it is on, and what writing to it does."""
    x = make()
    owner = x if x.base is None else x.base
    try:
        result = eval(call, {"np": np, "x": x})
    except (TypeError, ValueError, IndexError, BufferError) as error:
        return next(k for k in type(error).__mro__ if k.__module__ == "builtins")
    found = [result.shape, result.dtype, result.flags.writeable]
    if result.flags.writeable and result.size:
        result[(-1,) * result.ndim] = 1
        found.append(owner.tolist())
    found.append([s for s, n in zip(result.strides, result.shape, strict=True) if n > 1])
    return [*found, numpy.asarray(result).tolist()]


@pytest.mark.filterwarnings("ignore:.*(broadcast_array|overlapping)")  # of NumPy's broadcast_arrays
@pytest.mark.parametrize("operand", OPERANDS)
@pytest.mark.parametrize("call", VIEWS)
def test_views(call: str, operand: str):
    make = OPERANDS[operand]
    assert outcome(numpy_shim, call, make) == outcome(numpy, call, make)


WRITES = lines("""
np.add(x, 1, out=x)
np.add(y, 1, x)
np.modf(y, out=(x, None))[0]
np.add.reduce([y, y], out=x)
np.add.accumulate(y, out=x)
np.add.at(x, 0, 5)
np.matmul(np.eye(len(y)), y, out=x)
np.sum([y, y], axis=0, out=x)
np.mean([y, y], axis=0, out=x)
np.var([y, y], axis=0, out=x)
np.max([y, y], axis=0, out=x)
np.cumsum(y, axis=0, out=x)
np.clip(y, 1, 2, out=x)
np.round(y, 1, out=x)
np.fix(y, out=x)
np.einsum("i...->i...", y, out=x)
np.choose(np.zeros(x.shape, int), [y], out=x)
np.take(y, np.arange(len(y)), 0, out=x)
np.compress([True] * len(y), y, 0, out=x)
np.concatenate([y], out=x)
np.stack(list(y), out=x)
np.trace(np.ones((2, 2, *x.shape)), out=x)
np.median([y, y], 0, out=x)
np.nanmedian([y, y], 0, out=x)
np.quantile([y, y], 0.5, 0, out=x)
np.nansum([y, y], 0, out=x)
np.copyto(x, y)
np.fill_diagonal(x, 5)
np.place(x, x < 2, [7])
np.put(x, [1], [5])
np.putmask(x, y > 1, y)
np.put_along_axis(x, np.zeros((1,) * x.ndim, int), 5, 0)
np.random.default_rng(0).shuffle(x)
np.random.default_rng(0).random(out=x, size=x.shape)
y.clip(1, 2, out=x)
y.cumsum(0, out=x)
y.round(1, out=x)
x.__iadd__(y)
""")


@pytest.mark.parametrize("operand", ["field", "fields", "field backwards", "all backwards"])
@pytest.mark.parametrize("call", WRITES)
def test_writes(call: str, operand: str):
    """The memory has NumPy's values, and what is returned is the object that was given."""
    found = []
    for np in (numpy_shim, numpy):
        x = OPERANDS[operand]()
        y = np.arange(x.size * 1.0).reshape(x.shape) / 4
        try:
            result = eval(call, {"np": np, "x": x, "y": y})
        except (TypeError, ValueError) as error:
            found.append(type(error).__mro__[-4:])
        else:
            assert result is x or result is None
            found.append(x.tolist())
    assert found[0] == found[1]


READS = lines("""
np.add(x, 1)
np.sum(x, axis=0, keepdims=True)
np.copy(x)
np.array(x)
np.asarray(x, "f4")
np.concatenate([x, x])
np.sort(x)
np.take(x, [0])
np.delete(x, 0)
np.where(x > 0, x, 2)
np.repeat(x, 2)
np.r_[x]
np.ones(1) + x
np.ascontiguousarray(x)
""")


@pytest.mark.parametrize("operand", ["field", "fields", "backwards", "all backwards"])
@pytest.mark.parametrize("call", READS)
def test_new_arrays_are_ours(call: str, operand: str):
    x = OPERANDS[operand]()
    result = eval(call, {"np": numpy_shim, "x": x})
    expected = eval(call, {"np": numpy, "x": x})
    assert type(result) is numpy_shim.ndarray
    assert (result.tolist(), result.dtype) == (expected.tolist(), expected.dtype)


@pytest.mark.parametrize("operand", OPERANDS)
def test_text(operand: str):
    x = OPERANDS[operand]()
    assert numpy_shim.array_repr(x) == numpy.array_repr(x)
    assert numpy_shim.array_str(x) == numpy.array_str(x)


@pytest.mark.parametrize("operand", OPERANDS)
@pytest.mark.parametrize("name", ["shares_memory", "may_share_memory"])
def test_shared_memory(operand: str, name: str):
    x = OPERANDS[operand]()
    shares = getattr(numpy_shim, name)
    assert shares(x, x)
    assert shares(x, x[:1])
    assert not shares(x, OPERANDS[operand]())
    low, high = numpy_shim.lib.array_utils.byte_bounds(x)
    assert (low, high) == numpy.lib.array_utils.byte_bounds(x)
    ours = numpy_shim.asarray(numpy.zeros(5)[1:])
    assert not shares(x, ours)
    assert shares(numpy.asarray(ours)[::-1], ours)


def test_operands_of_two_kinds():
    """Views of several arrays are each on the memory of its own."""
    field, plain = of_packed_records((4,)), numpy.zeros(8)[::2]
    a, b = numpy_shim.atleast_2d(field, plain)
    a[0, 1], b[0, 1] = 5, 6
    assert (field[1], plain[1]) == (5, 6)


@pytest.mark.parametrize(
    "call",
    ["atleast_2d(x, y)", "broadcast_arrays(x, y)", "meshgrid(x, y)", "ix_(x, y)",
     "broadcast(x, y).shape"],
)  # fmt: skip
def test_beside_a_gradient(call: str):
    """NumPy has no gradients: the values are copied, and the gradient stays."""
    x, y = of_packed_records((4,)), numpy_shim.asarray(torch.ones(4, requires_grad=True))
    found = eval(f"np.{call}", {"np": numpy_shim, "x": x, "y": y})
    if call.endswith("shape"):
        assert found == (4,)
    else:
        assert all(type(a) is numpy_shim.ndarray for a in found)
        assert found[1].tensor.requires_grad


def test_without_host_dtypes():
    """Where NumPy computes nothing, the values are copied, and an output is refused."""
    x = of_packed_records((4,))
    with numpy_shim.set_host_dtypes("error"):
        y = numpy_shim.reshape(x, (2, 2))
        assert type(y) is numpy_shim.ndarray
        assert y.tolist() == [[0, 0], [0, 0]]
        with pytest.raises(TypeError, match="add: out is not aligned"):
            numpy_shim.add(1, 2, out=x)


def test_another_default_device():
    """An array that is moved is copied, whatever its strides."""
    with torch.device("meta"):
        assert numpy_shim.reshape(of_packed_records((4,)), (2, 2)).tensor.is_meta
        assert numpy_shim.asarray(numpy.zeros(4)[::-1]).tensor.is_meta


@pytest.mark.parametrize("operand", OPERANDS)
def test_shared_memory_beside_another_device(operand: str):
    """NumPy's arrays are looked at where they are, and share nothing with those of a device."""
    x, y = OPERANDS[operand](), numpy_shim.ones(4, device="meta")
    with torch.device("meta"):
        for shares in (numpy_shim.shares_memory, numpy_shim.may_share_memory):
            assert shares(x, x[:1])
            assert not shares(x, OPERANDS[operand]())
            assert not shares(x, y)
            assert not shares(y, x)
        bounds = numpy_shim.lib.array_utils.byte_bounds(x)
    assert bounds == numpy.lib.array_utils.byte_bounds(x)


@pytest.mark.filterwarnings("ignore:jit:RuntimeWarning")  # the graph breaks there
def test_compiled_functions():
    """A compiled function writes to the array that it is given, and to a global one."""
    given, kept = of_packed_records((4,)), of_packed_records((4,))

    @numpy_shim.jit(compiler="torch")
    def step(x: Any) -> Any:
        x[1:] += 2
        kept[0] = 7
        return x * 2

    backwards = numpy.zeros(4)[::-1]
    for x in (given, backwards):
        assert step(x).tolist() == [0, 4, 4, 4]
        assert x.tolist() == [0, 2, 2, 2]
    assert kept[0] == 7


def test_einsum_into_a_field_of_a_broadcast_operand():
    """Operands given by position are not what is written to."""
    field = of_packed_records((2, 4))
    operand = numpy_shim.broadcast_to(numpy_shim.arange(4.0), (3, 4))
    numpy_shim.einsum("i...->...", operand, out=field[0])
    assert field.tolist() == [[0, 3, 6, 9], [0, 0, 0, 0]]


LONG = numpy.arange(8, dtype=numpy.longdouble)


@pytest.mark.parametrize(
    "accumulated",
    [
        lambda out: numpy_shim.cumsum(LONG, out=out),
        lambda out: numpy_shim.cumsum(LONG, 0, None, out),
        lambda out: numpy_shim.cumprod(numpy_shim.arange(8.0), out=out),
        lambda out: numpy_shim.cumulative_sum(LONG, out=out),
        lambda out: numpy_shim.nancumsum(LONG, out=out),
        lambda out: numpy_shim.add.accumulate(LONG, 0, None, out),
        lambda out: numpy_shim.add.accumulate(LONG, out=(out,)),
        lambda out: numpy_shim.arange(8.0).cumsum(out=out),
    ],
)
@pytest.mark.parametrize("out", [numpy.zeros(()), of_packed_records(())], ids=["own", "field"])
def test_accumulation_into_an_array_without_axes(accumulated: Any, out: Any):
    """NumPy's own accumulate ends the process there."""
    with pytest.raises(ValueError, match="out"):
        accumulated(out)
    assert out == 0


def test_masked_comparison_with_an_int_beyond_the_dtype():
    """NumPy 2.4 ends the process, mostly: in a process of its own here."""
    program = """
import numpy, numpy_shim as np
x, m = numpy.array([1, 0, 2], ">u2"), np.array([True, False, True])
for number in (-1, 70000, 2**70):
    for ufunc in (np.equal, np.less, np.greater_equal):
        for out in (np.zeros(3, bool), np.zeros(3)):
            for a, b in ((x, number), (number, x)):
                result = ufunc(a, b, out=out, where=m)
                assert result.tolist() == [int(t) for t in ufunc(a, b) & m], (ufunc, a, b)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    "shapes",
    [
        ((3,), (3, 1)), ((3,), (3, 3)), ((2, 3), (3, 3)), ((2, 3), (3, 1)), ((3, 3), (3,)),
        ((2, 2, 2), (2, 2)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["own", "field"])
def test_products_into_numpys_arrays(shapes: Any, kind: str):
    """The axes of a matrix or vector do not broadcast to the output."""
    found = []
    for np in (numpy_shim, numpy):
        x = numpy.zeros(shapes[0], [("t", "i1"), ("x", "f8")])["x"]
        x = x if kind == "field" else x.copy()
        x[...] = numpy.arange(x.size).reshape(x.shape)
        y = np.arange(float(numpy.prod(shapes[1]))).reshape(shapes[1])
        for statement in ("x @= y", "numpy.matmul(x, y, out=x)", "numpy.vecmat(x, y, out=x)"):
            try:
                exec(statement, {"x": x, "y": y, "numpy": numpy})
            except (TypeError, ValueError) as error:
                found.append(type(error).__mro__[-3])
        found.append(x.tolist())
    assert found[: len(found) // 2] == found[len(found) // 2 :]


READS = lines("""
np.add(x, 1)
np.asarray(x)
np.array(x)
np.ones((2, 1)) + x
np.concatenate([x, y])
np.reshape(x, -1)
np.add(1, 2, out=x)
np.shares_memory(x, y)
np.nan_to_num(x, copy=False)
np.array(["a"]) == x
np.insert(np.array(["a", "b"]), 0, x[0, 0])
np.ones((2, 3))[x > 0]
numpy_shim.jit(lambda v: v + 1)(x)
""")


@pytest.mark.parametrize("call", READS)
def test_no_warning_of_what_broadcast_arrays_made(call: str):
    """NumPy warns of a program that asks whether such an array is writeable: we ask otherwise."""
    x, y = numpy.broadcast_arrays(numpy.arange(3.0), numpy.zeros((2, 1)))
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        eval(call, {"np": numpy_shim, "numpy_shim": numpy_shim, "x": x, "y": y})
    with pytest.warns(FutureWarning, match="broadcast_array"):
        x.flags.writeable  # noqa: B018


@pytest.mark.parametrize("call", ["np.add.at(x, 0, 1)", "np.put(x, 0, 1)"])
def test_warnings_of_a_write_to_what_broadcast_arrays_made(call: str):
    """They are NumPy's, at the write and at a question after it, which NumPy 2.5 answers."""
    found = []
    for np in (numpy_shim, numpy):
        x, _ = numpy.broadcast_arrays(numpy.arange(3.0), numpy.zeros((2, 1)))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            eval(call, {"np": np, "x": x})
            x.flags.writeable  # noqa: B018
        found.append([(w.category, str(w.message)) for w in caught])
    assert found[0] == found[1]
    assert found[0]
