"""The chapter *Manipulation functions* beside array-api-strict."""

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
from tests.differential import Spec, compare, outcome
from tests.strategies import arrays, dtypes_of, shapes
from xp_torch._core.dtypes import ALL, INTEGER

AXES = st.integers(-4, 4)
SOME_AXES = st.one_of(AXES, st.lists(AXES, max_size=3).map(tuple))


@st.composite
def several(draw: Any, same_shape: bool) -> tuple[Spec, ...]:
    """A few arrays to join: of one shape, or of shapes that often fit; dtypes often mixed."""
    count = draw(st.integers(1, 4))
    first = draw(shapes())
    dtype = draw(dtypes_of(ALL))
    result = []
    for _ in range(count):
        shape = list(first)
        if shape and not same_shape:
            shape[draw(st.integers(0, len(shape) - 1))] = draw(st.integers(0, 4))
        if draw(st.integers(0, 15)) == 0:
            shape = draw(shapes())
        result.append(draw(arrays(draw(dtypes_of(ALL)) if draw(st.booleans()) else dtype, shape)))
    return tuple(result)


@given(several(same_shape=False), st.one_of(AXES, st.none()))
def test_concat(specs, axis):
    """Same values, promoted dtype and errors for every axis, ``None`` flattening."""
    compare(lambda xp, *a: xp.concat(list(a), axis=axis), *specs)


@given(several(same_shape=True), AXES)
def test_stack(specs, axis):
    """Same values, promoted dtype and errors for every axis."""
    compare(lambda xp, *a: xp.stack(a, axis=axis), *specs)


@pytest.mark.parametrize("name", ["concat", "stack"])
def test_join_refuses(name):
    """No arrays, other iterables and foreign arrays are refused, and empty 1-D arrays checked."""
    join = getattr(xp, name)
    with pytest.raises(ValueError, match=f"{name}: arrays is empty"):
        join([])
    with pytest.raises(TypeError, match=f"{name}: arrays must be a tuple or list"):
        join(xp.ones(3))
    with pytest.raises(TypeError, match=rf"{name}: arrays\[1\] .*\.asarray"):
        join([xp.ones(3), torch.ones(3)])
    with pytest.raises(ValueError, match=rf"{name}: arrays\[1\]"):
        join([xp.ones((2, 3)), xp.ones(0)])


@given(st.lists(arrays(ALL), max_size=4))
def test_broadcast_arrays(specs):
    """Same shapes and values, dtypes untouched, and shapes that do not fit refused alike."""
    compare(lambda xp, *a: xp.broadcast_arrays(*a), *specs)


@given(st.data())
def test_broadcast_arrays_that_fit(data):
    """Same values where the shapes do broadcast, each array in its own dtype."""
    drawn = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, min_side=0))
    specs = [data.draw(arrays(ALL, shape)) for shape in drawn.input_shapes]
    compare(lambda xp, *a: xp.broadcast_arrays(*a), *specs)


def test_broadcast_arrays_returns_a_tuple_from_2025_on():
    """A list before version 2025.12, a tuple since."""
    assert type(xp.broadcast_arrays(xp.ones(2))) is tuple
    with xp.flags(api_version="2024.12"):
        assert type(xp.broadcast_arrays(xp.ones(2))) is list


@given(st.lists(st.one_of(shapes(), st.just((-1,)), st.just((2.0,))), max_size=4))
def test_broadcast_shapes(listed):
    """Same shape or error, no shapes included."""
    compare(lambda xp: xp.broadcast_shapes(*listed))


def test_broadcast_shapes_unknown():
    """An unknown size stays unknown, as the standard asks; array-api-strict has none."""
    assert xp.broadcast_shapes((None, 1), (3,)) == (None, 3)
    assert xp.broadcast_shapes((None,), (2, 1), (1,)) == (2, None)
    with pytest.raises(ValueError, match="broadcast_shapes"):
        xp.broadcast_shapes((None, 2), (3,))
    with pytest.raises(TypeError, match="broadcast_shapes"):
        xp.broadcast_shapes(3)


@given(arrays(ALL), st.one_of(shapes(4), st.just((-1, 2)), st.just((2.0,)), st.integers(-1, 3)))
def test_broadcast_to(a, shape):
    """Same values or error for shapes at random."""
    compare(lambda xp, x: xp.broadcast_to(x, shape), a)


