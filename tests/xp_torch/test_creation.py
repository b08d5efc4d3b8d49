"""The chapter *Creation functions* beside array-api-strict."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import xp_torch
from tests.cases import label
from tests.creating import NAMES, named, scalars, some_dtype, undefined
from tests.differential import compare, dtype_name
from tests.strategies import arrays, shapes
from xp_torch._core.dtypes import ALL, NUMERIC

CLOSE = {
    name: 4 * float(np.finfo(name).eps)
    for name in ("float32", "float64", "complex64", "complex128")
}
"""A product and a sum in each library."""
any_shape = st.one_of(
    shapes(),
    st.integers(0, 5),
    st.lists(st.integers(0, 4), max_size=3),
    st.sampled_from([-1, (2, -1), 2.0, "a", None, (2, None), True, ((2, 3),), 2**70]),
)
numbers = st.one_of(
    st.integers(-20, 20),
    st.floats(-20, 20).map(lambda v: round(v, 3)),
    st.sampled_from([2**31, 2**53, 2**62, 2**63 - 1, -(2**63), 1e15, math.inf, math.nan, -0.0]),
)


@pytest.mark.parametrize("name", ["zeros", "ones"])
@given(shape=any_shape, dtype=some_dtype)
def test_filled(name, shape, dtype):
    """Same values, dtype and shape; a shape that is none is refused alike."""
    compare(lambda xp: getattr(xp, name)(shape, dtype=named(xp, dtype)))


@given(shape=any_shape, dtype=some_dtype)
def test_empty(shape, dtype):
    """Same dtype and shape, whatever the values."""
    compare(lambda xp: xp.zeros_like(xp.empty(shape, dtype=named(xp, dtype))))


@pytest.mark.parametrize("name", ["zeros_like", "ones_like"])
@given(x=arrays(ALL), dtype=some_dtype)
def test_filled_like(name, x, dtype):
    """Same values, dtype and shape."""
    compare(lambda xp, x: getattr(xp, name)(x, dtype=named(xp, dtype)), x)


@given(x=arrays(ALL), dtype=some_dtype)
def test_empty_like(x, dtype):
    """Same dtype and shape, whatever the values."""
    compare(lambda xp, x: xp.zeros_like(xp.empty_like(x, dtype=named(xp, dtype))), x)


@given(shape=any_shape, value=scalars, dtype=some_dtype)
def test_full(shape, value, dtype):
    """Same values, default dtypes and overflows."""
    assume(not undefined(value, dtype))
    compare(lambda xp: xp.full(shape, value, dtype=named(xp, dtype)))


@given(x=arrays(ALL), value=scalars, dtype=some_dtype)
def test_full_like(x, value, dtype):
    """Same values and overflows."""
    assume(not undefined(value, dtype or x.values.dtype.name))
    compare(lambda xp, x: xp.full_like(x, value, dtype=named(xp, dtype)), x)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e30, -1.5])
def test_full_refuses_what_no_integer_is(value):
    """Where NumPy casts out of range without a word, the error of Python's ``int``."""
    with pytest.raises((ValueError, OverflowError), match="full: fill_value"):
        xp_torch.full(2, value, dtype=xp_torch.uint8)


@pytest.mark.parametrize("value", ["a", None, [1], np.int64(2)])
def test_full_refuses_what_is_no_scalar(value):
    compare(lambda xp: xp.full(2, value))


