"""Keys to index arrays with: drawn at random, most of them valid, and a list of wrong ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.differential import Spec
from tests.strategies import dtypes_of
from xp_torch._core.dtypes import INTEGER


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


WRONG_KEYS = [
    True, False, 1.0, [0], (0, [1]), "0", 5, -4, 10**30, -(10**30), (0, 0), (..., ...),
    slice(4, None), slice(None, 4), slice(-4, None), slice(None, -4), slice(0, None, 0),
    slice(1.0, None), slice(None, "1"), ((0,),), (), (None,), np.asarray([0]), np.asarray(0),
    np.True_, 1j, object(), (slice(None), 0), (..., 3), (..., 0, 0), slice(5, None, -1),
    slice(None, -5, -1),
]  # fmt: skip