@given(st.data())
def test_broadcast_to_fitting(data):
    """Same values where the shape does fit."""
    drawn = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0))
    spec = data.draw(arrays(ALL, drawn.input_shapes[0]))
    compare(lambda xp, x: xp.broadcast_to(x, drawn.result_shape), spec)


@given(arrays(ALL), st.one_of(SOME_AXES, st.sampled_from([None, 1.0, [0, 1]])))
def test_expand_dims(a, axis):
    """Same shape and values, or the same error, for integers and tuples."""
    compare(lambda xp, x: xp.expand_dims(x, axis=axis), a)


def test_expand_dims_takes_a_tuple_from_2025_on():
    """Before version 2025.12 only an integer is specified, and a tuple is refused."""
    with xp.flags(api_version="2024.12"):
        assert xp.expand_dims(xp.ones(2), axis=0).shape == (1, 2)
        with pytest.raises(TypeError, match=r"expand_dims: .*2025\.12"):
            xp.expand_dims(xp.ones(2), axis=(0,))


@given(arrays(ALL), st.one_of(SOME_AXES, st.sampled_from([None, 1.0])))
def test_flip(a, axis):
    """Same values and errors for every axis, tuples of them and all."""
    compare(lambda xp, x: xp.flip(x, axis=axis), a)


@given(arrays(ALL), SOME_AXES, SOME_AXES)
def test_moveaxis(a, source, destination):
    """Same values and errors for integers and tuples, repeated axes included."""
    compare(lambda xp, x: xp.moveaxis(x, source, destination), a)


@given(arrays(ALL), st.data())
def test_permute_dims(a, data):
    """Same values for permutations, negative axes too; the same error for what is none."""
    n = a.values.ndim
    axes = data.draw(
        st.one_of(
            st.permutations(range(n)).map(tuple),
            st.permutations(range(-n, 0)).map(tuple),
            st.lists(AXES, max_size=3).map(tuple),
        )
    )
    compare(lambda xp, x: xp.permute_dims(x, axes), a)


@pytest.mark.parametrize("axes", [None, 0])
def test_permute_dims_needs_a_tuple(axes):
    """The standard has a required tuple; array-api-strict lets NumPy's other forms through."""
    with pytest.raises(TypeError, match="permute_dims: axes must be a tuple"):
        xp.permute_dims(xp.ones(2), axes)


@given(arrays(ALL), st.integers(-1, 3), st.one_of(AXES, st.none()))
def test_repeat(a, repeats, axis):
    """Same values and errors for a number."""
    # The two tests below hold these.
    assume((a.values.ndim or axis is None) and (repeats >= 0 or a.values.size))
    compare(lambda xp, x: xp.repeat(x, repeats, axis=axis), a)


@given(arrays(ALL), st.data())
def test_repeat_array(a, data):
    """Same values and errors for an array of any integer dtype, negative values included."""
    axis = data.draw(st.one_of(st.none(), st.integers(-a.values.ndim - 1, a.values.ndim)))
    assume(a.values.ndim or axis is None)  # the test below
    valid = axis is None or -a.values.ndim <= axis < a.values.ndim
    size = a.values.size if axis is None else a.values.shape[axis] if valid else 1
    shape = data.draw(st.sampled_from([(), (1,), (size,), (size,), (2,), (1, 1), (0,)]))
    dtype = data.draw(dtypes_of(INTEGER))
    low = 0 if dtype.kind == "u" or data.draw(st.booleans()) else -1
    repeats = Spec(data.draw(hnp.arrays(dtype, shape, elements=st.integers(low, 3))))
    compare(lambda xp, x, r: xp.repeat(x, r, axis=axis), a, repeats)


def test_repeat_of_0d_has_no_axis():
    """A 0-D array has no valid axis, the standard says; NumPy takes it for a 1-D one."""
    with pytest.raises(IndexError, match="repeat: axis 0"):
        xp.repeat(xp.asarray(5), 2, axis=0)


def test_repeat_negative_is_refused_of_empty_arrays_too():
    """array-api-strict looks at the number only where there is something to repeat."""
    with pytest.raises(ValueError, match="repeat: repeats -1 is negative"):
        xp.repeat(xp.ones((0, 3)), -1, axis=0)


