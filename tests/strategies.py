"""Hypothesis strategies for arrays: every dtype, shape, layout and kind of value."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.differential import Spec
from xp_torch._core import dtypes
from xp_torch._core.dtypes import Category, name_of

LAYOUTS = ("contiguous", "transposed", "strided", "offset", "broadcast")
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, float("inf"), float("-inf"), float("nan"), 1e30, 1e-30]

CLOSE = {
    name: 64 * float(np.finfo(name).eps)
    for name in ("float32", "float64", "complex64", "complex128")
}
"""Relative tolerances of sums and products: one rounding for each of the 64 elements at most."""


def dtypes_of(category: Category) -> st.SearchStrategy[np.dtype[Any]]:
    """The category's dtypes as NumPy dtypes, in the standard's order."""
    return st.sampled_from([np.dtype(n) for n, d in dtypes.BY_NAME.items() if d in category.dtypes])


def shapes(max_dims: int = 3, min_dims: int = 0, max_side: int = 4) -> Any:
    """Shapes with 0-D and empty ones among them."""
    return hnp.array_shapes(min_dims=min_dims, max_dims=max_dims, min_side=0, max_side=max_side)


def elements(dtype: np.dtype[Any], finite: bool = False) -> st.SearchStrategy[Any]:
    """Values of a dtype, its limits and special values often among them."""
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        small = st.integers(max(-5, int(info.min)), 5)
        edges = st.sampled_from([info.min, info.max, info.max // 2, info.max // 2 + 1, 0, 1])
        return st.one_of(small, edges.map(int), st.integers(int(info.min), int(info.max)))
    width = dtype.itemsize * 8
    if dtype.kind == "c":
        part = elements(np.dtype(f"float{width // 2}"), finite)
        return st.builds(complex, part, part)
    plain = st.floats(-100, 100, width=32, allow_subnormal=False)
    if finite:
        return plain
    special = st.sampled_from([float(np.float32(v)) for v in SPECIAL])
    return st.one_of(plain, special)


@st.composite
def arrays(
    draw: Any,
    dtype: Category | np.dtype[Any] = dtypes.ALL,
    shape: Any = None,
    finite: bool = False,
    layouts: tuple[str, ...] = LAYOUTS,
) -> Spec:
    """An array spec: a dtype of the category, a shape, values and a layout."""
    kind = draw(dtypes_of(dtype)) if isinstance(dtype, Category) else dtype
    size = shapes() if shape is None else shape
    size = draw(size) if isinstance(size, st.SearchStrategy) else size
    values = draw(hnp.arrays(kind, size, elements=elements(kind, finite), fill=st.nothing()))
    return Spec(values, draw(st.sampled_from(layouts)))


@st.composite
def pairs(draw: Any, category: Category, finite: bool = False) -> tuple[Spec, Spec]:
    """Two arrays whose shapes broadcast; their dtypes may or may not promote."""
    both = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0))
    first, second = both.input_shapes
    a = draw(arrays(category, first, finite))
    same = draw(st.booleans())
    b = draw(arrays(a.values.dtype if same else category, second, finite))
    return a, b


def axes(ndim: int) -> st.SearchStrategy[Any]:
    """The ``axis`` of a reduction: none, one, several, and wrong ones of every kind."""
    one = st.integers(-ndim, max(ndim - 1, 0))
    return st.one_of(
        st.none(),
        one,
        st.lists(one, max_size=ndim, unique=True).map(tuple),
        st.sampled_from([ndim, -ndim - 1, (), (0, 0), (0, ndim), 0.5, "0", [0], (None,)]),
    )


def scalars() -> st.SearchStrategy[Any]:
    """Python scalars of every kind, in and out of the range of the small dtypes."""
    return st.one_of(
        st.booleans(),
        st.integers(-3, 3),
        st.sampled_from([127, 128, 255, 256, -129, 2**31, 2**63, -(2**63) - 1, 2**64]),
        st.sampled_from([0.5, -0.0, float("nan"), float("inf")]),
        st.just(1 + 2j),
    )


__all__ = [
    "CLOSE",
    "LAYOUTS",
    "arrays",
    "axes",
    "dtypes_of",
    "elements",
    "name_of",
    "pairs",
    "scalars",
    "shapes",
]
