"""What the tests of creation draw from: dtypes by name, Python scalars, and what is left out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from xp_torch._core.dtypes import BY_NAME

NAMES = list(BY_NAME)
some_dtype = st.sampled_from([None, *NAMES])
scalars = st.one_of(
    st.booleans(),
    st.integers(-3, 300),
    st.sampled_from([2**31, 2**63, -(2**63), 2**64 - 1, -(2**63) - 1]),
    st.floats(-5, 300),
    st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 1e300]),
    st.sampled_from([1 + 2j, complex(math.nan, -0.0), complex(1e300, -math.inf)]),
)


def named(xp: Any, name: str | None) -> Any:
    """A dtype of a namespace by its name, or ``None``."""
    return None if name is None else getattr(xp, name)


def undefined(value: Any, dtype: str | None) -> bool:
    """Whether NumPy gives a fill value a meaning that neither Python nor the standard does.

    A NaN, an infinity or a float out of range as an integer, the sign dropped; a complex
    number as a real one. ``full`` refuses those, as ``asarray`` and Python's ``int`` do.
    NumPy also cannot take the truth of an int beyond 64 bits.
    """
    if dtype == "bool":
        return type(value) is int and not -(2**63) <= value < 2**63
    if dtype is None or "complex" in dtype:
        return False
    if type(value) is complex:
        return True
    if type(value) is float and "int" in dtype:
        info = np.iinfo(dtype)
        return not (math.isfinite(value) and info.min <= int(value) <= info.max)
    return False
