"""``ndarray``'s attributes and its constructor, against NumPy."""

from __future__ import annotations

import ctypes
import warnings
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import compare
from tests.strategies import arrays, shapes
from xp_torch._core import dtypes

ATTRIBUTES = ["shape", "dtype", "ndim", "size", "itemsize", "nbytes", "T", "real", "imag"]
FLAGS = ["c_contiguous", "f_contiguous", "contiguous", "fortran", "forc", "fnc", "writeable",
         "aligned", "behaved", "carray", "farray", "writebackifcopy"]  # fmt: skip
KEYS = ["C", "F", "O", "W", "A", "X", "B", "CA", "FA", "C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA",
        "WRITEABLE", "ALIGNED", "BEHAVED", "CARRAY", "FARRAY", "FNC", "FORC", "Z", 3]  # fmt: skip


@pytest.mark.parametrize("name", ATTRIBUTES)
@given(x=arrays())
def test_attribute(name: str, x: Any):
    """Every attribute of every dtype, shape and layout."""
    compare(lambda np, a: getattr(a, name), x)


LAID_OUT = {
    "contiguous": lambda np, a: a.copy(),
    "transposed": lambda np, a: a.copy().T,
    "fortran": lambda np, a: a.copy("F"),
    "strided": lambda np, a: a.copy()[..., ::2] if a.ndim else a.copy(),
    "offset": lambda np, a: a.copy()[1:] if a.ndim else a.copy(),
    "reversed": lambda np, a: a.copy()[::-1] if a.ndim else a.copy(),
}


@pytest.mark.parametrize("layout", LAID_OUT)
@given(x=arrays())
def test_strides(layout: str, x: Any):
    """In bytes, where the axis has neighbours to be apart from."""

    def body(np: Any, a: Any) -> Any:
        a = LAID_OUT[layout](np, a)
        return [s for s, n in zip(a.strides, a.shape, strict=True) if n > 1 and a.size]

    compare(body, x)


@pytest.mark.parametrize(
    "key", [slice(None, None, -1), (slice(None), slice(None, None, -2)), (0, slice(2, None, -1))]
)
def test_strides_of_reversed_views(key: Any):
    """Negative."""
    compare(lambda np: np.array([[1.0, 2, 3], [4, 5, 6]])[key].strides)


@pytest.mark.parametrize("layout", LAID_OUT)
@given(x=arrays(shape=shapes(min_dims=1)))
def test_flags(layout: str, x: Any):
    """All flags, as attributes and as items, and their number."""

    def body(np: Any, a: Any) -> Any:
        a = LAID_OUT[layout](np, a)
        return [getattr(a.flags, name) for name in FLAGS]

    compare(body, x)


def test_flags_as_items():
    """By every name NumPy has for them; KeyError for no name."""
    for key in KEYS:
        compare(lambda np, key=key: np.array([[1, 2], [3, 4]]).flags[key])
    compare(lambda np: str(np.array([[1, 2], [3, 4]]).flags))
    compare(lambda np: np.array([[1, 2], [3, 4]]).flags.num)
    compare(lambda np: np.array([1]).flags == np.array([2]).flags)
    compare(lambda np: np.array([1]).flags == np.array([[1, 2], [3, 4]]).T.flags)


def test_owndata_and_base():
    """Of a view the owner is the base, not the view between; an array of its own has none."""

    def body(np: Any) -> Any:
        a = np.array([[1.0, 2, 3], [4, 5, 6]])
        views = [a[1:], a[1:][:, 1:], a.T, a.T[0], a.reshape(3, 2), a.real, a.view(), a[::-1]]
        return [v.base is a and not v.flags.owndata for v in views], a.base, a.flags.owndata

    compare(body)


@pytest.mark.parametrize(
    "shape", [6, (6,), (3, 2), (-1,), (3, -1), (1, 6, 1), 5, (4, -1), (-1, -1), "a", (2.0, 3)]
)
def test_shape_assignment(shape: Any):
    """In place, -1 included, with NumPy's errors."""

    def body(np: Any) -> Any:
        a = np.array([[1, 2, 3], [4, 5, 6]])
        a.shape = shape
        return a

    compare(body)


def test_shape_assignment_needs_no_copy():
    """A transposed array refuses what would need one; a reversed one takes what is a view."""

    def transposed(np: Any) -> None:
        a = np.array([[1, 2, 3], [4, 5, 6]]).T
        a.shape = 6

    def reversed_(np: Any) -> Any:
        a = np.array([1, 2, 3, 4, 5, 6])
        b = a[::-1]
        b.shape = (2, 3)
        b[0, 0] = 9
        return a, b

    compare(transposed)
    compare(reversed_)


