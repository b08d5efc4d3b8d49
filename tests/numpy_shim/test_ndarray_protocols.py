"""Python's protocols on arrays: conversion, iteration, copying, pickling, exchange."""

from __future__ import annotations

import copy
import operator
import pickle
from typing import Any

import numpy
import pytest
import torch
from hypothesis import given

import numpy_shim
from numpy_shim import _interop
from tests.differential import Spec
from tests.numpy_shim.differential import compare, values_of
from tests.strategies import arrays, shapes
from xp_torch._core import dtypes


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
        return result.tensor

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


def test_host_copies_are_explicit():
    """From a device a TypeError names the way; one switch allows it."""
    a = numpy_shim.asarray(torch.empty(2, device="meta"))
    with pytest.raises(TypeError, match="allow_implicit_host_copy"):
        numpy.asarray(a)
    with pytest.raises(ValueError, match="copy=False"):
        a.__array__(copy=False)
    with pytest.raises(AttributeError, match="meta"):
        _ = a.__array_interface__
    assert not _interop.allow_implicit_host_copy._value
    with numpy_shim.allow_implicit_host_copy():
        assert _interop.allow_implicit_host_copy._value
    numpy_shim.allow_implicit_host_copy(True)
    numpy_shim.allow_implicit_host_copy(False)
    assert not _interop.allow_implicit_host_copy._value


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


FLAT_KEYS = [
    0, -1, 7, slice(1, 3), slice(None, None, -1), ..., [0, 1], [], (0,), (0, 1), "a", None,
    numpy.array([True, False] * 3), numpy.array([[0, 1], [2, 3]]), numpy.array([True]),
    True, False, (True,), (...,), (None, 1), [True, 1], [True, True], [1.0, 2.0], 1.5,
    numpy.array(True), numpy.array(1.0), numpy.ones((2, 3), bool), [6, 0], range(2),
]  # fmt: skip


@pytest.mark.parametrize("key", FLAT_KEYS, ids=str)
@pytest.mark.parametrize("layout", ["C", "F", "reversed"])
def test_flat(key: Any, layout: str):
    """Indexing gives copies; assigning goes through the values as often as it takes."""

    def make(np: Any) -> Any:
        a = np.array([[0, 1, 2], [3, 4, 5]])
        return {"C": a, "F": a.T, "reversed": a[:, ::-1]}[layout]

    def read(np: Any) -> Any:
        return make(np).flat[np.array(key.tolist()) if isinstance(key, numpy.ndarray) else key]

    def write(np: Any, values: Any) -> Any:
        a = make(np)
        a.flat[np.array(key.tolist()) if isinstance(key, numpy.ndarray) else key] = values
        return a

    compare(read)
    of_a_truth = isinstance(key, bool) or (isinstance(key, numpy.ndarray) and not key.ndim)
    for values in (9,) if of_a_truth else (9, [7, 8], [1, 2, 3, 4, 5, 6, 7, 8], []):
        compare(lambda np, values=values: write(np, values))


def test_flat_warns_of_odd_keys():
    """NumPy's deprecations, for the caller's line; an iterator over indices is one more key."""
    flat = numpy_shim.arange(6).flat
    for key in (True, numpy_shim.array(False)):
        with pytest.warns(DeprecationWarning, match="0-dimensional boolean index") as caught:
            flat[key]
        assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="Invalid non-array indices"):
        flat[[1.0]]
    with pytest.raises(IndexError, match="boolean index did not match indexed flat iterator"):
        flat[numpy_shim.ones(7, bool)]
    compare(lambda np: np.arange(9).reshape(3, 3).flat[np.array([0, 5, 6]).flat])


def test_flat_as_iterator():
    """Its place, its length, its comparisons; assigning to ``flat`` itself."""

    def body(np: Any) -> Any:
        a = np.array([[0, 1], [2, 3]])
        flat = a.flat
        steps = [(flat.index, flat.coords, next(flat)) for _ in range(3)]
        a.flat = [5, 6]
        return (
            steps,
            a,
            len(flat),
            flat.copy(),
            flat.base is a,
            a.flat == 5,
            a.flat < 6,
            a.flat != 5,
        )

    compare(body)
    compare(lambda np: list(np.array([]).flat))
    assert numpy.asarray(numpy_shim.array([[1], [2]]).flat).tolist() == [1, 2]
