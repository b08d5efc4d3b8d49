"""Python's protocols on arrays: conversion, iteration, copying, pickling, exchange."""

from __future__ import annotations

import array
import copy
import operator
import pickle
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given

import numpy_shim
from numpy_shim._convert import to_numpy
from tests.differential import Spec
from tests.numpy_shim.differential import compare, values_of
from tests.strategies import arrays, shapes
from xp_torch._core import dtypes
from xp_torch._core.context import here


@pytest.mark.parametrize("function", [bool, int, float, complex, operator.index, len, iter])
@given(x=arrays(shape=shapes(max_dims=2, max_side=2), finite=True))
def test_conversion(function: Any, x: Any):
    """Of every dtype and shape: the value, or NumPy's error."""
    compare(lambda np, a: function(a) if function is not iter else len(list(a)), x)


@pytest.mark.parametrize("function", [bool, int, float, complex, operator.index, hash])
@given(x=arrays(shape=(), finite=True))
def test_conversion_of_scalars(function: Any, x: Any):
    """A scalar's value, and a hash that is Python's."""
    compare(lambda np, a: function(a[()]), x)


@given(x=arrays(shape=shapes(min_dims=1)))
def test_iteration(x: Any):
    """Over the first axis, and over ``flat``: scalars of one axis, rows of several."""
    compare(lambda np, a: list(a), x)
    compare(lambda np, a: list(a.flat), x)
    compare(lambda np, a: list(a[::-1]), x)


def test_iteration_sees_writes():
    """An element is read when its turn comes, and is a copy then."""

    def running(np: Any) -> Any:
        a = np.array([1.0] * 100)
        seen = []
        for i, x in enumerate(a):
            seen.append(x)
            if i + 1 < 100:
                a[i + 1] += x
        return seen, a

    def columns(np: Any) -> Any:
        a = np.array([[1, 2], [3, 4], [5, 6]])
        for row in a:
            row += row[0]
        for i, x in enumerate(a.T.flat):
            a[2, 1] = i
            a[0, 0] += x
        return a

    compare(running)
    compare(columns)
    compare(lambda np: list(np.array(1)))


def test_iteration_traces_and_has_gradients():
    """A loop over an array is a graph; elements of a tensor with a gradient have one."""

    def total(t: torch.Tensor) -> Any:
        result = numpy_shim.asarray(t)[0] * 0
        for row in numpy_shim.asarray(t).reshape(2, 2):
            for x in row:
                result = result * 2 + x
        return numpy_shim.asarray(result).tensor

    t = torch.tensor([1.0, 2, 3, 4])
    assert torch.compile(total, fullgraph=True, backend="eager")(t) == total(t)
    t.requires_grad_()
    sum(numpy_shim.asarray(t) * numpy_shim.asarray(t)).tensor.backward()
    assert t.grad is not None
    assert t.grad.tolist() == [2, 4, 6, 8]
    with torch.inference_mode():
        assert [float(x) for x in numpy_shim.asarray(torch.ones(3))] == [1, 1, 1]


@given(x=arrays())
def test_contains(x: Any):
    """``in`` compares all elements."""
    for value in (0, 1.5, True, 300):
        compare(lambda np, a, value=value: value in a, x)


def test_format():
    """A number's format without axes, ``str`` with."""
    for spec in ["", ".2f", ">10", "d", "z"]:
        compare(lambda np, s=spec: format(np.array(3.14159), s), allow_numpy=True)
        compare(lambda np, s=spec: format(np.array([3.14159]), s), allow_numpy=True)
        compare(lambda np, s=spec: format(np.array(3), s), allow_numpy=True)
    compare(lambda np: round(np.array(2.5)))


@given(x=arrays())
def test_copies(x: Spec):
    """``copy.copy``, ``copy.deepcopy`` and pickles: same values, memory of their own."""
    for key in ((), (slice(None, None, -1),)):
        if len(key) > x.values.ndim:
            continue
        a = numpy_shim.asarray(x.tensor())[(*key, ...)]
        for made in (copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a)), a.copy()):
            assert type(made) is numpy_shim.ndarray
            assert made.dtype == a.dtype
            numpy.testing.assert_array_equal(values_of(made), values_of(a))
            if a.size:
                made.fill(0)
        if a.ndim == 0:
            scalar = a[()]
            for made in (copy.copy(scalar), copy.deepcopy(scalar), scalar.copy(),
                         pickle.loads(pickle.dumps(scalar))):  # fmt: skip
                assert type(made) is type(scalar)
                assert repr(made) == repr(scalar)


