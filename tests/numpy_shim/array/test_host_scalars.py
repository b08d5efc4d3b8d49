"""Scalars are NumPy's own where the value is at hand, and tensors where it is not."""

from __future__ import annotations

import collections.abc
import datetime
import decimal
import fractions
import json
import math
import numbers
import pickle
import sqlite3
import time
from typing import Any

import numpy
import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode

import numpy_shim
from numpy_shim._array.scalars import TensorScalar
from tests.numpy_shim.differential import compare

NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64", "complex64", "complex128"]  # fmt: skip

GIVEN: dict[str, Any] = {
    "an element": lambda a: a[1],
    "an element by a tuple": lambda a: a.reshape(1, -1)[0, 1],
    "an element by a scalar": lambda a: a[numpy.int64(1)],
    "an element of a reversed array": lambda a: a[::-1][1],
    "an element by the general way": lambda a: a[(1,)],
    "all of a 0-D array": lambda a: a[1:2].reshape(())[()],
    "a reduction": lambda a: a.sum(),
    "a maximum": lambda a: numpy_shim.max(a),
    "an iteration": lambda a: next(iter(a)),
    "a flat iteration": lambda a: next(a.flat),
    "a flat element": lambda a: a.flat[1],
    "a ufunc of a scalar": lambda a: numpy_shim.positive(a[1]),
    "a ufunc of a 0-D array": lambda a: numpy_shim.positive(a[:1].reshape(())),
    "a dot product": lambda a: numpy_shim.dot(a, a),
    "a method": lambda a: a.take(1),
}


@pytest.mark.parametrize("how", GIVEN)
@pytest.mark.parametrize("name", NAMES)
def test_the_value_is_numpys(name: str, how: str):
    """Every way to a scalar gives one of NumPy's, of the right dtype."""
    if name == "bool" and how in ("a reduction", "a ufunc of a scalar", "a ufunc of a 0-D array"):
        pytest.skip("the result is an integer, or not defined for booleans")
    a = numpy_shim.ones(3, dtype=name)
    x = GIVEN[how](a)
    if how == "a reduction" and name[:3] in ("int", "uin"):
        assert type(x) is type(numpy.ones(3, name).sum())
    else:
        assert type(x) is getattr(numpy, name)


@pytest.mark.parametrize("name", NAMES)
def test_extreme_values(name: str):
    """A scalar has the bits of its element, whatever that is, and no flag is raised."""
    dtype = numpy.dtype(name)
    if dtype.kind in "iu":
        values = [numpy.iinfo(name).min, 0, 1, numpy.iinfo(name).max]
    elif dtype.kind == "b":
        values = [False, True]
    else:
        limits = numpy.finfo(name)
        values = [0.0, -0.0, limits.max, limits.min, limits.tiny, -limits.smallest_subnormal,
                  math.nan, math.inf, -math.inf]  # fmt: skip
    for element in numpy.array(values, dtype=dtype):
        with numpy.errstate(all="raise"):
            x = (
                numpy_shim.array(element).max()
                if dtype.kind != "c"
                else numpy_shim.array(element)[()]
            )
        assert type(x) is dtype.type
        assert x.tobytes() == element.tobytes()


@pytest.mark.parametrize("how", sorted(set(GIVEN) - {"an iteration", "a flat iteration"}))
def test_a_gradient_keeps_the_tensor(how: str):
    """With a gradient the same calls give a scalar that is differentiated."""
    t = torch.ones(3, dtype=torch.float64, requires_grad=True)
    x = GIVEN[how](numpy_shim.asarray(t))
    assert isinstance(x, (TensorScalar, numpy_shim.ndarray))
    x.tensor.backward()
    assert t.grad is not None
    assert t.grad.abs().sum() > 0


def test_with_a_gradient_it_behaves_alike():
    """``isinstance``, ``hash``, arithmetic with NumPy's scalars."""
    x = numpy_shim.asarray(torch.ones(3, dtype=torch.float64, requires_grad=True)).sum()
    assert type(x) is not numpy.float64
    for kind in (numpy.float64, numpy.floating, numpy.generic, float, numbers.Real):
        assert isinstance(x, kind)
    assert not isinstance(x, (numpy.float32, numpy.integer, numpy_shim.ndarray))
    assert not isinstance(x, (collections.abc.Sized, collections.abc.Iterable))
    assert isinstance(numpy.float32(2) * x, TensorScalar)
    assert (numpy.float32(2) * x).tensor.requires_grad
    assert repr(x) == "np.float64(3.0)"


