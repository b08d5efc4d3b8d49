"""Type promotion, every pair of it: dtypes, arrays of any rank, Python scalars.

The table is small enough to be held in full, so nothing here is sampled.
"""

from __future__ import annotations

import operator
from itertools import permutations, product
from typing import Any

import array_api_strict
import pytest

import xp_torch
from tests.cases import label
from tests.differential import dtype_name
from xp_torch._core.dtypes import BY_NAME, PROMOTION, promote

NAMES = list(BY_NAME)
PAIRS = list(product(NAMES, NAMES))
SHAPES = [((), ()), ((), (2,)), ((2,), ()), ((2,), (2,)), ((1, 2), ()), ((), (0,))]
FUNCTIONS = ["add", "equal", "bitwise_or"]
SCALARS = [True, 1, 1.0, 1j]
OPERATORS = [operator.add, operator.mul, operator.eq, operator.and_, operator.pow]


def dtype_or_error(call: Any) -> str | type[Exception]:
    """The name of the dtype that comes out, or the kind of error."""
    try:
        result = call()
    except TypeError:
        return TypeError
    except OverflowError:
        return OverflowError
    return dtype_name(getattr(result, "dtype", result))


def array(xp: Any, name: str, shape: tuple[int, ...] = (2,)) -> Any:
    return xp.ones(shape, dtype=getattr(xp, name))


def both(body: Any) -> tuple[str | type[Exception], str | type[Exception]]:
    """What comes out of the same call here and in array-api-strict."""
    return tuple(dtype_or_error(lambda xp=xp: body(xp)) for xp in (xp_torch, array_api_strict))


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_result_type_of_dtypes(a, b):
    ours, theirs = both(lambda xp: xp.result_type(getattr(xp, a), getattr(xp, b)))
    assert ours == theirs


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_result_type_of_arrays(a, b):
    """The rank of an array has no say."""
    for first, second in SHAPES:
        ours, theirs = both(
            lambda xp, s=(first, second): xp.result_type(array(xp, a, s[0]), array(xp, b, s[1]))
        )
        assert ours == theirs


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_functions_of_two_arrays(function, a, b):
    """A function of numbers, one of every dtype, one of integers."""
    for first, second in SHAPES:
        ours, theirs = both(
            lambda xp, s=(first, second): getattr(xp, function)(
                array(xp, a, s[0]), array(xp, b, s[1])
            )
        )
        assert ours == theirs


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scalar", SCALARS, ids=label)
def test_result_type_of_a_scalar(name, scalar):
    """A Python scalar takes the array's dtype, on either side."""
    for shape in ((), (2,)):
        ours, theirs = both(lambda xp, s=shape: xp.result_type(array(xp, name, s), scalar))
        assert ours == theirs
        ours, theirs = both(lambda xp, s=shape: xp.result_type(scalar, array(xp, name, s)))
        assert ours == theirs


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scalar", SCALARS, ids=label)
def test_functions_of_a_scalar(name, scalar):
    for function in FUNCTIONS:
        for order in (1, -1):
            ours, theirs = both(
                lambda xp, f=function, o=order: getattr(xp, f)(*(array(xp, name), scalar)[::o])
            )
            assert ours == theirs, (function, order)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scalar", SCALARS, ids=label)
def test_operators_with_a_scalar(name, scalar):
    for op in OPERATORS:
        for order in (1, -1):
            ours, theirs = both(lambda xp, f=op, o=order: f(*(array(xp, name), scalar)[::o]))
            assert ours == theirs, (op, order)


@pytest.mark.parametrize("name", [n for n in NAMES if "int" in n])
def test_scalars_at_the_bounds(name):
    """An int in the range of the dtype is taken, one beyond it refused."""
    info = xp_torch.iinfo(getattr(xp_torch, name))
    x = array(xp_torch, name)
    for value in (info.min, info.max):
        assert (x * 0 + value).dtype == x.dtype
    for value in (info.min - 1, info.max + 1):
        with pytest.raises(OverflowError):
            x + value


@pytest.mark.parametrize("first", NAMES)
def test_promotion_of_three(first):
    """Neither the order of the arguments nor their grouping changes the result."""
    for others in PAIRS:
        dtypes = [BY_NAME[n] for n in (first, *others)]
        if any(pair not in PROMOTION for pair in product(dtypes, dtypes)):
            continue
        results = {promote("test", *order) for order in permutations(dtypes)}
        assert len(results) == 1
