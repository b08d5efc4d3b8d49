"""The chapter *Indexing*, assignment included, and the indexing functions.

Beside array-api-strict where it supports a key, beside NumPy where only the standard does.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import xp_torch as xp
from tests.differential import Spec, build, compare
from tests.strategies import arrays, dtypes_of, elements, scalars, shapes
from xp_torch._core.dtypes import ALL, INTEGER

# An assignment through a broadcast array is refused; array-api-strict gets a copy here.
WRITABLE = ("contiguous", "transposed", "strided", "offset")


@st.composite
def slices(draw: Any, size: int) -> slice:
    """A slice of any step, within bounds as a rule."""
    bound = st.one_of(st.none(), st.integers(-size, size), st.integers(-size - 2, size + 2))
    step = st.one_of(st.none(), st.integers(1, 3), st.integers(-3, -1))
    result = slice(draw(bound), draw(bound), draw(step))
    if result.step is not None and result.step < 0 and result.stop == -size - 1:
        # test_negative_step_to_the_front; array-api-strict refuses it.
        return slice(result.start, None, result.step)
    return result


@st.composite
def basic_keys(draw: Any, shape: tuple[int, ...], newaxis: bool = True) -> Any:
    """Integers, slices, an ellipsis and ``None``, most of them valid for a shape."""
    key: list[Any] = []
    for size in shape:
        index = st.integers(-size, size - 1) if size else st.just(0)
        key.append(draw(st.one_of(index, slices(size), slices(size), st.just(slice(None)))))
    if draw(st.booleans()):
        start = draw(st.integers(0, len(key)))
        stop = draw(st.integers(start, len(key)))
        key[start:stop] = [...]
    if newaxis:
        for _ in range(draw(st.integers(0, 2))):
            key.insert(draw(st.integers(0, len(key))), None)
    if draw(st.integers(0, 9)) == 0:
        wrong = st.sampled_from([0, 9, -9, slice(None), ..., True, 1.0, [0], slice(1.0), "0"])
        key.insert(draw(st.integers(0, len(key))), draw(wrong))
    if draw(st.integers(0, 9)) == 0 and key:
        key.pop()
    return key[0] if len(key) == 1 and draw(st.booleans()) else tuple(key)


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


WRONG_KEYS = [
    True, False, 1.0, [0], (0, [1]), "0", 5, -4, 10**30, -(10**30), (0, 0), (..., ...),
    slice(4, None), slice(None, 4), slice(-4, None), slice(None, -4), slice(0, None, 0),
    slice(1.0, None), slice(None, "1"), ((0,),), (), (None,), np.asarray([0]), np.asarray(0),
    np.True_, 1j, object(), (slice(None), 0), (..., 3), (..., 0, 0), slice(5, None, -1),
    slice(None, -5, -1),
]  # fmt: skip


@pytest.mark.parametrize("key", WRONG_KEYS, ids=repr)
def test_wrong_keys(key):
    """What the standard does not specify is refused as array-api-strict refuses it."""
    a = Spec(np.arange(3))
    compare(lambda xp, x: x[key], a)

    def assign(xp, x):
        x[key] = 1
        return x

    compare(assign, a)


@pytest.mark.parametrize("key", WRONG_KEYS, ids=repr)
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


@st.composite
def integer_keys(draw: Any, shape: tuple[int, ...], newaxis: bool = True) -> tuple[Any, ...]:
    """Integers and integer arrays (as specs) for every axis, as a rule within bounds."""
    common = draw(hnp.mutually_broadcastable_shapes(num_shapes=4, max_dims=2, min_side=0))
    key: list[Any] = []
    for size, part in zip(shape, common.input_shapes, strict=False):
        beyond = 1 if draw(st.integers(0, 9)) == 0 else 0
        dtype = draw(dtypes_of(INTEGER))
        low = 0 if dtype.kind == "u" else -size - beyond
        values = st.integers(low, max(size - 1 + beyond, low))
        if draw(st.integers(0, 2)) == 0:
            key.append(draw(values))
        else:
            key.append(Spec(draw(hnp.arrays(dtype, part, elements=values))))
    if newaxis and draw(st.integers(0, 3)) == 0:
        key.insert(draw(st.integers(0, len(key))), None)
    if draw(st.integers(0, 9)) == 0:
        wrong = [slice(None), ..., Spec(np.asarray([True])), Spec(np.asarray([0.0])), 0]
        key.insert(draw(st.integers(0, len(key))), draw(st.sampled_from(wrong)))
    return tuple(key)


@given(st.data(), arrays(ALL, shapes(3, min_dims=1)))
def test_getitem_integer_arrays(data, a):
    """Same values and errors for integers and integer arrays of every dtype that broadcast."""
    key = data.draw(integer_keys(a.values.shape))
    specs = [k for k in key if isinstance(k, Spec)]
    if any(k.values.size == 0 for k in specs) and 0 in a.values.shape:
        return  # nothing is selected, and NumPy alone looks whether it would have been there

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


@st.composite
def values_for(draw: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Any:
    """A value to assign: a scalar, or an array that as a rule promotes and broadcasts."""
    if draw(st.integers(0, 3)) == 0:
        return draw(st.one_of(scalars(), elements(dtype).map(lambda v: v)))
    kind = dtype if draw(st.integers(0, 2)) else draw(dtypes_of(ALL))
    sizes = [1 if draw(st.integers(0, 3)) == 0 else n for n in shape]
    sizes = sizes[draw(st.integers(0, len(sizes))) :] if draw(st.booleans()) else sizes
    sizes = [1] * draw(st.sampled_from([0, 0, 0, 1])) + sizes
    if draw(st.integers(0, 9)) == 0:
        sizes = list(draw(shapes(2)))
    return draw(arrays(kind, tuple(sizes)))


def assign_and_compare(a: Spec, key: Any, value: Any, *keys: Spec) -> None:
    """``x[key] = value`` in both namespaces; ``keys`` are arrays that the key is made of."""
    given_value = [value] if isinstance(value, Spec) else []

    def body(xp, x, *built):
        x = xp.asarray(x, copy=True)
        parts = iter(built[len(given_value) :])
        full = tuple([next(parts) if isinstance(k, Spec) else k for k in key]) if keys else key
        x[full[0] if keys and len(full) == 1 else full] = built[0] if given_value else value
        return x

    compare(body, a, *given_value, *keys)


@given(st.data(), arrays(ALL, layouts=WRITABLE))
def test_setitem(data, a):
    """Same result and errors for every key and value: promotion, broadcasting, scalars."""
    key = data.draw(basic_keys(a.values.shape, newaxis=data.draw(st.integers(0, 9)) == 0))
    try:
        shape = a.values[key].shape
    except (IndexError, TypeError, ValueError):
        shape = ()
    value = data.draw(values_for(a.values.dtype, shape))
    if isinstance(value, np.generic):
        value = value.item()
    if not key_is_valid(a, key) and not value_is_valid(a, value):
        return  # both are wrong, and which is reported first is nobody's promise
    if isinstance(value, Spec) and value.values.ndim and is_one_element(a, key):
        # Only a 0-D array broadcasts to one element; NumPy unpacks some others.
        with pytest.raises(ValueError, match="__setitem__: a value of shape"):
            build(xp, a)[key] = xp.zeros(value.values.shape, dtype=build(xp, a).dtype)
        return
    if type(value) is int and a.values.dtype.kind in "fc" and not -(2**63) <= value <= 2**64:
        return  # array-api-strict refuses to make an integer array of it first
    assign_and_compare(a, key, value)


def is_one_element(a: Spec, key: Any) -> bool:
    """Whether a key is valid and made of integers only."""
    return key_is_valid(a, key) and all(
        type(k) is int for k in (key if isinstance(key, tuple) else (key,))
    )


def key_is_valid(a: Spec, key: Any) -> bool:
    try:
        build(xp, a)[key]
    except (IndexError, TypeError, ValueError):
        return False
    return True


def value_is_valid(a: Spec, value: Any) -> bool:
    try:
        xp.zeros((), dtype=build(xp, a).dtype)[()] = (
            xp.zeros((), dtype=build(xp, value).dtype) if isinstance(value, Spec) else value
        )
    except (TypeError, OverflowError):
        return False
    return True


@given(st.data(), arrays(ALL, layouts=WRITABLE))
def test_setitem_mask(data, a):
    """Same result and errors through masks, for scalars and arrays of the exact count."""
    shape = a.values.shape
    leading = shape[: data.draw(st.integers(0, len(shape)))]
    mask = data.draw(arrays(np.dtype("bool"), data.draw(st.sampled_from([leading, shape]))))
    selected = a.values[mask.numpy()].shape
    value = data.draw(values_for(a.values.dtype, selected))
    if isinstance(value, np.generic):
        value = value.item()
    if not value_is_valid(a, value) and isinstance(value, Spec) and value.values.ndim:
        return  # a wrong dtype and perhaps a wrong shape
    if type(value) is int and a.values.dtype.kind in "fc" and not -(2**63) <= value <= 2**64:
        return  # as in test_setitem
    assign_and_compare(a, (mask,), value, mask)


@given(st.data(), arrays(ALL, shapes(3, min_dims=1), layouts=WRITABLE))
def test_setitem_integer_arrays(data, a):
    """Assignment through integer arrays, beside NumPy.

    The standard leaves it to the implementation, and array-api-strict refuses it. Places
    named twice get the same value here, so that the order does not matter.
    """
    key = data.draw(integer_keys(a.values.shape, newaxis=False))
    if 0 in a.values.shape:
        return  # as in the test above
    plain = tuple([k.numpy() if isinstance(k, Spec) else k for k in key])
    x = build(xp, Spec(a.values, "contiguous"))
    built = tuple([build(xp, k) if isinstance(k, Spec) else k for k in key])
    try:
        x[built]
    except (IndexError, TypeError, ValueError):
        with pytest.raises((IndexError, TypeError, ValueError), match="__setitem__"):
            x[built] = xp.asarray(0, dtype=x.dtype)
        return
    expected = a.values.copy()
    value = data.draw(elements(a.values.dtype))
    with np.errstate(all="ignore"):
        expected[plain] = value
    x[built] = xp.asarray(np.asarray(value, dtype=expected.dtype).item(), dtype=x.dtype)
    np.testing.assert_array_equal(x._tensor.numpy(), expected)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint16", "uint64", "int64"])
def test_setitem_integer_arrays_of_values(dtype):
    """Values broadcast to the shape of the index arrays, of any integer dtype."""
    index = xp.asarray([2, 0], dtype=getattr(xp, dtype))
    for kind in ("float64", "bool", "uint16", "uint32", "uint64", "complex64"):
        x = xp.zeros((3, 3), dtype=getattr(xp, kind))
        x[index, 1] = xp.asarray([1, 0] if kind == "bool" else [3, 4], dtype=x.dtype)
        assert int(x[2, 1]._tensor.real) in (1, 3)
        x[index, xp.asarray(0)] = xp.asarray([[1]], dtype=x.dtype)
        assert x._tensor[:, 0].tolist() == [1, 0, 1]
    with pytest.raises(ValueError, match="__setitem__: a value of shape"):
        xp.zeros(3)[index] = xp.zeros(3)


@pytest.mark.parametrize("key", [slice(1, None), slice(None, None, -1), slice(None, -1), ...])
@pytest.mark.parametrize(
    "value", [slice(None, -1), slice(None), slice(1, None), slice(None, None, -1)]
)
@pytest.mark.parametrize("dtype", ["float64", "uint16"])
def test_setitem_overlap(key, value, dtype):
    """Value and target may overlap: the result is as if the value had been copied."""
    x = xp.arange(5, dtype=getattr(xp, dtype))
    expected = x._tensor.tolist()
    source = x[value]
    plain = expected[value]
    target = list(range(5))[slice(None) if key is ... else key]
    if len(plain) != len(target):
        return
    for place, element in zip(target, plain, strict=True):
        expected[place] = element
    x[key] = source
    assert x._tensor.tolist() == expected


def test_setitem_overlap_without_views():
    """Memory shared behind torch's back is seen too."""
    buffer = torch.arange(5.0)
    x, y = xp.asarray(buffer[1:].detach()), xp.asarray(buffer.detach()[:-1])
    x[...] = y
    assert buffer.tolist() == [0, 0, 1, 2, 3]
    z = xp.asarray([1, 2, 0])
    z[z] = xp.asarray([7, 8, 9])
    assert z._tensor.tolist() == [9, 7, 8]