def test_transforms_keep_the_tensor():
    """vmap, grad, jvp, fake tensors, make_fx and forward derivatives see every operation."""

    def first(t: torch.Tensor) -> torch.Tensor:
        a = numpy_shim.asarray(t)
        return numpy_shim.asarray(a[0] * 2 + a.sum()).tensor

    t = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert torch.func.vmap(first)(t).tolist() == [5.0, 13.0]
    assert torch.func.grad(first)(t[0]).tolist() == [3.0, 1.0]
    assert torch.func.jvp(first, (t[0],), (torch.ones(2),))[1].item() == 4.0
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(t[0], torch.ones(2))
        assert forward_ad.unpack_dual(first(dual)).tangent.item() == 4.0
    for mode in ("real", "fake"):
        graph = make_fx(first, tracing_mode=mode)(t[0])
        assert graph(torch.tensor([10.0, 1.0])).item() == 31.0
    row = t[0].clone()
    with FakeTensorMode() as fake:
        assert first(fake.from_tensor(row)).shape == ()


def test_other_devices_keep_the_tensor(device: str):
    """Nothing waits for a device: its scalars are tensors there."""
    for where in {device, "meta"} - {"cpu"}:
        a = numpy_shim.ones(3, device=where)
        for x in (a[0], a.sum(), a.max(), numpy_shim.sqrt(a[0])):
            assert isinstance(x, TensorScalar)
            assert x.device.type == where
            assert isinstance(x, numpy.float64)


def test_in_place_beside_objects_on_a_device(device: str):
    """The scalar is NumPy's operand, as an array would be."""
    with torch.device(device), numpy_shim.allow_implicit_host_copy():
        x = numpy_shim.arange(3.0)[2]
        x *= numpy.array([1, 2.5], object)
    assert x.tolist() == [2, 5]


class Colour(float):
    pass


def matched(x: Any) -> str:
    match x:
        case float():
            return "float"
        case int():
            return "int"
        case _:
            return "other"


def stored(x: Any) -> Any:
    with sqlite3.connect(":memory:") as base:
        base.execute("create table t (x real)")
        base.execute("insert into t values (?)", (x,))
        return base.execute("select x from t").fetchone()[0]