def test_copies_of_locked_arrays():
    """May be written to."""

    def body(np: Any) -> Any:
        a = np.array([1, 2])
        a.flags.writeable = False
        return [m.flags.writeable for m in (copy.copy(a), copy.deepcopy(a), a.copy())]

    compare(body)


def test_to_numpy():
    """Shared on the CPU, read-only where the array is, reversed where it is; no gradient."""
    a = numpy_shim.array([[1.0, 2], [3, 4]])
    shared = numpy.asarray(a)
    a[0, 0] = 9
    assert shared[0, 0] == 9
    numpy.asarray(a[::-1])[0, 0] = 7
    assert a[1, 0] == 7
    assert numpy.asarray(a, dtype="f4").dtype == "f4"
    assert not numpy.shares_memory(numpy.array(a), shared)
    a.flags.writeable = False
    assert not numpy.asarray(a).flags.writeable
    assert numpy.asarray(numpy_shim.float64(2)).flags.writeable
    t = torch.tensor([1.0], requires_grad=True)
    assert numpy.asarray(numpy_shim.asarray(t)).tolist() == [1]
    assert a.__array__(copy=False).shape == (2, 2)
    with pytest.raises(ValueError, match="copy"):
        a.__array__(numpy.dtype("i8"), copy=False)
    half = numpy_shim.array([1.5], numpy_shim.float16)
    assert numpy.asarray(half).dtype == "f2"


@pytest.mark.parametrize("axis", [0, 1])
def test_to_numpy_of_lazily_conjugated_memory(axis: int):
    """What NumPy reads is a copy that stays alive."""
    conjugated = torch.full((3, 4), 1 + 2j).movedim(axis, 0).conj()
    a = numpy_shim.array([0j])
    a._tensor = conjugated
    for read in (
        numpy.asarray(a),
        numpy.from_dlpack(a),
        numpy.array(a.__array_interface__["data"]),
    ):
        assert read.shape == conjugated.shape
        assert (read == 1 - 2j).all()
    compare(lambda np: np.fft.ihfft(np.ones((4, 3)), axis=axis), signed_zeros=False)
    assert not numpy_shim.fft.ihfft(numpy_shim.ones((4, 3)), axis=axis)._tensor.is_conj()


@pytest.mark.parametrize(
    "view",
    [
        lambda a: a,
        lambda a: a.T,
        lambda a: a[:, 1],
        lambda a: a[::-2, ::3],
        lambda a: a[1:, ::-1].T,
    ],
    ids=["whole", "transposed", "column", "backwards", "flipped"],
)
@pytest.mark.parametrize("dtype", ["i8", "f4", "c16"])
def test_to_numpy_can_be_set_writeable_again(view, dtype: str):
    """SciPy does that with the indices of sparse arrays; NumPy asks the memory for it."""
    a = view(numpy_shim.arange(24).reshape(4, 6).astype(dtype))
    read = numpy.asarray(a)
    expected = view(numpy.arange(24).reshape(4, 6).astype(dtype))
    numpy.testing.assert_array_equal(read, expected)
    assert read.strides == expected.strides
    assert numpy.shares_memory(read, numpy.asarray(a))
    read.flags.writeable = False
    read.flags.writeable = True
    read[...] = 7
    assert (a == 7).all()
    a.flags.writeable = False
    with pytest.raises(ValueError, match="WRITEABLE"):
        numpy.asarray(a).flags.writeable = True


def test_to_numpy_of_scalars():
    """The interface of a scalar owns the memory that it describes."""
    read = [numpy.asarray(numpy_shim.float64(i)) for i in range(20)]
    assert [float(x) for x in read] == list(range(20))


def test_to_numpy_of_bfloat16():
    """Of the dtype of ``ml_dtypes``, which NumPy's descriptions of memory do not name."""
    a = numpy_shim.asarray(torch.ones(3, dtype=torch.bfloat16))
    assert numpy.asarray(a).dtype.name == "bfloat16"
    assert numpy.shares_memory(numpy.asarray(a), numpy.asarray(a))


