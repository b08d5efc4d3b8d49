"""Assignment to elements beside array-api-strict, and beside NumPy where that refuses it."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import xp_torch as xp
from tests.differential import Spec, build, compare
from tests.keys import basic_keys, integer_keys
from tests.strategies import arrays, dtypes_of, elements, scalars, shapes
from xp_torch._core.dtypes import ALL

# An assignment through a broadcast array is refused; array-api-strict gets a copy here.
WRITABLE = ("contiguous", "transposed", "strided", "offset")


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
    # Of two that are wrong, either may be reported first.
    assume(key_is_valid(a, key) or value_is_valid(a, value))
    if isinstance(value, Spec) and value.values.ndim and is_one_element(a, key):
        # Only a 0-D array broadcasts to one element; NumPy unpacks some others.
        with pytest.raises(ValueError, match="__setitem__: a value of shape"):
            build(xp, a)[key] = xp.zeros(value.values.shape, dtype=build(xp, a).dtype)
        return
    assume(strict_takes(a, value))
    assign_and_compare(a, key, value)


def strict_takes(a: Spec, value: Any) -> bool:
    """Not so a large int beside floats: array-api-strict makes an integer array of it first."""
    return type(value) is not int or a.values.dtype.kind not in "fc" or -(2**63) <= value < 2**64


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
    # A wrong dtype may come with a wrong shape.
    assume(value_is_valid(a, value) or not isinstance(value, Spec) or not value.values.ndim)
    assume(strict_takes(a, value))
    assign_and_compare(a, (mask,), value, mask)


@given(st.data(), arrays(ALL, shapes(3, min_dims=1), layouts=WRITABLE))
def test_setitem_integer_arrays(data, a):
    """Assignment through integer arrays, beside NumPy.

    The standard leaves it to the implementation, and array-api-strict refuses it. Places
    named twice get the same value here, so that the order does not matter.
    """
    key = data.draw(integer_keys(a.values.shape, newaxis=False))
    assume(0 not in a.values.shape)
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


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *itertools.product([slice(1, None), slice(None, -1)], repeat=2),
        *itertools.product([slice(None, None, -1), ...], [slice(None), slice(None, None, -1)]),
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "uint16"])
def test_setitem_overlap(key, value, dtype):
    """Value and target may overlap: the result is as if the value had been copied."""
    x = xp.arange(5, dtype=getattr(xp, dtype))
    expected = x._tensor.tolist()
    source = x[value]
    plain = expected[value]
    target = list(range(5))[slice(None) if key is ... else key]
    for index, element in zip(target, plain, strict=True):
        expected[index] = element
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


@pytest.mark.parametrize("key", [0, slice(None), ..., (0,)])
def test_setitem_of_a_leaf(key):
    """A leaf that requires a gradient is refused clearly; what is computed from it is not."""
    leaf = xp.asarray(torch.ones(3, requires_grad=True))
    for target in (leaf, leaf[:]):
        with pytest.raises(ValueError, match=r"^__setitem__: .*gradient"):
            target[key] = 2.0
    mask = xp.asarray([True, False, False])
    with pytest.raises(ValueError, match=r"^__setitem__: .*gradient"):
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


def test_large_values_survive():
    """Bits of wide unsigned integers above 2**63 are moved as they are."""
    big = 2**64 - 3
    x = xp.zeros(4, dtype=xp.uint64)
    x[1] = big
    x[xp.asarray([2])] = big - 1
    x[x == 0] = math.floor(2**63)
    assert x._tensor.tolist() == [2**63, big, big - 1, 2**63]
    assert xp.take(x, xp.asarray([1]))._tensor.tolist() == [big]


def test_mask_of_itself():
    """A boolean array may be its own mask."""
    x = xp.asarray([True, False, True])
    x[x] = False
    assert not xp.any(x)
    x[~x] = xp.asarray(True)
    assert xp.all(x)
