"""Arrays from data: every kind of it, every option, against NumPy."""

from __future__ import annotations

import array as machine_array
import collections
import ctypes
import enum
import math
from typing import Any

import ml_dtypes
import numpy
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import numpy_shim as ours
from numpy_shim._base.dtypes import TORCH
from tests.differential import Spec
from tests.numpy_shim.calls import compare_call, lines
from tests.numpy_shim.differential import compare, same
from tests.strategies import arrays, scalars

DTYPES = [d for d in TORCH if d.name != "bfloat16"]


@pytest.mark.parametrize("name", ["array", "asarray", "asanyarray", "copy", "ascontiguousarray"])
@given(a=arrays(), order=st.sampled_from(["C", "F", "A", "K"]))
def test_arrays_of_every_layout(name: str, a: Spec, order: str):
    """Values and dtype stay, whatever the layout asked for."""
    if name == "ascontiguousarray":
        compare(lambda np, x: np.ascontiguousarray(x), a)
    else:
        compare(lambda np, x: getattr(np, name)(x, order=order), a)


@given(st.recursive(scalars(), lambda inner: st.lists(inner, max_size=3), max_leaves=8))
def test_nested_lists(data: Any):
    """Numbers nested to any depth: the shape, the dtype, or the error of ragged lists."""
    flat = [data]
    while any(isinstance(v, list) for v in flat):
        flat = [w for v in flat for w in (v if isinstance(v, list) else [v])]
    # NumPy makes an array of objects of larger integers.
    assume(not any(isinstance(v, int) and not -(2**63) <= v < 2**64 for v in flat))
    compare(lambda np: np.array(data))


@given(st.lists(scalars(), max_size=1), st.sampled_from(DTYPES))
def test_numbers_in_a_dtype(data: list[Any], dtype: Any):
    """Conversion to every dtype, or Python's error."""
    compare(lambda np: np.array(data, dtype=dtype))


@given(arrays(), st.sampled_from(DTYPES))
def test_cast_to_every_dtype(a: Spec, dtype: Any):
    """An array in another dtype; what C leaves open is left out."""
    values = a.values
    if values.dtype.kind in "fc" and dtype.kind in "iu":
        values = numpy.nan_to_num(numpy.clip(values.real, 0, 100), posinf=0, neginf=0)
    if values.dtype.kind == "c" and dtype.kind != "c":
        values = values.real
    compare(lambda np, x: np.array(x, dtype=dtype), Spec(values.astype(a.values.dtype), a.layout))


@given(arrays(), arrays())
def test_lists_of_arrays(a: Spec, b: Spec):
    """Arrays in a list are joined in their common dtype, or do not fit."""
    compare(lambda np, x, y: np.array([x, y]), a, b)
    compare(lambda np, x, y: np.array([x, y], dtype=complex), a, b)


def test_lists_mix_numbers_arrays_and_tensors():
    """Whatever stands in a list, the values are those of NumPy's array of it."""
    tensor = torch.tensor([1.0, 2.0])
    made = ours.array([tensor, ours.array([3, 4]), [5, 6], numpy.array([7, 8]), (9, 10)])
    assert made._tensor.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]
    assert made.dtype == numpy.float64
    made = ours.array([torch.tensor(1.5), ours.float32(2), 3, numpy.int8(4), True])
    assert made._tensor.tolist() == [1.5, 2, 3, 4, 1]


def test_sequences_of_every_kind():
    """Ranges, deques, named tuples and classes with a length and items are sequences."""

    class Three:
        def __len__(self) -> int:
            return 3

        def __getitem__(self, i: int) -> int:
            if i > 2:
                raise IndexError
            return i * i

    point = collections.namedtuple("point", "x y")
    for data in (range(4), collections.deque([1, 2]), point(1, 2.5), Three(), [Three(), range(3)]):
        compare(lambda np, data=data: np.array(data))


class Celsius(float):
    """A number that is more than a number."""


class Level(enum.IntEnum):
    HIGH = 3


