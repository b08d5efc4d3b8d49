"""Inputs for the tests of ufuncs: every dtype, 16-bit floats among them."""

from __future__ import annotations

from typing import Any

import numpy
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tests.differential import Spec
from tests.strategies import LAYOUTS, elements, shapes

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEXES = ["complex64", "complex128"]
REAL = ["bool", *INTEGERS, *FLOATS]
ALL = [*REAL, *COMPLEXES]


@st.composite
def operands(draw: Any, dtypes: list[str] = ALL, shape: Any = None, finite: bool = False) -> Spec:
    """An array of one of ``dtypes``, of any layout, with special values unless ``finite``."""
    dtype = numpy.dtype(draw(st.sampled_from(dtypes)))
    drawn = numpy.dtype("float32") if dtype == "float16" else dtype
    size = shapes() if shape is None else shape
    size = draw(size) if isinstance(size, st.SearchStrategy) else size
    values = draw(hnp.arrays(drawn, size, elements=elements(drawn, finite), fill=st.nothing()))
    with numpy.errstate(over="ignore"):
        return Spec(values.astype(dtype), draw(st.sampled_from(LAYOUTS)))


@st.composite
def pairs(draw: Any, dtypes: list[str] = ALL, finite: bool = False) -> tuple[Spec, Spec]:
    """Two arrays whose shapes broadcast, half the time of one dtype."""
    both = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3, min_side=0))
    first, second = both.input_shapes
    a = draw(operands(dtypes, first, finite))
    same = draw(st.booleans())
    b = draw(operands([a.values.dtype.name] if same else dtypes, second, finite))
    return a, b
