"""NEP 50, exhaustively: every ufunc, every pair of dtypes, arrays and Python numbers."""

from __future__ import annotations

import itertools
from typing import Any

import numpy
import pytest

import numpy_shim
from numpy_shim._base.dtypes import TORCH
from numpy_shim._ufunc.spec import _SAME_LOOPS, resolved_by_key

DTYPES = [d for d in TORCH if d.name != "bfloat16"]
NUMBERS = [True, 1, 1.5, 1j]
UFUNCS = sorted(
    {
        u.__name__
        for u in vars(numpy_shim).values()
        if isinstance(u, numpy_shim.ufunc) and u.signature is None
    }
)


def described(np: Any, name: str, operands: tuple[Any, ...]) -> Any:
    """The dtypes of the results, or the built-in error of the call."""
    arrays = [np.ones(2, x) if isinstance(x, numpy.dtype) else x for x in operands]
    try:
        with numpy.errstate(all="ignore"):
            results = getattr(np, name)(*arrays)
    except (TypeError, ValueError, OverflowError) as error:
        return next(k for k in (TypeError, ValueError, OverflowError) if isinstance(error, k))
    return [r.dtype for r in (results if isinstance(results, tuple) else (results,))]


@pytest.mark.parametrize("name", UFUNCS)
def test_result_dtype_is_numpys(name: str):
    """For every combination of dtypes and Python numbers, on either side."""
    nin = getattr(numpy, name).nin
    wrong = []
    for operands in itertools.product([*DTYPES, *NUMBERS], repeat=nin):
        ours, theirs = (described(np, name, operands) for np in (numpy_shim, numpy))
        if ours != theirs:
            wrong.append((operands, ours, theirs))
    assert not wrong, wrong[:5]


@pytest.mark.parametrize("name", sorted(_SAME_LOOPS))
def test_ufuncs_that_are_asked_for_others(name: str):
    """The import asks one ufunc for all that compute in the same dtypes; here all are asked."""
    assert resolved_by_key(name) == resolved_by_key(_SAME_LOOPS[name])