@pytest.mark.parametrize("value", [Celsius(1.5), Level.HIGH, [Celsius(1.5), 2], [Level.HIGH]])
def test_subclasses_of_numbers(value: Any):
    """They are numbers, and not weak ones."""
    compare(lambda np: np.array(value))
    compare(lambda np: np.ones(2, np.float32) * np.asarray(value))
    compare(lambda np: np.add(np.ones(1, np.float32), value))
    compare(lambda np: np.linspace(0, value, 3))
    compare(lambda np: np.full(1, value, dtype="float32"))


@pytest.mark.parametrize("code", "lqLQ")
def test_the_types_of_c(code: str):
    """Two types of C may have 64 bits; torch knows one of them."""
    for array in (numpy.array(2, code), numpy.arange(6).astype(code)[::2]):
        made = ours.asarray(array)
        assert made.dtype == array.dtype
        array[...] += 1
        assert made.tolist() == array.tolist()


def test_buffers_are_shared():
    """A writable buffer is the array's memory; a read-only one is copied."""
    for buffer in (
        bytearray(b"abc"),
        machine_array.array("d", [1, 2]),
        (ctypes.c_int * 3)(1, 2, 3),
        memoryview(bytearray(4)).cast("i"),
    ):
        compare(lambda np, buffer=buffer: np.asarray(buffer))
        shared = ours.asarray(buffer)
        shared[0] = 7
        assert numpy.asarray(buffer)[0] == 7
    compare(lambda np: np.asarray(memoryview(b"abc")))
    with ours.set_host_dtypes("error"), pytest.raises(TypeError, match="bytes"):
        ours.array(b"abc")


def test_numpy_arrays_are_shared_where_torch_can():
    """A write to one is seen in the other; read-only memory is copied."""
    base = numpy.arange(4.0)
    shared = ours.asarray(base)
    shared[0] = 9
    assert base[0] == 9
    assert ours.asarray(base[::2])._tensor.tolist() == [9, 2]
    locked = base.copy()
    locked.flags.writeable = False
    ours.asarray(base[::-1], copy=False)[0] = 5
    assert base[3] == 5
    for other in (locked, base.astype(ml_dtypes.bfloat16)):
        made = ours.asarray(other)
        assert made._tensor.tolist() == other.tolist()
        with pytest.raises(ValueError, match="copy"):
            ours.asarray(other if other.dtype != ml_dtypes.bfloat16 else locked, copy=False)
    with ours.set_host_dtypes("error"):
        assert ours.asarray(base.astype(">f8"))._tensor.tolist() == base.tolist()
        with pytest.raises(ValueError, match="copy"):
            ours.asarray(base.astype(">f8"), copy=False)
        with pytest.raises(TypeError, match="<U1"):
            ours.array(numpy.array(["a"]))
        with pytest.raises(TypeError, match="object"):
            ours.array(numpy.array([None]))


def test_tensors_are_wrapped_and_keep_their_gradient():
    """No copy, and a gradient through every way in."""
    t = torch.tensor([1.0, 2.0], requires_grad=True)
    assert ours.asarray(t)._tensor is t
    total = ours.array(t)._tensor.sum() + ours.array([t, t])._tensor.sum()
    (ours.asarray(t, dtype="f8")._tensor.sum() + total).backward()
    assert t.grad.tolist() == [4, 4]
    z = torch.tensor([1 + 2j])
    assert ours.asarray(z.conj())._tensor.tolist() == [1 - 2j]
    with pytest.raises(ValueError, match="copy"):
        ours.asarray(z.conj(), copy=False)
    with pytest.raises(TypeError, match="sparse"):
        ours.asarray(torch.eye(2).to_sparse())


def test_objects_with_protocols():
    """``__array__``, ``__array_interface__`` and ``__dlpack__``."""

    class WithArray:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return numpy.array([1, 2])

    class WithOurs:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return ours.array([1, 2])

    class WithInterface:
        held = numpy.array([1, 2])
        __array_interface__ = held.__array_interface__

    class WithDlpack:
        def __dlpack__(self, **options: Any) -> Any:
            return torch.tensor([1, 2]).__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return (1, 0)

    for thing in (WithArray(), WithOurs(), WithInterface(), WithDlpack()):
        assert ours.asarray(thing)._tensor.tolist() == [1, 2]
        assert ours.asarray(thing, dtype=float).dtype == numpy.float64
        assert ours.array([thing, thing])._tensor.tolist() == [[1, 2], [1, 2]]