@given(x=arrays(shape=shapes(min_dims=1)), value=st.integers(0, 5))
def test_assigning_parts(x: Any, value: int):
    """``real`` and ``imag`` write to the array; a real array has no imaginary part to set."""

    def real(np: Any, a: Any) -> Any:
        a = a.copy()
        a.real = value
        return a

    def imag(np: Any, a: Any) -> Any:
        a = a.copy()
        a.imag = value
        return a

    compare(real, x)
    compare(imag, x)


def test_parts_are_views():
    """Writes through ``real``, ``imag``, ``T`` and ``mT`` reach the array."""

    def body(np: Any) -> Any:
        a = np.array([[1 + 2j, 3 + 4j], [5 + 6j, 7 + 8j]])
        a.real[0] = 10
        a.imag[:, 1] = -1
        a.T[1] += 1
        a.mT[0, 0] = 0
        return a

    compare(body)
    compare(lambda np: np.array([1.0]).imag.flags.writeable)
    compare(lambda np: np.array([1.0]).mT)
    compare(lambda np: np.array([[[1, 2], [3, 4]]]).mT)


def test_read_only():
    """Nothing writes to a locked array; only its owner's lock keeps a view locked."""

    def locked(np: Any) -> Any:
        a = np.array([1.0, 2, 3])
        a.flags.writeable = False
        return a

    def unlocked(np: Any) -> Any:
        a = locked(np)
        a.setflags(write=True)
        a[0] = 5
        return a, a.flags.writeable

    def view(np: Any) -> Any:
        a = locked(np)
        a[1:].flags.writeable = True

    writes = [
        lambda a: a.__setitem__(0, 1), lambda a: a.fill(1), lambda a: a.__iadd__(1),
        lambda a: a[1:].__setitem__(0, 1), lambda a: a.reshape(3, 1).__setitem__(0, 1),
        lambda a: a.flat.__setitem__(0, 1), lambda a: setattr(a, "real", 1), lambda a: a.sort(),
        lambda a: a[::-1].__setitem__(0, 1), lambda a: a.T.fill(1), lambda a: a.view().fill(0),
    ]  # fmt: skip
    for write in writes:
        compare(lambda np, write=write: write(locked(np)))
    compare(lambda np: np.add([1, 2, 3], 2, out=locked(np)))
    compare(unlocked)
    compare(view)
    compare(lambda np: np.array([1]).setflags(uic=True))
    compare(lambda np: (locked(np).copy().flags.writeable, (locked(np) + 1).flags.writeable))
    compare(lambda np: type(locked(np)[0]).__name__)
    assert isinstance(locked(numpy_shim), numpy_shim.ndarray)
    with pytest.raises(ValueError, match="ALIGNED"):
        numpy_shim.array([1]).setflags(align=False)


def test_constructor():
    """Shape, dtype, buffer, offset, strides and order, with NumPy's errors."""
    for arguments in [
        ((2, 2), "u1", bytearray(b"abcdef")), ((2, 2), "u1", bytearray(b"abcdef"), 2),
        (2, "i2", bytearray(b"abcdef"), 2), ((2, 2), "u1", b"abcdef", 0, (3, 1)),
        ((2, 2), "u1", bytearray(b"abcdef"), 0, None, "F"), (3, "f8", bytearray(8)),
        (4, "u1", bytearray(b"abcdef"), 4, -1), (4, "u1", bytearray(b"abcdef"), 4, -2),
        ((2, 2), "u1", bytearray(b"abcdef"), 1, (2, -1)), (8, "u1", bytearray(b"abc"), 2, 0),
        (0, "u1", bytearray(b"abc"), 0, 10), ((), "u1", bytearray(b"a")),
        ((2, 2), "i2", bytearray(16), 0, (4, 2)),
    ]:  # fmt: skip
        compare(lambda np, arguments=arguments: np.ndarray(*arguments))
    for shape in [3, (2, 3), (0, 2), ()]:
        compare(lambda np, shape=shape: np.ndarray(shape, "f4").shape)
        compare(lambda np, shape=shape: np.ndarray(shape, order="F").flags.f_contiguous)
    compare(lambda np: np.ndarray((2, 2), "u1", b"abcd").flags.writeable)
    compare(lambda np: np.ndarray("a"))
    compare(lambda np: np.ndarray((2, 2), order="Z"))


def test_constructor_shares_memory():
    """With a buffer that may be written to, an array of ours among them."""

    def body(np: Any) -> Any:
        memory = bytearray(4)
        np.ndarray(4, np.uint8, memory)[1] = 7
        owner = np.zeros(4)
        np.ndarray(2, buffer=owner, offset=8)[0] = 3
        return list(memory), owner

    compare(body)


