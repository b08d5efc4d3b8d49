"""The chapter *Data type functions* beside array-api-strict."""

from __future__ import annotations

import math

import array_api_strict
import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import xp_torch
from tests.cases import label
from tests.differential import compare, dtype_name
from tests.strategies import arrays, scalars
from xp_torch._core.dtypes import ALL, BY_NAME, KINDS

NAMES = list(BY_NAME)
some_dtype = st.sampled_from(NAMES)
kinds = st.one_of(st.sampled_from([*KINDS, "integer", ""]), some_dtype.map(lambda n: f"dtype {n}"))
WRONG = [float, int, "float64", None, 3, 2.5, [1], np.float64, torch.float16]


def resolved(xp, kind):
    """A kind with the dtypes in it as those of the namespace."""
    if isinstance(kind, tuple):
        return tuple(resolved(xp, k) for k in kind)
    if isinstance(kind, str) and kind.startswith("dtype "):
        return getattr(xp, kind.removeprefix("dtype "))
    return kind


@given(arrays(ALL), some_dtype, st.booleans())
def test_astype(x, dtype, copy):
    """Same values wherever the cast has one; complex to real is refused alike."""
    if "float" in x.values.dtype.name and "int" in dtype:
        info = np.iinfo(dtype)
        # A value that the integer dtype does not hold is not defined by the standard.
        values = x.numpy().astype(float).ravel()
        assume(all(math.isfinite(v) and info.min <= int(v) <= info.max for v in values))
    # array-api-strict refuses bool as a real dtype; the standard defines the cast ...
    assume(dtype != "bool" or "complex" not in x.values.dtype.name)
    compare(lambda xp, x: xp.astype(x, getattr(xp, dtype), copy=copy), x, rtol={"float32": 1e-6})


def test_astype_of_complex_to_bool():
    """The standard's note says what is True: anything but zero."""
    x = xp_torch.asarray([0j, 1j, 1 + 0j, complex(math.nan, 0)])
    out = xp_torch.astype(x, xp_torch.bool)
    assert xp_torch.to_torch(out).tolist() == [False, True, True, True]


def test_astype_copies():
    """A new array unless ``copy=False`` and the dtype is the same; then the array itself."""
    x = xp_torch.asarray([1.0, 2.0])
    assert xp_torch.astype(x, xp_torch.float64, copy=False) is x
    for out in (
        xp_torch.astype(x, xp_torch.float64),
        xp_torch.astype(x, xp_torch.float32, copy=False),
    ):
        xp_torch.to_torch(out).zero_()
    assert xp_torch.to_torch(x).tolist() == [1.0, 2.0]
    spread = xp_torch.asarray(torch.ones(1).expand(3))
    xp_torch.to_torch(xp_torch.astype(spread, xp_torch.float32))[0] = 7
    assert xp_torch.to_torch(spread).tolist() == [1, 1, 1]


def test_astype_device(device):
    """``device`` sets the device of the result, and came with version 2023.12."""
    x = xp_torch.ones(2)
    out = xp_torch.astype(x, xp_torch.int8, device=device)
    assert out.device.type == torch.device(device).type
    assert xp_torch.astype(x, xp_torch.float64, device="meta", copy=False).device.type == "meta"
    with xp_torch.flags(api_version="2022.12"), pytest.raises(TypeError, match="astype: device"):
        xp_torch.astype(x, xp_torch.int8, device=device)


@pytest.mark.parametrize("wrong", WRONG, ids=label)
def test_wrong_dtypes_are_refused(wrong):
    """A ``TypeError`` that names the function, whatever is given as a dtype."""
    x = xp_torch.ones(2)
    for name, call in {
        "astype": lambda: xp_torch.astype(x, wrong),
        "can_cast": lambda: xp_torch.can_cast(wrong, xp_torch.int8),
        "can_cast: to": lambda: xp_torch.can_cast(xp_torch.int8, wrong),
        "finfo": lambda: xp_torch.finfo(wrong),
        "iinfo": lambda: xp_torch.iinfo(wrong),
        "isdtype": lambda: xp_torch.isdtype(wrong, "numeric"),
        "result_type": lambda: xp_torch.result_type(x, [wrong]),
    }.items():
        with pytest.raises(TypeError, match=name):
            call()


