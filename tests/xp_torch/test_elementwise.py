"""The chapter *Element-wise functions* beside array-api-strict."""

from __future__ import annotations

from hypothesis import given

from tests.differential import compare
from tests.strategies import CLOSE, arrays, pairs, scalars
from xp_torch._core.dtypes import ALL


@given(pairs(ALL))
def test_add(pair):
    """Same dtypes, values and wrap-around; what does not promote is refused alike."""
    compare(lambda xp, a, b: xp.add(a, b), *pair, rtol=CLOSE)


@given(arrays(ALL), scalars())
def test_add_scalar(a, scalar):
    """A Python scalar on either side takes the array's dtype or is refused alike."""
    compare(lambda xp, a: xp.add(a, scalar), a, rtol=CLOSE)
    compare(lambda xp, a: scalar + a, a, rtol=CLOSE)