def test_generic_alias():
    """``ndarray[...]`` is an annotation."""
    assert numpy_shim.ndarray[Any, numpy_shim.dtype[numpy.float64]].__origin__ is numpy_shim.ndarray


@pytest.mark.parametrize("name", ["data", "T", "ctypes", "nbytes", "base", "flags"])
def test_attributes_not_to_set(name: str):
    """AttributeError, as in NumPy."""
    compare(lambda np: setattr(np.array([1]), name, 1))


def test_data_and_interface():
    """The buffer and the array interface describe the memory, on the CPU."""
    a = numpy_shim.array([[1.0, 2], [3, 4]])
    a.data[0, 1] = 9.0
    assert a[0, 1] == 9
    for view in (a, a.T, a[:, ::-1], a[:0]):
        shared = numpy.asarray(view)
        assert shared.tolist() == view.tolist()
        assert shared.size == 0 or numpy.shares_memory(shared, numpy.asarray(a))
    kept = numpy.asarray(a)
    a.resize((100, 100), refcheck=False)
    assert kept[0, 1] == 9


@pytest.mark.parametrize(
    "view", [lambda a: a, lambda a: a.T, lambda a: a[:, ::-1], lambda a: a[1:], lambda a: a[0, :0]]
)
def test_ctypes(view: Any):
    """Pointers, shapes and strides for C, and they hold on to the memory.

    The strides of an array without elements lead nowhere, and differ.
    """

    def described(np: Any) -> Any:
        a = view(np.arange(6.0).reshape(2, 3))
        given = a.ctypes
        return list(given.shape), list(given.strides) if a.size else None

    compare(described)

    def read(np: Any) -> float:
        a = view(np.arange(6.0).reshape(2, 3))
        pointer = a.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        size = a.size
        del a
        return pointer[0] if size else 0.0

    compare(read)


def test_ctypes_writes_to_the_memory():
    """What C writes is seen in the array; an array on a device has no address for it."""
    a = numpy_shim.zeros(2)
    a.ctypes.data_as(ctypes.POINTER(ctypes.c_double))[1] = 5.0
    assert a.tolist() == [0.0, 5.0]
    with pytest.raises(AttributeError, match="meta"):
        _ = numpy_shim.asarray(torch.empty(2, device="meta")).ctypes


def test_tensor_is_shared():
    """``tensor`` gives the tensor itself; torch's dtype and device stay."""
    t = torch.tensor([1.0, 2.0], requires_grad=True)
    a = numpy_shim.asarray(t)
    assert a.tensor is t
    assert a.device == t.device
    assert (a * 2).sum().tensor.requires_grad


@given(x=arrays(dtypes.COMPLEX_FLOATING))
def test_gradient_free_conjugate_views(x: Spec):
    """The parts of a lazily conjugated tensor are its values."""
    tensor = x.tensor().conj()
    a = numpy_shim.asarray(tensor)
    numpy.testing.assert_array_equal(numpy.asarray(a.imag), x.numpy().conj().imag)
    numpy.testing.assert_array_equal(numpy.asarray(a.real), x.numpy().real)