def test_copies_and_what_is_not_copied():
    """``copy=`` means what it says."""
    a = ours.array([1.0, 2.0])
    assert ours.asarray(a) is a
    assert ours.array(a, copy=None) is a
    assert ours.array(a, copy=False) is a
    assert ours.array(a)._tensor.data_ptr() != a._tensor.data_ptr()
    widened = ours.array(a, copy=False, ndmin=2)
    widened[0, 0] = 5
    assert a._tensor.tolist() == [5, 2]
    scalar = ours.float64(3)
    changed = ours.asarray(scalar)
    changed[...] = 4
    assert float(scalar) == 3


def test_a_lost_imaginary_part_is_told_of():
    """With NumPy's warning."""
    with pytest.warns(numpy.exceptions.ComplexWarning):
        ours.asarray(ours.array([1j]), dtype=float)


def test_layouts():
    """``order=`` decides the strides, as in NumPy."""
    a = numpy.arange(6.0).reshape(2, 3)
    for source in (a, a.T, a[:, ::2]):
        for order in "CFAK":
            made = ours.array(ours.asarray(source), order=order)
            expected = numpy.array(source, order=order)
            strides = tuple(8 * s for s in made._tensor.stride())
            assert strides == expected.strides, (order, source.strides)


def test_device_and_default_dtype():
    """``device=`` names the device, and torch's default device is the default."""
    assert ours.array([1, 2], device="meta")._tensor.device.type == "meta"
    assert ours.asarray([1, 2], device="cpu")._tensor.device.type == "cpu"
    with pytest.raises(ValueError, match="nowhere"):
        ours.asarray([1], device="nowhere")
    with torch.device("meta"):
        assert ours.zeros(3)._tensor.device.type == "meta"


def test_big_lists():
    """A large nested list, and one int too large."""
    rows = [[float(i + j) for j in range(50)] for i in range(200)]
    compare(lambda np: np.array(rows))
    compare(lambda np: np.array([*range(1000), 2**63]))