def test_swap_through_copies():
    """Rows are swapped through a copy; a row itself is a view."""
    x = xp.reshape(xp.arange(4), (2, 2))
    row = x[0, :]
    x[0, :] = x[1, :]
    assert row._tensor.tolist() == [2, 3]


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


@pytest.mark.parametrize("key", [0, slice(None), ..., (0,)])
def test_setitem_of_a_leaf(key):
    """A leaf that requires a gradient is refused clearly; what is computed from it is not."""
    leaf = xp.asarray(torch.ones(3, requires_grad=True))
    for target in (leaf, leaf[:]):
        with pytest.raises(ValueError, match=r"^__setitem__: .*leaf"):
            target[key] = 2.0
    mask = xp.asarray([True, False, False])
    with pytest.raises(ValueError, match=r"^__setitem__: .*leaf"):
        leaf[mask] = 2.0
    y = leaf * 2.0
    y[0] = xp.asarray(torch.tensor(5.0, requires_grad=True))
    y._tensor.sum().backward()
    assert leaf._tensor.grad.tolist() == [0.0, 2.0, 2.0]


@pytest.mark.parametrize("key", [0, slice(None), ..., slice(0, 1)])
def test_setitem_of_a_broadcast_array(key):
    """Elements that share memory cannot be assigned to apart from each other."""
    x = xp.broadcast_to(xp.asarray(1.0), (3,))
    with pytest.raises(ValueError, match=r"^__setitem__: the array is broadcast"):
        x[key] = 2.0


@pytest.mark.parametrize("value", [[1], None, "1", np.zeros(()), torch.tensor(1)])
def test_setitem_foreign_values(value):
    """Only arrays and Python scalars can be assigned."""
    with pytest.raises(TypeError, match=r"^__setitem__: the value must be an xp_torch array"):
        xp.zeros(3)[0] = value


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


def test_large_values_survive():
    """Bits of wide unsigned integers above 2**63 are moved as they are."""
    big = 2**64 - 3
    x = xp.zeros(4, dtype=xp.uint64)
    x[1] = big
    x[xp.asarray([2])] = big - 1
    x[x == 0] = math.floor(2**63)
    assert x._tensor.tolist() == [2**63, big, big - 1, 2**63]
    assert xp.take(x, xp.asarray([1]))._tensor.tolist() == [big]