@pytest.mark.parametrize("repeats", [2.0, [1, 2], "2", None])
def test_repeat_wrong_type(repeats):
    """Only an integer or an array."""
    compare(lambda xp, x: xp.repeat(x, repeats), Spec(np.arange(2)))


@pytest.mark.parametrize("dtype", ["float64", "bool"])
def test_repeat_wrong_dtype(dtype):
    """Only integer arrays."""
    compare(lambda xp, x, r: xp.repeat(x, r), Spec(np.arange(2)), Spec(np.ones(2, dtype)))


def test_repeat_needs_data_dependent_shapes():
    """With the flag off, an array of repeats is refused and a number is not."""
    with xp.flags(data_dependent_shapes=False):
        assert xp.repeat(xp.ones(2), 2).shape == (4,)
        with pytest.raises(RuntimeError, match=r"repeat: .*data_dependent_shapes"):
            xp.repeat(xp.ones(2), xp.asarray([1, 2]))


@given(arrays(ALL), st.data())
def test_reshape(a, data):
    """Same values for shapes that fit, with and without -1, and the same error for others."""
    size = a.values.size
    some = st.lists(st.sampled_from([-1, 0, 1, 2, 3, 4, size]), max_size=4).map(tuple)
    fitting = st.sampled_from([(size,), (-1,), (1, size), a.values.shape, a.values.shape[::-1]])
    shape = data.draw(st.one_of(some, fitting))
    copy = data.draw(st.sampled_from([None, True]))
    compare(lambda xp, x: xp.reshape(x, shape, copy=copy), a)


@pytest.mark.parametrize("shape", [3, [3], (3.0,), (2**70,), "3", None])
def test_reshape_wrong_shape(shape):
    """Only a tuple of integers."""
    compare(lambda xp, x: xp.reshape(x, shape), Spec(np.arange(3)))


@pytest.mark.parametrize("shape", [(-2,), (3, -5)])
def test_reshape_knows_only_minus_one(shape):
    """The standard gives -1 a meaning; NumPy, and so array-api-strict, any negative size."""
    with pytest.raises(ValueError, match=r"reshape: .*negative"):
        xp.reshape(xp.ones(3), shape)


def test_reshape_copy():
    """``True`` copies, ``None`` does not where it need not, ``False`` refuses to.

    The standard asks for a ``ValueError``; array-api-strict raises an ``AttributeError``.
    """
    x = xp.reshape(xp.arange(6), (2, 3))
    for copy, shared in ((True, False), (None, True), (False, True)):
        result = xp.reshape(x, (3, 2), copy=copy)
        assert (result._tensor.data_ptr() == x._tensor.data_ptr()) is shared
    with pytest.raises(ValueError, match=r"reshape: .*copy=False"):
        xp.reshape(x.T, (6,), copy=False)
    transposed = xp.reshape(x.T, (6,), copy=True)
    assert transposed._tensor.tolist() == [0, 3, 1, 4, 2, 5]


@given(
    arrays(ALL),
    st.one_of(
        st.integers(-7, 7),
        st.sampled_from([2**62, -(2**63), 10**30]),
        st.lists(st.integers(-5, 5), max_size=3).map(tuple),
        st.sampled_from([1.0, [1], None]),
    ),
    st.one_of(SOME_AXES, st.none()),
)
def test_roll(a, shift, axis):
    """Same values and errors for integers, tuples and what does not match."""
    # NumPy rolls a 0-D array along no axes by accident.
    assume(a.values.ndim or axis != ())
    compare(lambda xp, x: xp.roll(x, shift, axis=axis), a)


@given(arrays(ALL, st.lists(st.sampled_from([0, 1, 1, 2]), max_size=4).map(tuple)), SOME_AXES)
def test_squeeze(a, axis):
    """Same shape and values, or the same error."""
    assume(a.values.ndim or axis == ())  # the test below
    compare(lambda xp, x: xp.squeeze(x, axis=axis), a)


def test_squeeze_of_0d_has_no_axis():
    """A 0-D array has no valid axis, the standard says; NumPy takes 0 and -1 for one."""
    for axis in (0, -1, (0,)):
        with pytest.raises(IndexError, match="squeeze: axis"):
            xp.squeeze(xp.asarray(5), axis=axis)


@pytest.mark.parametrize("axis", [None, 0.0, [0]])
def test_squeeze_wrong_axis(axis):
    """Only an integer or a tuple."""
    compare(lambda xp, x: xp.squeeze(x, axis=axis), Spec(np.ones((1, 2))))