CALLS = r"""
np.array([2**63, 1])
np.array([2**63, -1])
np.array([2**64], dtype=float)
np.array([2**64], dtype=np.int64)
np.array([300], dtype=np.uint8)
np.array([300.0], dtype=np.uint8)
np.array([-1.0], dtype=np.uint8)
np.array([1e20], dtype=np.int64)
np.array([np.nan], dtype=np.int64)
np.array([np.inf], dtype=np.int64)
np.array([1j], dtype=float)
np.array([1j], dtype=int)
np.array([1j], dtype=bool)
np.array([np.complex128(1j)], dtype=float)
np.array([np.array(1j)], dtype=float)
np.array([np.array([1j])], dtype=float)
np.array([np.int64(300)], dtype=np.uint8)
np.array([np.array(300)], dtype=np.uint8)
np.array([np.array([300])], dtype=np.uint8)
np.array(np.int64(300), dtype=np.uint8)
np.array([np.float32(1), 2.0])
np.array([np.int8(1), 2])
np.array([np.int8(1), True])
np.array([1e300], dtype=np.float32)
np.array([[1, 2], [3]])
np.array([[1, 2], 3])
np.array([1, [2, 3]])
np.array([np.array([1, 2]), [3, 4]])
np.array([np.array([1, 2]), np.array([1, 2, 3])])
np.array([np.zeros((2, 3)), np.zeros((2, 1))])
np.array([np.zeros(3), 1])
np.array([])
np.array([[], []])
np.array([np.zeros((0, 3), np.float32)])
np.array(range(3))
np.array([None], dtype=float)
np.array(["1.5"], dtype=float)
np.array("1.5", dtype=float)
np.array(["1", "2"], dtype=int)
np.array(b"1", dtype=int)
np.array(memoryview(b"abc"))
np.array(bytearray(b"abc"))
np.array([bytearray(b"abc")])
np.array([1, 2], copy=False)
np.array(5, copy=False)
np.array(np.float64(5), copy=False)
np.asarray(np.ones(3), dtype=int, copy=False)
np.asarray(np.ones((2, 2)), order="F", copy=False)
np.array([1, 2], ndmin=3)
np.array(np.ones((2, 3)), ndmin=3, copy=False)
np.array([1], ndmin=65)
np.array([1], order="X")
np.array(object=[1])
np.array([1], like=3)
np.array([[1, 2], [3, 4]], ndmax=1)
np.array([[1, 2], [3, 4]], ndmax=2)
np.array(np.ones((2, 2)), ndmax=1)
np.array([1, 2], copy="x")
np.array([1, 2], subok=True)
np.array([np.nan, 1], dtype=bool)
np.array([0.5, -0.0, 1j], dtype=bool)
np.array(-1, dtype=np.uint8)
np.array([True, 2], dtype=np.uint8)
np.array([[1, 2.5], [True, 4]])
np.array([1, 2], None, copy=None)
np.asarray([3, 4], "i4")
np.array([1, 2], dtype="nonsense")
np.array([1, 2], copy=np.True_)
np.array(["True", "", "0", "a"], dtype=bool)
np.array([1.5, None], dtype=float)
np.array(["a"], dtype=float)
np.array(["1+2j"], dtype=complex)
np.array(["1.5"], dtype=int)
np.array(["1_0"], dtype=int)
np.array(["nan", "inf"], dtype=float)
np.array([__import__("fractions").Fraction(1, 2)], dtype=float)
np.array([__import__("fractions").Fraction(1, 2)], dtype=int)
np.array([1, "2"], dtype=int)
np.array([dict(a=1)], dtype=float)
np.array(dict(a=1), dtype=float)
np.array(object(), dtype=float)
np.array([[1, 2], "ab"], dtype=float)
np.array(["ab", [1, 2]], dtype=float)
np.array([[[1], [2]], [[3], [4, 5]]])
np.asarray([1, 2], copy=True)
np.asarray([1, 2], device="cpu")
np.asarray([1, 2], device=None)
np.asarray([1, 2], order="F")
np.frombuffer(b"abcdefgh", dtype=np.int16)
np.frombuffer(b"abcdefgh", dtype=np.int16, count=2, offset=2)
np.frombuffer(b"abcdefgh", dtype=np.int16, count=2, offset=1)
np.frombuffer(b"abcdefgh", dtype=np.int16, count=5)
np.frombuffer(b"abcdefg", dtype=np.int16)
np.frombuffer(b"abcdefg", dtype=np.int16, offset=-1)
np.frombuffer(b"abcdefg", dtype=np.int16, offset=9)
np.frombuffer(b"")
np.frombuffer(b"", dtype=np.int8, count=1)
np.frombuffer(bytearray(16))
np.frombuffer(3)
np.fromiter(range(4), int)
np.fromiter(range(4), float, count=2)
np.fromiter(range(4), float, count=5)
np.fromiter([[1, 2]], float)
np.fromiter([], float)
np.fromiter([1.5], int)
np.fromiter(3, int)
np.fromiter("12", int)
np.fromstring("1,2,3", sep=",")
np.fromstring("1 2\n3", sep=" ", dtype=int)
np.fromstring("1, 2 ,3", sep=",", dtype=int)
np.fromstring("1 2 3", sep=" ", count=2)
np.fromstring("1 2 3", sep="")
np.fromstring("1 2 x 3", sep=" ")
np.fromstring("", sep=" ")
np.fromstring("1 0 -2.3 0.0", sep=" ", dtype=bool)
np.fromstring("nan(foo) +NaN(B) -nan", sep=" ")
np.fromstring("nan(foo)", sep=" ", dtype=int)
np.array([None, []])
np.array([1, [2]])
np.array([[], None], float)
np.arange(0, 1, [None, []])
np.fromfunction(lambda i, j: i * 2 + j, (2, 3))
np.fromfunction(lambda i: i, (2,), dtype=np.int8)
np.from_dlpack(np.ones(3))
np.from_dlpack(3)
np.require([1, 2], float, "C")
np.require([1, 2], float, ["C", "F"])
np.require([1, 2], float, ["Q"])
np.asarray_chkfinite([1, np.nan])
np.asarray_chkfinite([1, 2])
np.asarray_chkfinite([np.inf], order="F")
np.copy([1, 2])
np.copy(3)
np.ascontiguousarray(3)
np.asfortranarray([[1, 2]])
np.ascontiguousarray([1, 2], float)
np.array([np.int8(1), np.uint16(2), np.float32(3)])
"""