def test_host_copies_are_explicit():
    """From a device a TypeError names the way; one switch allows it."""

    def allowed() -> bool:
        return here(to_numpy, "_implicit_host_copy")

    a = numpy_shim.asarray(torch.empty(2, device="meta"))
    with pytest.raises(TypeError, match="allow_implicit_host_copy"):
        numpy.asarray(a)
    with pytest.raises(ValueError, match="copy=False"):
        a.__array__(copy=False)
    with pytest.raises(AttributeError, match="meta"):
        _ = a.__array_interface__
    assert not allowed()
    with numpy_shim.allow_implicit_host_copy():
        assert allowed()
    numpy_shim.allow_implicit_host_copy(True)
    numpy_shim.allow_implicit_host_copy(False)
    assert not allowed()


def test_namespace():
    """The module itself, for the standard's versions."""
    a = numpy_shim.array([1])
    assert a.__array_namespace__() is numpy_shim
    assert a.__array_namespace__(api_version="2024.12") is numpy_shim
    with pytest.raises(ValueError, match="api_version"):
        a.__array_namespace__(api_version="1999.01")


@given(x=arrays(dtypes.NUMERIC, shape=shapes(min_dims=1)))
def test_dlpack(x: Spec):
    """To NumPy and to torch and back, on the same memory."""
    a = numpy_shim.asarray(x.tensor()).copy()
    assert a.__dlpack_device__() == (1, 0)
    for module in (numpy, torch):
        shared = module.from_dlpack(a)
        if a.size:
            a[...] = 1
            assert (numpy.asarray(shared) == 1).all()
    with pytest.raises(BufferError, match="dlpack"):
        a.__dlpack__(dl_device=(2, 0))
    a.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        a.__dlpack__()
    assert numpy.from_dlpack(a, copy=True).shape == a.shape


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("kind", ["f8", "f4", "i2", "u8", "?", "c16", "f2"])
def test_pickle(protocol: int, kind: str):
    """Values and layout come back: contiguous, by columns, permuted, strided, reversed, empty."""
    whole = numpy_shim.arange(24).reshape(2, 3, 4).astype(kind)
    for a in (whole, whole.copy("F"), whole.transpose(1, 2, 0), whole[..., ::2], whole[::-1],
              whole[:, :0], whole[0, 0, 0], whole[0, 0, 0:1].reshape(())):  # fmt: skip
        back = pickle.loads(pickle.dumps(a, protocol))
        assert type(back) is (type(a) if isinstance(a, numpy_shim.generic) else numpy_shim.ndarray)
        assert back.tolist() == a.tolist()
        assert back.dtype == a.dtype
        assert back.shape == a.shape
        if a is not whole[::-1] and protocol == 5 and a.flags.forc:
            assert back.strides == a.strides


def test_pickle_out_of_band():
    """The buffer is the array's memory; read-only arrays come back read-only."""
    a = numpy_shim.arange(10)
    buffers: list[Any] = []
    made = pickle.dumps(a, protocol=5, buffer_callback=buffers.append)
    assert len(buffers) == 1
    assert len(made) < 300
    back = pickle.loads(made, buffers=buffers)
    a[0] = -1
    assert back[0] == -1
    del a
    assert back.sum() == 44
    back.flags.writeable = False
    again = pickle.loads(pickle.dumps(back, protocol=5))
    assert not again.flags.writeable
    assert again.tolist() == back.tolist()
    assert not pickle.loads(made, buffers=[bytes(80)]).flags.writeable


def test_pickle_keeps_a_gradient():
    """torch pickles what needs one."""
    a = numpy_shim.asarray(torch.ones(3, requires_grad=True))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(a, protocol)).tensor.requires_grad


class Once:
    """Gives another array where a copy is asked for."""

    def __init__(self, np: Any) -> None:
        self.copied, self.kept = np.zeros(2), np.ones(2)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.copied if copy else self.kept


class Never:
    """Its method does not know ``copy``."""

    def __init__(self, np: Any) -> None:
        self.kept = np.ones(2)

    def __array__(self, dtype: Any = None) -> Any:
        return self.kept


@pytest.mark.parametrize("copy", [True, None, False, *numpy._CopyMode])
@pytest.mark.parametrize("kind", [Once, Never])
def test_copy_of_what_has_an_array(copy: Any, kind: Any):
    """``copy`` is passed on, and what comes back is trusted."""

    def body(np: Any) -> Any:
        x = kind(np)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                made = np.array(x, copy=copy)
            except ValueError as error:
                made = type(error).__name__
        names = [w.category.__name__ for w in caught]
        more = [np.array(x, float, order="F", copy=copy) is x.kept] if names == [] else []
        return made, made is x.kept, made is getattr(x, "copied", None), names, more

    compare(body)


