"""Subclasses of Python's numbers stand for the number they are."""

from __future__ import annotations

import enum
import operator

import numpy as np
import pytest

import xp_torch
from xp_torch import asarray, to_torch


class Level(enum.IntEnum):
    """An int that is a class of its own."""

    TWO = 2


class Length(float):
    """A float that is a class of its own."""


PAIRS = [
    (Level.TWO, 2),
    (Length(2.5), 2.5),
    (np.float64(2.5), 2.5),
    (np.complex128(2 + 1j), 2 + 1j),
]
DTYPES = ("int8", "uint64", "int64", "float32", "float64", "complex64", "bool")
OPERATORS = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
    operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift,
    operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv,
    operator.imod, operator.ipow, operator.iand, operator.ior, operator.ixor,
    operator.ilshift, operator.irshift,
)  # fmt: skip
FUNCTIONS = {
    "add": lambda x, v: xp_torch.add(x, v),
    "add, left": lambda x, v: xp_torch.add(v, x),
    "pow": lambda x, v: xp_torch.pow(x, v),
    "bitwise_left_shift": lambda x, v: xp_torch.bitwise_left_shift(x, v),
    "atan2": lambda x, v: xp_torch.atan2(v, x),
    "maximum": lambda x, v: xp_torch.maximum(x, v),
    "equal": lambda x, v: xp_torch.equal(v, x),
    "where": lambda x, v: xp_torch.where(asarray([True, False, True]), x, v),
    "where, left": lambda x, v: xp_torch.where(asarray([True, False, True]), v, x),
    "clip": lambda x, v: xp_torch.clip(x, v, None),
    "clip, two": lambda x, v: xp_torch.clip(x, v, v),
    "isin": lambda x, v: xp_torch.isin(x, v),
    "isin, left": lambda x, v: xp_torch.isin(v, x),
    "searchsorted": lambda x, v: xp_torch.searchsorted(x, v),
    "full": lambda x, v: xp_torch.full((2,), v),
    "full_like": lambda x, v: xp_torch.full_like(x, v),
    "result_type": lambda x, v: xp_torch.zeros(1, dtype=xp_torch.result_type(x, v)),
    "asarray": lambda x, v: asarray([v, v]),
}


def outcome(call, x, value):
    """What a call gives: values and dtype, or the type and the words of its error."""
    try:
        out = to_torch(call(x, value))
    except (TypeError, ValueError, OverflowError) as error:
        return type(error), str(error)
    return out.dtype, out.numpy().tobytes()


def fresh(dtype):
    return asarray([0, 1, 1] if dtype == "bool" else [1, 2, 3], dtype=getattr(xp_torch, dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
def test_operators(op, dtype):
    """On both sides the result, or the error, is that of the number."""
    for given, number in PAIRS:
        assert outcome(op, fresh(dtype), given) == outcome(op, fresh(dtype), number)
        found = outcome(lambda x, v: op(v, x), fresh(dtype), given)
        assert found == outcome(lambda x, v: op(v, x), fresh(dtype), number)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name, dtype):
    for given, number in PAIRS:
        found = outcome(FUNCTIONS[name], fresh(dtype), given)
        assert found == outcome(FUNCTIONS[name], fresh(dtype), number)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "key", [0, slice(None), ..., "mask", "indices"], ids=["int", "slice", "all", "mask", "indices"]
)
def test_assignment(key, dtype):
    def assigned(x, value):
        place = {"mask": asarray([True, False, True]), "indices": asarray([0, 2])}
        x[place[key] if isinstance(key, str) else key] = value
        return x

    for given, number in PAIRS:
        assert outcome(assigned, fresh(dtype), given) == outcome(assigned, fresh(dtype), number)


def test_a_numpy_double_is_a_python_float():
    """It takes the dtype of the array: with NumPy's arrays it would make float32 float64."""
    x = asarray([1.0, 2.0], dtype=xp_torch.float32)
    for out in (x + np.float64(0.5), np.float64(0.5) + x, xp_torch.add(x, np.float64(0.5))):
        assert type(out) is type(x)
        assert to_torch(out).tolist() == [1.5, 2.5]
        assert out.dtype is xp_torch.float32


def test_older_versions_have_no_scalars_in_functions():
    """A subclass goes the way of the number there, too."""
    with (
        xp_torch.flags(api_version="2023.12"),
        pytest.raises(TypeError, match=r"from version 2024\.12"),
    ):
        xp_torch.add(asarray([1.0]), np.float64(1))