@pytest.mark.parametrize("call", lines(CALLS))
def test_call(call: str):
    """Every argument, and every kind of error."""
    compare_call(call)


class _Boxed:
    """A value that libraries of derivatives follow: what it has is that of the value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, key: Any) -> Any:
        return _Boxed(self.value[key])

    def __float__(self) -> float:
        return float(self.value)

    def __add__(self, other: Any) -> Any:
        return "added"

    def sum(self, axis: Any = None, out: Any = None) -> Any:
        return "summed"


@pytest.mark.parametrize("body", [
    lambda np, x: np.sum(x), lambda np, x: np.add(x, 1.0), lambda np, x: np.array([x]).dtype.kind,
    lambda np, x: np.array([x], dtype=float), lambda np, x: np.array([[x], [x]]).shape,
])  # fmt: skip
def test_objects_whose_length_fails_are_objects(body: Any):
    """NumPy takes a sequence without a length for an object, and calls its methods."""
    compare(lambda np: body(np, _Boxed(numpy.float64(2))))


class OldExporter(numpy.ndarray):
    """A subclass of NumPy's with a ``__dlpack__`` of its own, from before there were versions."""

    def __dlpack__(self, *, stream: Any = None) -> Any:
        return super().__dlpack__(stream=stream)


@pytest.mark.parametrize(
    "dtype", ["int16", "bool", "uint32", "complex64", ">i4", "U2", "M8[D]", "f8,i4"]
)
@pytest.mark.parametrize("kind", [numpy.ndarray, OldExporter])
def test_dlpack_of_numpys_arrays(dtype: str, kind: type):
    """Arrays of subclasses are taken over; ``BufferError`` for what DLPack has no code for."""
    given = numpy.zeros(3, dtype=dtype).view(kind)
    compare(lambda np: np.asarray(np.from_dlpack(given)))


def test_dtype_of_the_array_protocol_by_name():
    """``__array__`` takes its dtype by name, as an object that wraps an array passes it on."""

    class Wrapper:
        def __init__(self, value: Any) -> None:
            self.value = value

        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
            return self.value.__array__(dtype=dtype, copy=copy)

    compare(lambda np: np.array(Wrapper(np.arange(3)), dtype=np.float32))


@pytest.mark.parametrize("body", [
    lambda np, x: np.pad(x, 1),
    lambda np, x: np.array(x),
    lambda np, x: np.reshape(x, (-1,)) + np.ones(x.size),
    lambda np, x: np.ones(x.shape) + x,
    lambda np, x: np.add(x, x),
])  # fmt: skip
@pytest.mark.parametrize("shape", [(), (1,), (4,), (2, 3)])
@pytest.mark.parametrize("dtype", ["complex128", "float64", "int16"])
def test_memory_between_elements(dtype: str, shape: tuple[int, ...], body: Any):
    """Elements at addresses that are no multiples of their size: torch would end the process."""
    memory = numpy.zeros(1 + 16 * 6, numpy.int8)
    size = numpy.dtype(dtype).itemsize * math.prod(shape)
    x = memory[1 : 1 + size].view(dtype).reshape(shape)
    x[...] = 3
    assert not x.flags.aligned
    same(body(ours, x), body(numpy, x))