@given(
    arrays(ALL),
    st.one_of(
        st.lists(st.integers(-1, 3), max_size=4).map(tuple), st.sampled_from([2, [2], (2.0,)])
    ),
)
def test_tile(a, repetitions):
    """Same values with fewer and more repetitions than axes, zeros, and the same errors."""
    # NumPy looks at the numbers only where there is something to repeat.
    assume(a.values.size or not isinstance(repetitions, tuple) or -1 not in repetitions)
    compare(lambda xp, x: xp.tile(x, repetitions), a)


@given(arrays(ALL), AXES)
def test_unstack(a, axis):
    """Same slices in a tuple, or the same error."""
    compare(lambda xp, x: xp.unstack(x, axis=axis), a)
    result = outcome(lambda xp, x: xp.unstack(x, axis=axis), xp, (a,))
    assert isinstance(result, (tuple, Exception))


TAKES_NO_AXIS = ["concat", "flip", "repeat", "roll"]
TAKES_AN_AXIS = ["stack", "squeeze", "unstack", "expand_dims"]


@pytest.mark.parametrize(
    ("name", "axis"),
    [
        *itertools.product(TAKES_NO_AXIS + TAKES_AN_AXIS, [1.0, "0", 2**70, -(2**70)]),
        *itertools.product(TAKES_AN_AXIS, [None]),
    ],
)
def test_wrong_axis(name, axis):
    """What is no axis is refused with an error that names the function."""
    x = xp.ones((1, 1))
    calls = {
        "concat": lambda: xp.concat([x, x], axis=axis),
        "stack": lambda: xp.stack([x, x], axis=axis),
        "repeat": lambda: xp.repeat(x, 2, axis=axis),
        "roll": lambda: xp.roll(x, 1, axis=axis),
    }
    with pytest.raises((TypeError, ValueError, IndexError), match=f"^{name}: "):
        calls.get(name, lambda: getattr(xp, name)(x, axis=axis))()


def test_views_stay_views():
    """What changes only the shape shares memory with its input."""
    x = xp.ones((1, 2, 3))
    for view in (
        xp.broadcast_to(x, (2, 2, 3)),
        *xp.broadcast_arrays(x, xp.ones((2, 1, 1)))[:1],
        xp.expand_dims(x, axis=(0, 2)),
        xp.moveaxis(x, 0, 2),
        xp.permute_dims(x, (2, 0, 1)),
        xp.reshape(x, (6,)),
        xp.squeeze(x, axis=0),
        *xp.unstack(x)[:1],
    ):
        assert view._tensor.data_ptr() == x._tensor.data_ptr()


@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64", "float64"])
def test_shapes_need_no_values(dtype):
    """Everything that needs no values works on the meta device too."""
    x = xp.zeros((2, 3), dtype=getattr(xp, dtype), device="meta")
    assert xp.concat([x, x]).shape == (4, 3)
    assert xp.stack([x, x], axis=1).shape == (2, 2, 3)
    assert xp.flip(x).shape == xp.roll(x, 1).shape == xp.roll(x, 1, axis=1).shape == (2, 3)
    assert xp.tile(x, (2, 1, 1)).shape == (2, 2, 3)
    assert xp.repeat(x, 2, axis=0).shape == (4, 3)
    assert xp.reshape(x.T, (-1,)).shape == (6,)


def test_two_devices_are_named():
    """Arrays on two devices are refused, and the message names both."""
    x, y = xp.ones((2, 2)), xp.ones((2, 2), device="meta")
    for call in (
        lambda: xp.concat([x, y]),
        lambda: xp.stack([x, y]),
        lambda: xp.broadcast_arrays(x, y),
        lambda: xp.repeat(x, xp.ones((), dtype=xp.int64, device="meta")),
    ):
        with pytest.raises(ValueError, match="cpu and meta"):
            call()


def test_an_axis_that_is_not_there_is_told_in_numpys_words():
    """Callers look for them, with the argument's name before where it is not ``axis``."""
    x = xp.ones(3)
    words = "axis 10 is out of bounds for array of dimension 1$"
    with pytest.raises(IndexError, match=f"^sum: {words}"):
        xp.sum(x, axis=10)
    with pytest.raises(IndexError, match=f"^moveaxis: source: {words}"):
        xp.moveaxis(x, 10, -1)
