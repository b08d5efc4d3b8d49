"""The chapter *Indexing* and the indexing functions beside array-api-strict."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import xp_torch as xp
from tests.cases import label
from tests.differential import Spec, compare
from tests.keys import WRONG_KEYS, basic_keys, integer_keys
from tests.strategies import arrays, dtypes_of, elements, shapes
from xp_torch._core.dtypes import ALL, INTEGER


@given(st.data(), arrays(ALL))
def test_getitem(data, a):
    """Same values and errors for integers, slices of any step, ellipsis and newaxis."""
    key = data.draw(basic_keys(a.values.shape))
    compare(lambda xp, x: x[key], a)


@pytest.mark.parametrize("size", [0, 1, 4])
def test_negative_step_to_the_front(size):
    """Every slice of the standard's ranges selects what it selects of a list.

    A stop of ``-size - 1`` for a negative step is one of them; array-api-strict refuses it.
    """
    items = list(range(size))
    x = xp.arange(size)
    starts = [None, *range(-size, size + 1)]
    for step in (-5, -2, -1):
        for stop in [None, *range(-size - 1, max(1, size))]:
            for start in starts:
                key = slice(start, stop, step)
                assert x[key]._tensor.tolist() == items[key]
    for step in (None, 1, 2, 5):
        for stop in starts:
            for start in starts:
                key = slice(start, stop, step)
                assert x[key]._tensor.tolist() == items[key]


class Index:
    """An integer as the standard defines it: an object with ``__index__``."""

    def __index__(self) -> int:
        return 1


@pytest.mark.parametrize("index", [Index(), np.int64(1), np.uint8(1)])
def test_objects_with_index(index):
    """``operator.index`` objects are integers, alone, in tuples and in slices."""
    x = xp.reshape(xp.arange(6), (2, 3))
    assert int(x[0, :][index]) == 1
    assert int(x[index, index]) == 4
    assert x[index:, 0]._tensor.tolist() == [3]


@pytest.mark.parametrize("key", WRONG_KEYS, ids=label)
def test_wrong_keys(key):
    """What the standard does not specify is refused as array-api-strict refuses it."""
    a = Spec(np.arange(3))
    compare(lambda xp, x: x[key], a)

    def assign(xp, x):
        x[key] = 1
        return x

    compare(assign, a)


@pytest.mark.parametrize("key", WRONG_KEYS, ids=label)
def test_wrong_keys_are_named(key):
    """The message names the operation."""
    with pytest.raises((IndexError, TypeError, ValueError), match=r"^__getitem__: "):
        xp.arange(3)[key]
    with pytest.raises((IndexError, TypeError, ValueError), match=r"^__setitem__: "):
        xp.arange(3)[key] = 1


def test_foreign_arrays_as_keys():
    """A torch tensor is no index; the message says what to do with it."""
    for key in (torch.tensor([0]), torch.tensor(0), torch.tensor([True, False, True])):
        with pytest.raises(IndexError, match=r"^__getitem__: .*xp_torch\.asarray"):
            xp.arange(3)[key]


def beyond(key: tuple[Any, ...], shape: tuple[int, ...]) -> bool:
    """Whether an index of a key is out of bounds for its axis."""
    items = [np.asarray(k.values if isinstance(k, Spec) else k) for k in key if k is not None]
    return any(
        item.dtype.kind in "iu" and ((item >= size) | (item < -size)).any()
        for item, size in zip(items, shape, strict=False)
    )


@given(st.data(), arrays(ALL, shapes(3, min_dims=1)))
def test_getitem_integer_arrays(data, a):
    """Same values and errors for integers and integer arrays of every dtype that broadcast."""
    key = data.draw(integer_keys(a.values.shape))
    specs = [k for k in key if isinstance(k, Spec)]
    # Where nothing is selected, NumPy alone looks whether an index is out of bounds.
    assume(all(k.values.size for k in specs) or not beyond(key, a.values.shape))

    def body(xp, x, *built):
        rest = iter(built)
        full = tuple([next(rest) if isinstance(k, Spec) else k for k in key])
        return x[full[0]] if len(full) == 1 else x[full]

    compare(body, a, *specs)


@given(st.data(), arrays(ALL))
def test_getitem_mask(data, a):
    """Same values and errors for masks of the shape of the leading axes, 0-D ones included."""
    shape = a.values.shape
    leading = shape[: data.draw(st.integers(0, len(shape)))]
    empty = tuple(data.draw(st.sampled_from([n, 0])) for n in leading)
    mask_shape = data.draw(st.one_of(st.just(leading), st.just(leading), st.just(empty), shapes()))
    mask = data.draw(arrays(np.dtype("bool"), mask_shape))
    compare(lambda xp, x, m: x[m], a, mask)
    compare(lambda xp, x, m: x[(m,)], a, mask)


@pytest.mark.parametrize("key", [0, None, ..., slice(None)])
def test_mask_is_the_sole_index(key):
    """A mask beside anything else is refused alike."""
    a, mask = Spec(np.ones((2, 2))), Spec(np.asarray([True, False]))
    compare(lambda xp, x, m: x[m, key], a, mask)
    compare(lambda xp, x, m: x[key, m], a, mask)


def test_masks_can_be_switched_off():
    """With the flag off, masks of every shape are refused, read and written."""
    x = xp.arange(3)
    with xp.flags(boolean_indexing=False):
        for mask in (x > 0, xp.asarray(True)):
            with pytest.raises(RuntimeError, match=r"__getitem__: .*boolean_indexing"):
                x[mask]
            with pytest.raises(RuntimeError, match=r"__setitem__: .*boolean_indexing"):
                x[mask] = 0


def test_views_stay_views():
    """Integers and slices of positive step share memory with the array; masks copy."""
    x = xp.zeros((2, 3))
    for key in (..., (0, ...), (slice(None), slice(0, 3, 2)), (0, 0), (None, ...)):
        assert x[key]._tensor.data_ptr() == x._tensor.data_ptr()
    x[1, :][0] = 5.0
    assert float(x[1, 0]) == 5.0
    y = x[x == 5.0]
    y[...] = 7.0
    assert float(x[1, 0]) == 5.0


def test_two_devices_are_named():
    """Arrays on two devices are refused, and the message names both."""
    x, y = xp.ones(3), xp.ones(3, device="meta")
    index = xp.zeros(3, dtype=xp.int64, device="meta")

    def assign(key, value):
        x[key] = value

    for call in (
        lambda: x[index],
        lambda: x[index == 0],
        lambda: assign(..., y),
        lambda: assign(index, 0.0),
        lambda: assign(index == 0, 0.0),
        lambda: xp.take(x, index),
        lambda: xp.take_along_axis(x, index),
    ):
        with pytest.raises(ValueError, match="cpu and meta"):
            call()


@given(st.data(), arrays(ALL))
def test_take(data, a):
    """Same values and errors: every axis, dtype of index, negative and wrong indices."""
    axis = data.draw(st.one_of(st.none(), st.integers(-3, 3)))
    valid = axis is not None and -a.values.ndim <= axis < a.values.ndim
    size = a.values.shape[axis] if valid else a.values.size
    dtype = data.draw(dtypes_of(INTEGER))
    low = 0 if dtype.kind == "u" else -size
    beyond = data.draw(st.sampled_from([0, 0, 0, 1]))
    index = st.integers(low, max(size - 1 + beyond, low))
    shape = data.draw(st.sampled_from([(0,), (1,), (3,), (3,), (), (1, 1)]))
    indices = Spec(data.draw(hnp.arrays(dtype, shape, elements=index)))
    # Of an empty array, the standard leaves open what is out of bounds.
    assume(a.values.size or all(v < size for v in indices.values.flat))
    compare(lambda xp, x, i: xp.take(x, i, axis=axis), a, indices)


@given(st.data(), arrays(ALL))
def test_take_along_axis(data, a):
    """Same values and errors: broadcasting, every axis and dtype of index, negative indices."""
    shape = a.values.shape
    axis = data.draw(st.integers(-3, 3))
    index = axis if -len(shape) <= axis < len(shape) else 0
    size = shape[index] if shape else 0
    sizes = [data.draw(st.sampled_from([n, n, n, 1, 2])) for n in shape]
    if shape:
        sizes[index] = data.draw(st.integers(0, 3))
    if data.draw(st.integers(0, 9)) == 0:
        sizes = data.draw(shapes())
    dtype = data.draw(st.one_of(dtypes_of(INTEGER), dtypes_of(INTEGER), dtypes_of(ALL)))
    if dtype.kind in "iu":
        low = 0 if dtype.kind == "u" else -size
        beyond = data.draw(st.sampled_from([0, 0, 0, 1]))
        element = st.integers(low, max(size - 1 + beyond, low))
    else:
        element = elements(dtype)
    indices = Spec(data.draw(hnp.arrays(dtype, tuple(sizes), elements=element)))
    compare(lambda xp, x, i: xp.take_along_axis(x, i, axis=axis), a, indices)


@pytest.mark.parametrize("name", ["take", "take_along_axis"])
def test_take_wrong_arguments(name):
    """Foreign arrays and wrong axes are refused with the name of the function."""
    take = getattr(xp, name)
    for indices in ([0], 0, torch.tensor([0])):
        with pytest.raises(TypeError, match=f"^{name}: indices"):
            take(xp.ones(3), indices)
    for axis in (1.0, "0", 5, 2**70):
        with pytest.raises((TypeError, IndexError), match=f"^{name}: axis"):
            take(xp.ones(3), xp.asarray([0]), axis=axis)


@pytest.mark.parametrize("value", [2**63, -(2**63), 2**62])
def test_indices_far_out_of_bounds(value):
    """Far-off indices of every width are an ``IndexError`` on the CPU."""
    dtype = xp.uint64 if value > 0 else xp.int64
    index = xp.asarray([value], dtype=dtype)
    x = xp.reshape(xp.arange(6), (2, 3))
    for call in (
        lambda: x[index, 0],
        lambda: xp.take(x, index, axis=0),
        lambda: xp.take_along_axis(x, xp.reshape(index, (1, 1)), axis=0),
        lambda: x[0, :][index],
    ):
        with pytest.raises(IndexError, match=r"out of bounds|out of range"):
            call()


def test_shapes_need_no_values():
    """What needs no values works on the meta device; nothing waits for one."""
    x = xp.zeros((4, 3), device="meta")
    index = xp.zeros(2, dtype=xp.int64, device="meta")
    mask = xp.zeros((4, 3), dtype=xp.bool, device="meta")
    assert x[::-1, 0].shape == (4,)
    assert x[index, 0].shape == (2,)
    assert x[index[0], index[1]].shape == ()
    assert xp.take(x, index, axis=1).shape == (4, 2)
    assert xp.take_along_axis(x, xp.reshape(index, (1, 2))).shape == (4, 2)
    x[mask] = 1.0
    x[mask] = x[0, 0]
    x[mask[:, 0]] = x[0, :]
    x[index, index] = x[0, :2]
    x[::-2, :] = x[:2, :]
    assert x.shape == (4, 3)


@pytest.mark.parametrize("step", [7, 2**40, 2**62, 2**70, -7, -(2**40), -(2**62), -(2**70)])
def test_large_steps(step):
    """A step beyond the size selects one element."""
    x = xp.reshape(xp.arange(6), (2, 3))
    assert x[0, :][::step]._tensor.tolist() == [0 if step > 0 else 2]
    assert x[::step, ::step]._tensor.tolist() == [[0 if step > 0 else 5]]
    assert x[:, :0][:, ::step].shape == (2, 0)


def test_index_arrays_that_select_nothing():
    """An index out of bounds is an error though no element is selected, as in the reference."""
    nothing = Spec(np.zeros((0, 3), "int64"))
    for size, index in itertools.product((0, 2), (-3, 0, 1, 2)):
        a, i = Spec(np.zeros((3, size, 4))), Spec(np.array(index))
        compare(lambda xp, a, i, n: a[n, i, n], a, i, nothing)