PROGRAMS: dict[str, Any] = {
    "json": lambda np, s: json.dumps({"mean": s, "all": [s]}),
    "float": lambda np, s: isinstance(s, float),
    "match": lambda np, s: matched(s),
    "Decimal": lambda np, s: decimal.Decimal(s),
    "Fraction": lambda np, s: fractions.Fraction(s),
    "timedelta": lambda np, s: datetime.timedelta(seconds=s),
    "sleep": lambda np, s: time.sleep(s / 1e6),
    "sqlite": lambda np, s: stored(s),
    "pickle": lambda np, s: pickle.dumps(s),
    "dictionary of types": lambda np, s: {np.float64: 1}[np.array([s]).dtype.type],
    "type of a dtype": lambda np, s: np.array([s]).dtype.type is np.float64,
    "type of a type": lambda np, s: type(np.float64) is type,
    "singleton": lambda np, s: (s > 1) is np.True_,
    "format": lambda np, s: f"{s:.3f} {s!r} {s}",
    "hash": lambda np, s: {s: 1}[1.5],
    "Sized": lambda np, s: isinstance(s, (collections.abc.Sized, collections.abc.Iterable)),
    "approx": lambda np, s: s == pytest.approx(1.5),
    "math": lambda np, s: (math.floor(s), math.isclose(s, 1.5), round(s), round(s, 1)),
    "range": lambda np, s: list(range(np.argmax(np.array([0, s, 0])))),
    "index": lambda np, s: "abc"[np.argmax(np.array([0, s, 0]))],
    "of a scalar": lambda np, s: [np.sqrt(s), np.add(s, 1), np.maximum(2, s), np.isnan(s)],
    "divmod": lambda np, s: np.divmod(s, 1),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_meet_scalars(program: str):
    """What Python's world does with NumPy's scalars it does with ours: they are NumPy's."""
    compare(lambda np: PROGRAMS[program](np, np.array([1.5, 2.5]).min()), allow_numpy=True)


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("name", NAMES)
def test_scalars_are_strong(name: str, kind: str):
    """NEP 50: an array beside a scalar has the dtype it has beside an array, on either side."""

    def body(np: Any) -> Any:
        a, s = np.array([1, 2, 3], dtype=name), np.array([2], dtype=kind)[0]
        results = []
        for f in (np.add, np.multiply, np.less, np.maximum):
            results += [f(a, s), f(s, a), f(s, s)]
        return [*results, a * s, s * a, a == s, s != a]

    compare(body)


@pytest.mark.parametrize("operation", ["s - a", "a - s", "s / a", "a // s", "s % a", "a ** s",
                                       "s ** a", "s @ a", "s < a", "divmod(s, a)"])  # fmt: skip
@pytest.mark.parametrize("kind", ["bool", "int16", "uint64", "float32", "float64", "complex64"])
@pytest.mark.parametrize("name", ["int32", "uint8", "float32", "float64", "complex64"])
def test_operators_with_scalars(name: str, kind: str, operation: str):
    """NumPy's scalar on the left asks us, by ``__array_ufunc__``."""

    def body(np: Any) -> Any:
        a, s = np.array([1, 2, 3], dtype=name), np.array([3], dtype=kind)[0]
        return eval(operation, {"a": a, "s": s, "divmod": divmod})

    compare(body, rtol=1e-6)


def test_large_integers_beside_scalars():
    """Values above 2**53 are not rounded through a float."""
    big = 2**60 + 1
    compare(lambda np: np.array([1, big]) + np.array([big])[0])
    compare(lambda np: np.array([1, 2**63 + 5], np.uint64) * np.array([1], np.uint64)[0])
    compare(lambda np: np.array([1, big]) == np.array([big - 1])[0])


def test_a_write_is_seen_everywhere():
    """The array, its views, the tensor and NumPy's view of elements share one memory."""

    def body(np: Any) -> Any:
        a = np.zeros((3, 4))
        row, back = a[1], a[::-1, ::-1]
        row[2] = 5
        back[0, 0] = 7
        a[0, 1] = True
        read = a[1, 2], back[1, 1], row[2], a[2, 3], a[0, 1]
        a[1] = 9
        return a, read, row[2], back[1, 1]

    compare(body)
    t = torch.zeros(3)
    a = numpy_shim.asarray(t)
    a[0] = 1
    t[1] = 2
    assert a[1] == 2
    assert t.tolist() == [1.0, 2.0, 0.0]


def test_a_swap_and_an_update():
    """A scalar is a copy: ``tmp = a[0]; a[0] = a[1]; a[1] = tmp`` swaps."""

    def body(np: Any) -> Any:
        a = np.arange(3)
        kept = a[0]
        a[0] = a[1]
        a[1] = kept
        a[2] += 5
        a[0] -= np.int8(1)
        return a, kept

    compare(body)


@pytest.mark.parametrize("value", [1, 2.7, True, 1j, 300, -1, 2**70, float("nan"), "numpy"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_values_of_elements(name: str, value: Any):
    """What an element takes, and its errors; nothing is written where one is raised."""

    def body(np: Any) -> Any:
        a = np.ones(3, dtype=name)
        a[0]  # from here on elements are read and written through the view
        try:
            a[1] = np.float32(1.5) if value == "numpy" else value
        except Exception as error:
            return type(error).__name__, a
        return a

    if value != value and not name.startswith(("float", "complex", "bool")):
        pytest.skip("what C makes of NaN as an integer differs by processor")
    compare(body)


@pytest.mark.parametrize("key", [3, -4, (0, 4), (3, 0), (0, 0, 0), numpy.int8(9)])
def test_bounds(key: Any):
    """An index out of bounds, before and after the view is there."""

    def body(np: Any) -> Any:
        a = np.zeros((3, 4)) if isinstance(key, tuple) else np.zeros(3)
        for _ in range(2):
            with pytest.raises(IndexError):
                a[key]
            with pytest.raises(IndexError):
                a[key] = 1
            a[(0,) * a.ndim]
        return a

    compare(body)


def test_read_only_and_repeated_elements():
    """A locked array refuses a write to an element; a broadcast one has one element in memory."""

    def body(np: Any) -> Any:
        a = np.arange(3.0)
        a[0]
        a.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            a[0] = 5
        b = np.broadcast_to(np.array(1.0), (3,))
        with pytest.raises(ValueError, match="read-only"):
            b[0] = 5
        a.flags.writeable = True
        a[0] = 6
        return a[0], b[1]

    compare(body)


def test_autograd_hears_of_a_write():
    """A tensor that the backward pass needs was changed: torch raises, it is never wrong."""
    w = torch.ones(3, requires_grad=True)
    a = numpy_shim.asarray(torch.arange(3.0))
    assert a[0] == 0
    loss = (numpy_shim.asarray(w) * a).sum().tensor
    a[0] = 5
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_an_array_that_gets_a_gradient():
    """Elements read before do not hide a gradient that is asked for later."""
    a = numpy_shim.ones(3)
    assert type(a[0]) is numpy.float64
    a.tensor.requires_grad_()
    x = a[0]
    assert isinstance(x, TensorScalar)
    x.tensor.backward()
    assert a.tensor.grad.tolist() == [1.0, 0.0, 0.0]
    with pytest.raises((RuntimeError, ValueError), match="gradient"):
        a[0] = 2
    with torch.no_grad():
        assert isinstance(a[0], TensorScalar | numpy.float64)


def test_memory_that_moves():
    """The view is made anew when the tensor, its shape or its memory is another."""
    a = numpy_shim.arange(6)
    assert a[5] == 5
    a.shape = (2, 3)
    assert a[1, 2] == 5
    with pytest.raises(IndexError):
        a[5]
    a.dtype = "f8"
    assert type(a[0, 0]) is numpy.float64
    t = torch.arange(3.0)
    b = numpy_shim.asarray(t)
    assert b[0] == 0
    t.set_(torch.tensor([7.0, 8.0, 9.0]))
    assert b[0] == 7
    b[1] = 1
    assert t.tolist() == [7.0, 1.0, 9.0]
    t.share_memory_()
    b[2] = 2
    assert t[2] == 2


class _Operators(TorchDispatchMode):
    """Writes down the operators of torch that are called."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:  # fmt: skip
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("data", [[1.0, 2.0], (1, 2), [numpy.float64(1), 2]])
def test_elements_of_vectors_from_data_are_read_without_torch(data: Any):
    """The array keeps the memory that NumPy read the data into."""
    a = numpy_shim.array(data)
    b = numpy_shim.asarray(data)
    with _Operators() as called:
        values = [a[0], a[1], b[0], b[1]]
    assert called.names == []
    assert values == [1, 2, 1, 2]
    assert {type(x) for x in values} == {a.dtype.type}


class _OfAProgram(numpy.ndarray):
    """A class of a program, whose objects are NumPy's."""


@pytest.mark.parametrize("dtype", [None, float, numpy.float64])
@pytest.mark.parametrize("kind", [numpy.ndarray, _OfAProgram])
def test_elements_of_copies_of_numpys_vectors_are_read_without_torch(kind: type, dtype: Any):
    """The copy is NumPy's, with memory of its own, in order and writable."""
    given = numpy.array([3.0, 2.0, 1.0])[::-1].view(kind)
    given.flags.writeable = False
    a = numpy_shim.array(given, dtype)
    with _Operators() as called:
        assert [a[0], a[1], a[2]] == [1, 2, 3]
    assert called.names == []
    assert type(a) is numpy_shim.ndarray
    a[0] = 5
    assert a.tensor.tolist() == [5, 2, 3]
    assert given.tolist() == [1, 2, 3]


def test_vectors_from_data_follow_their_tensor():
    """Memory, gradients and writes of the tensor are seen as those of any other array."""
    a = numpy_shim.array([1.0, 2.0])
    a.tensor.add_(1)
    assert a[0] == 2
    a.tensor.set_(torch.tensor([7.0, 8.0], dtype=torch.float64))
    assert a[0] == 7
    a += 1
    assert a[1] == 9
    w = torch.ones(2, dtype=torch.float64, requires_grad=True)
    b = numpy_shim.array([1.0, 2.0])
    loss = (numpy_shim.asarray(w) * b).sum().tensor
    b[0] = 5
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    c = numpy_shim.array([1.0, 2.0])
    c.tensor.requires_grad_()
    assert isinstance(c[0], TensorScalar)


def test_vectors_from_data_in_transforms():
    """A vector that a transform sees keeps no values aside."""
    with forward_ad.dual_level():
        a = numpy_shim.array([0.0, 0.0])
        x = torch.ones(2, dtype=torch.float64)
        a += numpy_shim.asarray(forward_ad.make_dual(x, 2 * x))
        assert forward_ad.unpack_dual(a[0].tensor).tangent == 2
    with FakeTensorMode():
        assert isinstance(numpy_shim.array([1.0, 2.0])[0], TensorScalar)


def test_inference_mode():
    """Its tensors have no version to count."""
    with torch.inference_mode():
        a = numpy_shim.zeros(3)
        a[0] = 1
        a[1] = a[0] + 1
    assert a.tolist() == [1.0, 2.0, 0.0]


def test_conjugated_and_bfloat16_elements():
    """Elements of a lazily conjugated tensor, and of a dtype that NumPy has not."""
    a = numpy_shim.asarray(torch.tensor([1 + 2j]).conj())
    assert a[0] == 1 - 2j
    if hasattr(numpy_shim, "bfloat16"):
        b = numpy_shim.asarray(torch.ones(2, dtype=torch.bfloat16))
        assert type(b[0]) is numpy_shim.bfloat16
        b[1] = 2.5
        assert b.tolist() == [1.0, 2.5]


def test_iteration_sees_writes():
    """As in NumPy a loop sees what it has written ahead of itself."""

    def body(np: Any) -> Any:
        a, seen = np.arange(5), []
        for i, x in enumerate(a):
            seen.append(x)
            if i < 4:
                a[i + 1] += 10
        return seen, [*a[::-1]], [*a.reshape(1, 5).flat]

    compare(body)