class TestSubclasses:
    """A class derived from ``ndarray`` derives from NumPy's, and functions keep it."""

    @staticmethod
    def derived(np: Any) -> Any:
        class Special(np.ndarray):
            """With a unit that views and results take over."""

            unit: str | None

            def __new__(cls, data: Any, unit: str | None = None) -> Any:
                made = np.asarray(data).view(cls)
                made.unit = unit
                return made

            def __array_finalize__(self, other: Any) -> None:
                super().__array_finalize__(other)
                self.unit = getattr(other, "unit", None)

        return Special

    def test_derives_from_numpys(self):
        special = self.derived(numpy_shim)
        assert special.__mro__[2:] == numpy.ndarray.__mro__
        assert type(special) is type
        assert issubclass(special, numpy_shim.ndarray)

    @pytest.mark.parametrize(
        "body",
        [
            "s[1:]", "s + 1", "1 - s", "s + a", "a + s", "a * s", "np.exp(s)", "np.add(a, s)",
            "np.sum(s, axis=0)", "np.sort(s)", "np.concatenate([s, a])", "np.where(s > 1, s, a)",
            "np.asanyarray(s)", "np.array(s, subok=True)", "np.copy(s, subok=True)", "s.T", "a @ s",
            "np.multiply.reduce(s)", "np.ravel(s)", "np.expand_dims(s, 0)", "np.linalg.norm(s)",
        ],
    )  # fmt: skip
    def test_functions_keep_it(self, body: str):
        found = {}
        for np in (numpy, numpy_shim):
            s, a = self.derived(np)([3.0, 1.0, 2.0], "m"), np.array([1.0, 2.0, 3.0])
            result = eval(body, {"np": np, "s": s, "a": a})
            kind = type(result).__name__.removeprefix("ndarray")
            found[np] = kind, getattr(result, "unit", 0), numpy.asarray(result).tolist()
        assert found[numpy_shim] == found[numpy]

    def test_asarray_is_ours(self):
        s = self.derived(numpy_shim)([3.0, 1.0])
        assert type(numpy_shim.asarray(s)) is type(numpy_shim.array(s)) is numpy_shim.ndarray
        assert type(s.view(numpy.ndarray)) is numpy.ndarray

    def test_made_by_the_constructor(self):
        special = self.derived(numpy_shim)
        made = numpy_shim.ndarray.__new__(special, (2, 3), numpy_shim.float32)
        assert (type(made), made.shape, made.dtype.name) == (special, (2, 3), "float32")

    @pytest.mark.parametrize("part", [slice(None), slice(1, None)], ids=str)
    def test_made_on_memory_of_ours(self, part: slice):
        """As ``super().__new__(cls, shape, dtype, array)``, the way of most programs."""

        def made(np: Any) -> Any:
            class Special(np.ndarray):
                def __new__(cls, values: Any, **options: Any) -> Any:
                    return super().__new__(cls, values.shape, values.dtype, values, **options)

            values = np.arange(4.0)[part]
            whole = Special(values)
            values[0] = 9
            assert type(whole) is Special
            return whole.tolist(), Special(values[:1], order="F").tolist()

        assert made(numpy_shim) == made(numpy)
        values = numpy_shim.arange(2)
        plain = self.derived(numpy_shim)
        assert super(plain, plain).__new__(plain, (1,), int, values, 8).tolist() == [1]
        with pytest.raises(TypeError, match="too small"):
            super(plain, plain).__new__(plain, (3,), int, values)

    def test_a_view_shares_memory(self):
        a = numpy_shim.zeros(3)
        a.view(self.derived(numpy_shim))[0] = 5
        assert a[0] == 5

    def test_switched_off(self):
        special = self.derived(numpy_shim)
        with numpy_shim.set_host_dtypes("error"):
            with pytest.raises(TypeError, match="Special"):
                numpy_shim.ndarray.__new__(special, 3)
            with pytest.raises(TypeError, match="set_host_dtypes"):
                numpy_shim.zeros(3).view(special)


@pytest.mark.parametrize("strides", [(8,), 8, 16, 0, -16, (), (8, 8), [8], None, 3.0, "8"], ids=str)
@pytest.mark.parametrize("part", [slice(2, 5), slice(None), slice(1, 9, 2)], ids=str)
def test_setting_strides(part: slice, strides: Any) -> None:
    """Deprecated, and within the memory of the base."""

    def body(np: Any) -> Any:
        a = np.arange(10)
        view = a[part]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                view.strides = strides
            except Exception as error:
                return error, [str(w.message) for w in caught]
        view[:2] = 7
        return view, view.strides, a, [(w.category, str(w.message)) for w in caught]

    compare(body)


@pytest.mark.filterwarnings("ignore:Setting the strides")
def test_an_axis_is_turned_round_in_place() -> None:
    def body(np: Any, strides: int, part: slice) -> Any:
        a = np.arange(5)
        view = a[part]
        view.strides = strides
        view[0] = 9
        return view, a, view.strides

    compare(lambda np: body(np, 8, slice(None, 1, -1)))
    compare(lambda np: body(np, -8, slice(2, 4)))
    compare(lambda np: setattr(np.float64(1), "strides", ()))


@pytest.mark.parametrize("shape", [(0,), (0, 4), (4, 0), (3, 0, 2), (0, 0)])
def test_strides_without_elements(shape: tuple[int, ...]) -> None:
    """They are torch's; what depends on the order in memory is as with NumPy."""
    made = numpy_shim.zeros(shape)
    assert made.strides == tuple([8 * s for s in made.tensor.stride()])

    def body(np: Any) -> Any:
        a = np.zeros(shape)
        flags = [(x.flags.c_contiguous, x.flags.f_contiguous, x.nbytes) for x in (a, a.T, a[::-1])]
        views = [x.reshape(-1).shape for x in (a, a.T, a[::-1])]
        return (
            flags,
            views,
            np.shares_memory(a, a),
            a.T.copy().shape,
            a.tobytes(),
            a.ravel("F").shape,
        )

    compare(body)