@pytest.mark.parametrize("copy", [True, None, False, *numpy._CopyMode, "no"])
def test_copy_modes(copy: Any):
    """``numpy._CopyMode`` stands for the three values; ``astype`` does not take it."""

    def shares(np: Any, make: Any) -> Any:
        a = np.arange(3)
        return make(np, a) is a

    compare(lambda np: shares(np, lambda np, a: np.array(a, copy=copy)))
    compare(lambda np: shares(np, lambda np, a: np.asarray(a, copy=copy)))
    compare(lambda np: shares(np, lambda np, a: np.array(a, copy=copy, dtype="f4")))
    if not isinstance(copy, str):
        compare(lambda np: shares(np, lambda np, a: a.astype(int, copy=copy)))
        compare(lambda np: shares(np, lambda np, a: a.astype(float, copy=copy)))


def test_base_of_foreign_memory():
    """What the memory was taken from is the base, and such an array cannot be resized."""
    for source in (numpy.arange(3.0), bytearray(24), array.array("d", [1, 2, 3])):
        a = numpy_shim.asarray(source)
        assert a.base is source
        assert not a.flags.owndata
        assert a[1:].base is a
        assert numpy_shim.array(source).base is None
        with pytest.raises(ValueError, match="own"):
            a.resize(10)
    memory = bytearray(24)
    assert numpy_shim.frombuffer(memory).base is memory
    ours = numpy_shim.arange(3)
    assert numpy_shim.frombuffer(ours, "i4").base is ours
    assert numpy_shim.frombuffer(bytes(24)).base is None


def test_sizeof():
    """The memory counts for the array that owns it."""
    a = numpy_shim.zeros(1000)
    assert sys.getsizeof(a) > 8000
    assert sys.getsizeof(a[:]) < 200
    a.resize(10)
    assert sys.getsizeof(a) < 300


@pytest.mark.parametrize("kind", ["u1", "i8", "f4", "c16"])
@pytest.mark.parametrize(
    "line", ["a = np.arange(4.0)", "a = np.arange(4.0)[::2]", "a = np.arange(4.0)[::-1]",
             "a = np.broadcast_to(np.ones(1), 4)", "a = np.arange(4.0); a.flags.writeable = False",
             "a = np.arange(4.0).reshape(2, 2)[::-1]", "a = np.float64(1)"],
)  # fmt: skip
def test_setting_the_dtype(line: str, kind: str):
    """In place, of a special array too; ``ValueError`` where the bytes do not lie so."""

    def body(np: Any) -> Any:
        names: dict[str, Any] = {"np": np}
        exec(line, names)
        names["a"].dtype = kind
        return names["a"], names["a"].flags.writeable

    compare(body)


def test_deepcopy_of_a_scalar():
    """A value that cannot change is its own copy; NumPy's flat cannot lose elements."""
    x = numpy_shim.float64(1.5)
    assert copy.deepcopy(x) is x
    assert x.__deepcopy__(None) is x
    compare(lambda np: np.ones(3).flat.__delitem__(1))
    compare(lambda np: sys.getsizeof(np.ones(5).reshape(5, 1).copy()) > sys.getsizeof(np.ones(5)))
    compare(
        lambda np: np.lib.stride_tricks.as_strided(np.ones((4, 1)), strides=(8, 123)).ravel("K")
    )


def test_arrays_match_sequences():
    """In NumPy since 2.5; a scalar is none, and an array without axes has no length."""

    def matched(x: Any) -> Any:
        match x:
            case [a, b]:
                return float(a), float(b)
            case [a, *rest]:
                return "more", len(rest)
        return None

    assert matched(numpy_shim.array([1.0, 2.0])) == (1.0, 2.0)
    assert matched(numpy_shim.ones((3, 2))) == ("more", 2)
    assert matched(numpy_shim.zeros(0)) is None
    assert matched(numpy_shim.float64(1)) is None
    with pytest.raises(TypeError):
        matched(numpy_shim.array(1.0))
    assert not isinstance(numpy_shim.ones(2), Sequence)