@given(some_dtype, some_dtype, st.booleans())
def test_can_cast(source, target, of_array):
    """Same answers, of dtypes and of arrays."""

    def body(xp):
        dtype = getattr(xp, source)
        return xp.can_cast(xp.zeros(1, dtype=dtype) if of_array else dtype, getattr(xp, target))

    compare(body)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("function", ["finfo", "iinfo"])
def test_limits(function, name):
    """Same limits, as Python numbers, of dtypes and of arrays; wrong kinds are refused alike."""

    def body(xp, argument):
        info = getattr(xp, function)(argument)
        names = ["bits", "max", "min"] + (["eps", "smallest_normal"] if function == "finfo" else [])
        values = [getattr(info, n) for n in names]
        return [*values, *[type(v).__name__ for v in values], info.dtype]

    compare(lambda xp: body(xp, getattr(xp, name)))
    compare(lambda xp: body(xp, xp.zeros(2, dtype=getattr(xp, name))))


@given(some_dtype, st.one_of(kinds, st.lists(kinds, max_size=3).map(tuple)))
def test_isdtype(dtype, kind):
    """Same answers for every kind, dtype and tuple; both refuse unknown kinds."""
    compare(lambda xp: xp.isdtype(getattr(xp, dtype), resolved(xp, kind)))


@pytest.mark.parametrize("kind", [None, 3, ["bool"], float, (("bool",),)], ids=label)
def test_isdtype_refuses_what_is_no_kind(kind):
    compare(lambda xp: xp.isdtype(xp.int8, kind))


def of_spec(xp, part):
    """A dtype, a 0-D or 1-D array of it, or a scalar as it is."""
    how, value = part
    if how == "scalar":
        return value
    dtype = getattr(xp, value)
    return dtype if how == "dtype" else xp.zeros((2,) if how == "vector" else (), dtype=dtype)


parts = st.one_of(
    st.tuples(st.sampled_from(["dtype", "vector", "zero-d"]), some_dtype),
    st.tuples(st.just("scalar"), scalars()),
)


@given(st.lists(parts, max_size=4), st.randoms())
def test_result_type(parts, random):
    """Same dtype or refusal, and in any order of the arguments."""
    expected = compare(lambda xp: xp.result_type(*[of_spec(xp, p) for p in parts]))
    shuffled = list(parts)
    random.shuffle(shuffled)
    try:
        again = xp_torch.result_type(*[of_spec(xp_torch, p) for p in shuffled])
    except (TypeError, ValueError, OverflowError):
        assert isinstance(expected, Exception)
    else:
        assert again is expected


def test_result_type_of_scalars_came_with_2024():
    with xp_torch.flags(api_version="2023.12"), pytest.raises(TypeError, match=r"2024\.12"):
        xp_torch.result_type(xp_torch.int8, 1)


def test_dtypes_are_torch_dtypes():
    """By the standard's names, and printed without ``torch.`` in an array."""
    for name in NAMES:
        dtype = getattr(xp_torch, name)
        assert isinstance(dtype, torch.dtype)
        assert dtype_name(dtype) == dtype_name(getattr(array_api_strict, name)) == name
        assert repr(xp_torch.zeros(0, dtype=dtype)) == f"Array([], dtype={name})"


def test_constants():
    """Python floats, and ``None`` for a new axis."""
    assert (xp_torch.e, xp_torch.pi, xp_torch.inf) == (math.e, math.pi, math.inf)
    assert math.isnan(xp_torch.nan)
    assert xp_torch.newaxis is None
