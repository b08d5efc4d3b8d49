"""Hypothesis strategies for linear algebra: values whose sums and products are exact.

Floating-point elements are small integers, so that a sum of products has one right answer in
whatever order it is computed, and two libraries can be compared bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import xp_torch
from tests.differential import Spec, compare, outcome
from tests.strategies import LAYOUTS, dtypes_of, elements
from xp_torch._core.dtypes import BY_NAME, FLOATING, PROMOTION, Category

STACKS = hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=3)
STACK_PAIRS = hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=3, min_side=0)
SIDES = st.integers(0, 4)


def whole(dtype: np.dtype[Any], bound: int = 8) -> st.SearchStrategy[Any]:
    """Elements of any dtype; those of a floating-point one are small whole numbers."""
    if dtype.kind == "f":
        return st.integers(-bound, bound).map(float)
    if dtype.kind == "c":
        part = st.integers(-bound, bound).map(float)
        return st.builds(complex, part, part)
    return elements(dtype)


@st.composite
def exact(
    draw: Any, dtype: Category | np.dtype[Any], shape: Any, layouts: tuple[str, ...] = LAYOUTS
) -> Spec:
    """An array spec whose floating-point elements are small whole numbers."""
    kind = draw(dtypes_of(dtype)) if isinstance(dtype, Category) else dtype
    size = draw(shape) if isinstance(shape, st.SearchStrategy) else shape
    values = draw(hnp.arrays(kind, size, elements=whole(kind), fill=st.nothing()))
    return Spec(values, draw(st.sampled_from(layouts)))


@st.composite
def exact_pairs(draw: Any, category: Category, shapes: Any) -> tuple[Spec, Spec]:
    """Two arrays of drawn shapes; their dtypes are often equal and may or may not promote."""
    first, second = draw(shapes)
    a = draw(exact(category, first))
    b = draw(exact(a.values.dtype if draw(st.booleans()) else category, second))
    return a, b


@st.composite
def matrices(
    draw: Any,
    dtype: Category | np.dtype[Any] = FLOATING,
    stacks: Any = STACKS,
    square: bool = False,
    sides: Any = SIDES,
) -> Spec:
    """A matrix or a stack of them, of whole numbers."""
    rows = draw(sides)
    columns = rows if square else draw(sides)
    shape = (*draw(stacks), rows, columns)
    return draw(exact(dtype, shape, ("contiguous", "transposed", "strided")))


@st.composite
def invertible(draw: Any, dtype: Category | np.dtype[Any] = FLOATING, stacks: Any = STACKS) -> Spec:
    """Square matrices that are far from singular: the diagonal dominates."""
    spec = draw(matrices(dtype, stacks, square=True))
    kind = spec.values.dtype
    return Spec(
        spec.values + np.eye(spec.values.shape[-1], dtype=kind) * kind.type(64), spec.layout
    )


@st.composite
def hermitian(draw: Any, definite: bool = False) -> Spec:
    """Hermitian matrices; positive-definite ones on request."""
    values = draw(invertible() if definite else matrices(square=True)).values
    return Spec((values + np.conj(np.swapaxes(values, -1, -2))) / 2, "contiguous")


def promote(a: Spec, b: Spec) -> bool:
    """Whether the standard defines the dtype of the two together."""
    pair = tuple(BY_NAME[s.values.dtype.name] for s in (a, b))
    return pair in PROMOTION


def compare_products(body: Callable[..., Any], a: Spec, b: Spec, **options: Any) -> None:
    """``compare`` of two operands whose dtypes promote; others are refused.

    "Type promotion between mixed kinds is undefined": array-api-strict enforces that in the
    element-wise functions only, and leaves products to NumPy's own promotion.
    """
    if promote(a, b):
        compare(body, a, b, signed_zeros=False, **options)
    else:
        assert isinstance(outcome(body, xp_torch, (a, b)), (TypeError, ValueError))


def single(*specs: Spec) -> bool:
    """Whether any of the arrays has single precision."""
    return any(s.values.dtype in (np.float32, np.complex64) for s in specs)


def tolerances(*specs: Spec, scale: float = 1.0) -> dict[str, float]:
    """The keyword arguments of ``compare`` for a result computed in several steps.

    A few dozen roundings of the dtype, of the element and of ``scale``, which is how large the
    numbers are that it is a sum of.
    """
    eps = 64 * float(np.finfo(np.float32 if single(*specs) else np.float64).eps)
    return {"rtol": eps, "atol": eps * scale, "signed_zeros": False}