@given(numbers, st.none() | numbers, st.none() | numbers, some_dtype)
def test_arange(start, stop, step, dtype):
    """Same length and values; what has no length is refused alike."""
    args = [a for a in (start, stop, step) if a is not None]
    assume(step is None or stop is not None)
    whole = all(type(a) is int for a in args)
    first, end, by = (args + [None] * 3)[:3] if len(args) > 1 else (0, args[0], None)
    by = 1 if by is None else by
    try:
        count = -((first - end) // by) if whole else math.ceil((end - first) / by)
    except (ZeroDivisionError, ValueError, OverflowError):
        count = 0
    # Longer is a matter of memory, and NumPy takes far below zero for far above it. NumPy's
    # length of integers is that of a quotient of doubles; ours is exact.
    assume(-(2**62) < count < 10_000)
    assume(not whole or max(map(abs, args)) < 2**53)
    assume(dtype != "bool")
    if dtype is not None and "int" in dtype and not whole:
        assume(not any(undefined(v, "int32") for v in (first, first + by)))
    scale = max([abs(a) for a in args if math.isfinite(a)], default=1.0)
    compare(
        lambda xp: xp.arange(*args, dtype=named(xp, dtype)),
        rtol=CLOSE,
        # The reference's distance is that of its first two values, so its error grows.
        atol=scale * max(count, 10) * (1.2e-7 if dtype in ("float32", "complex64") else 1e-15),
        signed_zeros=False,
    )


@given(st.sampled_from([d for d in NAMES if "int" in d]), st.data())
def test_arange_of_integers_is_a_range(dtype, data):
    """Exactly Python's range wherever its values are in range, up to the limits."""
    info = np.iinfo(dtype)
    low, high = int(info.min), int(info.max)
    edge = st.sampled_from([low, low + 1, high, high - 1, high // 2, max(low, -1), 0])
    start = data.draw(st.one_of(edge, st.integers(low, high)))
    step = data.draw(
        st.one_of(
            st.integers(1, 9), st.integers(-9, -1), st.integers(1, high), st.integers(-high, -1)
        )
    )
    count = data.draw(st.integers(0, 20))
    count = min(count, (high - start) // step + 1 if step > 0 else (start - low) // -step + 1)
    stop = (
        start
        + count * step
        - (1 if step > 0 else -1)
        * data.draw(st.integers(0, min(abs(step) - 1, 3)) if count else st.just(0))
    )
    out = xp_torch.arange(start, stop, step, dtype=getattr(xp_torch, dtype))
    assert xp_torch.to_torch(out).tolist() == list(range(start, stop, step))
    assert dtype_name(out.dtype) == dtype


def test_arange_near_the_limits_of_int64():
    """Lengths and values are exact where doubles are not."""
    top = 2**63 - 1
    wide = [(-top - 1, top, 2**62), (top, -top, -(2**62))]
    for args in [(top - 2, top), (-top - 1, -top + 2), *wide]:
        assert xp_torch.to_torch(xp_torch.arange(*args)).tolist() == list(range(*args))
    with pytest.raises(ValueError, match="arange: 9223372036854775807 values"):
        xp_torch.arange(top)
    with pytest.raises(OverflowError, match="arange: start"):
        xp_torch.arange(2**63, 2**63 + 2)


def test_arange_of_bool_is_refused():
    """array-api-strict allows two values of it; the standard asks for numbers."""
    with pytest.raises(TypeError, match="arange: dtype"):
        xp_torch.arange(2, dtype=xp_torch.bool)


ends = st.one_of(
    st.integers(-9, 9),
    st.floats(-100, 100),
    st.sampled_from([1e15, -0.0, 1e-300, math.inf, math.nan, 2**60]),
    st.sampled_from([1j, 2 - 3j]),
)


@given(
    ends,
    ends,
    st.one_of(st.integers(-1, 9), st.sampled_from([2.0, None, "a"])),
    st.sampled_from([None, "float32", "float64", "complex64", "complex128", "int16", "int64"]),
    st.booleans(),
)
def test_linspace(start, stop, num, dtype, endpoint):
    """Same values, ends and dtype; both refuse a number of values that is not an integer."""
    is_complex = complex in (type(start), type(stop))
    # array-api-strict drops the imaginary part and truncates what is not finite.
    assume(not (is_complex and dtype in ("float32", "float64", "int16", "int64")))
    if dtype in ("int16", "int64"):
        # The floor of a value that rounding has put on either side of an integer is either.
        assume(all(math.isfinite(v) and abs(v) < 100 for v in (start, stop)))
        close = {"rtol": 0.0, "atol": 1.0}
    else:
        scale = max([abs(v) for v in (start, stop) if math.isfinite(abs(v))], default=1.0)
        single = dtype in ("float32", "complex64")
        close = {"rtol": CLOSE, "atol": scale * float(np.finfo("f4" if single else "f8").eps) * 4}
    assume(not (is_complex and not all(math.isfinite(abs(v)) for v in (start, stop))))
    compare(
        lambda xp: xp.linspace(start, stop, num, dtype=named(xp, dtype), endpoint=endpoint),
        signed_zeros=False,
        **close,
    )


def test_linspace_of_real_ends_is_real():
    """Complex numbers of real ones, though an end is infinite: no NaN in the other part."""
    for endpoint in (True, False):
        compare(lambda xp: xp.linspace(0, math.inf, 3, dtype=xp.complex64, endpoint=endpoint))  # noqa: B023


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300), st.integers(2, 50))
def test_linspace_ends(start, stop, num):
    """The first and the last value are exactly the ends given."""
    assume(math.isfinite(stop - start))
    out = xp_torch.to_torch(xp_torch.linspace(start, stop, num)).tolist()
    assert (out[0], out[-1]) == (start, stop)
    half_open = xp_torch.linspace(start, stop, num, endpoint=False)
    closed = xp_torch.linspace(start, stop, num + 1)
    assert torch.equal(xp_torch.to_torch(half_open), xp_torch.to_torch(closed)[:-1])


@given(
    st.one_of(st.integers(-1, 6), st.sampled_from([2.0, None, True])),
    st.one_of(st.none(), st.integers(-1, 6), st.sampled_from([2.0, "a"])),
    st.one_of(st.integers(-7, 7), st.sampled_from([2**70, -(2**63), 1.5, None])),
    some_dtype,
)
def test_eye(rows, columns, k, dtype):
    """Same values for every dtype and diagonal; wrong sizes are refused alike."""
    # NumPy looks at the diagonal only where it crosses the matrix.
    assume(k not in (1.5, None) or (rows, columns) == (2, 2))
    compare(lambda xp: xp.eye(rows, columns, k=k, dtype=named(xp, dtype)))


@pytest.mark.parametrize("name", ["tril", "triu"])
@given(x=arrays(ALL, shape=shapes(max_dims=4)), k=st.integers(-6, 6))
def test_triangle(name, x, k):
    """Same values for every dtype; fewer than two dimensions are refused alike."""
    compare(lambda xp, x: getattr(xp, name)(x, k=k), x)


@pytest.mark.parametrize("name", ["tril", "triu"])
def test_triangle_of_any_diagonal(name):
    """Any integer is a diagonal, beyond 64 bits too; a float is none."""
    x = xp_torch.asarray([[1, 2], [3, 4]])
    function = getattr(xp_torch, name)
    everything, nothing = (2**70, -(2**70)) if name == "tril" else (-(2**70), 2**70)
    assert torch.equal(xp_torch.to_torch(function(x, k=everything)), xp_torch.to_torch(x))
    assert not xp_torch.to_torch(function(x, k=nothing)).any()
    with pytest.raises(TypeError, match=f"{name}: k"):
        function(x, k=0.5)
    with pytest.raises(TypeError, match=f"{name}: x"):
        function([[1, 2]])


@given(st.lists(arrays(NUMERIC, shape=shapes(max_dims=1, min_dims=1)), max_size=4), st.data())
def test_meshgrid(specs, data):
    """Same values, order and shapes; different dtypes and orders are refused alike."""
    indexing = data.draw(st.sampled_from(["xy", "ij", "ab"]))
    if data.draw(st.booleans()):
        specs = specs[:1] * len(specs)
    compare(lambda xp, *a: xp.meshgrid(*a, indexing=indexing), *specs)


def test_meshgrid_takes_vectors_only():
    """The standard asks for one-dimensional arrays; array-api-strict flattens others."""
    for wrong in (xp_torch.zeros(()), xp_torch.zeros((2, 2))):
        with pytest.raises(ValueError, match="meshgrid: each array must be one-dimensional"):
            xp_torch.meshgrid(wrong)
    with pytest.raises(TypeError, match="meshgrid: each argument"):
        xp_torch.meshgrid([1, 2])


def test_meshgrid_has_its_own_memory():
    """Each result can be written to, and the input does not see it."""
    x = xp_torch.arange(3)
    for grid in xp_torch.meshgrid(x, x):
        xp_torch.to_torch(grid)[0, 0] = 7
        assert xp_torch.to_torch(grid).sum() in (10, 16)
    assert xp_torch.to_torch(x).tolist() == [0, 1, 2]


def test_complex_data_has_no_real_value():
    """The standard's note on ``astype``; array-api-strict drops the imaginary part here."""
    for call in (
        lambda: xp_torch.asarray(xp_torch.asarray([1j]), dtype=xp_torch.float64),
        lambda: xp_torch.full(1, 1j, dtype=xp_torch.float64),
        lambda: xp_torch.linspace(0, 1j, 3, dtype=xp_torch.float64),
    ):
        with pytest.raises(TypeError, match="complex"):
            call()


def test_versions():
    """The first version of the standard has no complex numbers; meshgrid made lists."""
    with xp_torch.flags(api_version="2021.12"):
        for call in (
            lambda: xp_torch.asarray(1j),
            lambda: xp_torch.asarray([1j]),
            lambda: xp_torch.full(1, 1j),
            lambda: xp_torch.linspace(0, 1j, 3),
            lambda: xp_torch.asarray(torch.zeros(1, dtype=torch.complex64)),
            lambda: xp_torch.zeros(1, dtype=torch.complex64),
        ):
            with pytest.raises((TypeError, ValueError), match="complex"):
                call()
    with xp_torch.flags(api_version="2024.12"):
        assert type(xp_torch.meshgrid(xp_torch.ones(1))) is list
    assert type(xp_torch.meshgrid(xp_torch.ones(1))) is tuple


def calls_with_device(device):
    x = xp_torch.ones((2, 2), device=device)
    return [
        xp_torch.arange(3, device=device),
        xp_torch.arange(0.0, 1.0, 0.25, device=device),
        xp_torch.asarray(3, device=device),
        xp_torch.asarray([[1, 2]], device=device),
        xp_torch.asarray(torch.ones(2), device=device),
        xp_torch.empty(2, device=device),
        xp_torch.empty_like(x),
        xp_torch.eye(2, k=1, device=device),
        xp_torch.full(2, 2**63, dtype=xp_torch.uint64, device=device),
        xp_torch.full_like(x, 3),
        xp_torch.linspace(0, 1, 3, device=device),
        xp_torch.ones(2, device=device),
        xp_torch.ones_like(x),
        xp_torch.tril(x),
        xp_torch.triu(x),
        xp_torch.zeros(2, device=device),
        xp_torch.zeros_like(x),
        xp_torch.meshgrid(x[0, :])[0],
    ]


def test_device(device):
    """Creation follows ``device``, as an object or by name, and torch's default device."""
    for out in calls_with_device(device) + calls_with_device(torch.device(device)):
        assert out.device.type == torch.device(device).type
    with torch.device(device):
        for out in calls_with_device(None):
            assert out.device.type == torch.device(device).type


def test_meta_device():
    """Shapes and dtypes without values."""
    for there, here in zip(calls_with_device("meta"), calls_with_device("cpu"), strict=True):
        assert there.device.type == "meta"
        assert (there.shape, there.dtype) == (here.shape, here.dtype)


@pytest.mark.parametrize("wrong", ["foo", 0, "xpu", torch.device("cuda", 99), object()], ids=label)
def test_unknown_devices_are_refused(wrong):
    """A ``ValueError`` that names the function and the device."""
    for name, call in {
        "zeros": lambda: xp_torch.zeros(2, device=wrong),
        "full": lambda: xp_torch.full(2, 1, device=wrong),
        "arange": lambda: xp_torch.arange(2, device=wrong),
        "linspace": lambda: xp_torch.linspace(0, 1, 2, device=wrong),
        "eye": lambda: xp_torch.eye(2, device=wrong),
        "asarray": lambda: xp_torch.asarray(2, device=wrong),
        "ones_like": lambda: xp_torch.ones_like(xp_torch.ones(2), device=wrong),
        "astype": lambda: xp_torch.astype(xp_torch.ones(2), xp_torch.int8, device=wrong),
    }.items():
        with pytest.raises(ValueError, match=f"{name}: device"):
            call()


def test_too_much_memory_is_a_memory_error():
    with pytest.raises((MemoryError, ValueError), match="zeros"):
        xp_torch.zeros(2**46)


def test_like_functions_refuse_foreign_arrays():
    for name in ("empty_like", "zeros_like", "ones_like"):
        with pytest.raises(TypeError, match=f"{name}: x must be an xp_torch array"):
            getattr(xp_torch, name)(np.ones(2))
    with pytest.raises(TypeError, match="full_like: x must be an xp_torch array"):
        xp_torch.full_like([1], 2)


def test_rounding_of_integers_as_in_the_reference():
    """A step that truncates to 0 repeats the start; thirds add up to whole numbers."""
    compare(lambda ns: ns.arange(0, 3, 0.5, dtype=ns.uint8))
    compare(lambda ns: ns.arange(0, 3, 0.5, dtype=ns.uint16))
    compare(lambda ns: ns.linspace(-1, 2, 10, dtype=ns.int64))
    compare(lambda ns: ns.linspace(-1, 2, 9, dtype=ns.int8, endpoint=False))
