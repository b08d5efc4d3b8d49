"""The chapter *Creation functions* beside array-api-strict."""

from __future__ import annotations

import array
import math
import warnings

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import xp_torch
from tests.cases import label
from tests.differential import compare, dtype_name
from tests.strategies import arrays, shapes
from xp_torch._core.dtypes import ALL, BY_NAME, NUMERIC

NAMES = list(BY_NAME)
CLOSE = {"float32": 1e-5, "float64": 1e-12, "complex64": 1e-5, "complex128": 1e-12}
some_dtype = st.sampled_from([None, *NAMES])
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
scalars = st.one_of(
    st.booleans(),
    st.integers(-3, 300),
    st.sampled_from([2**31, 2**63, -(2**63), 2**64 - 1, -(2**63) - 1]),
    st.floats(-5, 300),
    st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 1e300]),
    st.sampled_from([1 + 2j, complex(math.nan, -0.0), complex(1e300, -math.inf)]),
)


def named(xp, name):
    """A dtype of a namespace by its name, or ``None``."""
    return None if name is None else getattr(xp, name)


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


def undefined(value, dtype):
    """Whether NumPy gives a fill value a meaning that neither Python nor the standard does.

    A NaN, an infinity or a float out of range as an integer, the sign dropped; a complex
    number as a real one. ``full`` refuses those, as ``asarray`` and Python's ``int`` do.
    And the truth of an int beyond 64 bits, which NumPy does not find.
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
    # Longer is a matter of memory. NumPy's length of integers is that of a quotient of
    # doubles; ours is exact.
    assume(count < 10_000)
    assume(not whole or max(map(abs, args)) < 2**53)
    assume(dtype != "bool")
    if dtype is not None and "int" in dtype and not whole:
        assume(not any(undefined(v, "int32") for v in (first, first + by)))
    scale = max([abs(a) for a in args if math.isfinite(a)], default=1.0)
    compare(
        lambda xp: xp.arange(*args, dtype=named(xp, dtype)),
        rtol=CLOSE,
        # The reference's distance is that of its first two values, so its error grows.
        atol=scale * (1e-6 if dtype in ("float32", "complex64") else 1e-15 * max(count, 10)),
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
    """Same values, ends and dtype; what is no number of values is refused alike."""
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
        close = {"rtol": CLOSE, "atol": scale * (1e-6 if single else 1e-14)}
    assume(not (is_complex and not all(math.isfinite(abs(v)) for v in (start, stop))))
    compare(
        lambda xp: xp.linspace(start, stop, num, dtype=named(xp, dtype), endpoint=endpoint),
        signed_zeros=False,
        **close,
    )


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
    if k == 1.5 and (rows, columns) != (2, 2):
        return  # NumPy looks at the diagonal only where it crosses the matrix
    if k is None and (rows, columns) != (2, 2):
        return
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


nested = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.integers(0, 3).flatmap(lambda n: inner.map(lambda v: [v] * n)),
        st.lists(inner, max_size=2).map(tuple),
    ),
    max_leaves=6,
)


def flat(obj):
    return [v for part in obj for v in flat(part)] if isinstance(obj, (list, tuple)) else [obj]


@given(nested, some_dtype)
def test_asarray_of_scalars(obj, dtype):
    """Same values, inferred dtype and shape; ragged and out of range are refused alike."""
    leaves = flat(obj)
    ints = [v for v in leaves if type(v) is int]
    if any(v >= 2**63 for v in ints) and dtype is None:
        # array-api-strict makes floats of ints on both sides of int64's limit, and objects
        # of those that no dtype holds; ints are never floats here.
        assume(min(ints) >= 2**63 and len(ints) == len(leaves))
    assume(dtype is not None or all(-(2**63) <= v < 2**64 for v in ints))
    if dtype is not None and "int" in dtype:
        assume(all(type(v) is int for v in leaves) or not any(undefined(v, dtype) for v in leaves))
    compare(lambda xp: xp.asarray(obj, dtype=named(xp, dtype)))


@given(arrays(ALL), some_dtype, st.sampled_from([None, True, False]))
def test_asarray_of_arrays(x, dtype, copy):
    """Same values and dtype; a copy that is forbidden is refused alike."""
    name = x.values.dtype.name
    if dtype not in (None, name):
        assume("complex" not in name or "complex" in dtype)  # array-api-strict drops a part
        if "float" in name and "int" in dtype:
            assume(not any(undefined(float(v), dtype) for v in x.numpy().ravel()))
    compare(lambda xp, x: xp.asarray(x, dtype=named(xp, dtype), copy=copy), x)


def test_asarray_of_ints_beyond_int64():
    """uint64 where only it holds the values; never floats, never objects."""
    out = xp_torch.asarray([2**63, 1])
    assert out.dtype is xp_torch.uint64
    assert xp_torch.to_torch(out).tolist() == [2**63, 1]
    for obj in ([2**63, -1], [2**64], 2**64, -(2**63) - 1, [[1], [2**70]]):
        with pytest.raises(OverflowError, match="asarray"):
            xp_torch.asarray(obj)


@pytest.mark.parametrize(
    "obj",
    [None, "a", ["a"], [None], object(), {1: 2}, {1, 2}, iter([1]), [object()], int, [[1], None]],
    ids=label,
)
def test_asarray_refuses_what_is_no_number(obj):
    compare(lambda xp: xp.asarray(obj))


@pytest.mark.parametrize("obj", [[1, [2]], [[1], [2, 3]], [[1], 2], [[], [1]], [[[1]], [1]]])
def test_asarray_refuses_ragged_sequences(obj):
    compare(lambda xp: xp.asarray(obj))


def test_asarray_refuses_arrays_in_a_sequence():
    """A ``TypeError`` that names ``stack``, for arrays of any library and at any depth."""
    for inner in (xp_torch.asarray(1), torch.ones(2), np.ones(2)):
        for obj in ([inner, inner], [[inner]]):
            with pytest.raises(TypeError, match="use stack"):
                xp_torch.asarray(obj)


def test_asarray_refuses_a_sequence_of_itself():
    endless: list = []
    endless.append(endless)
    with pytest.raises(ValueError, match="nested"):
        xp_torch.asarray(endless)


@pytest.mark.parametrize("obj", [True, 3, 2.5, 1j, [1, 2], (), range(3)], ids=label)
def test_asarray_copies_python_objects(obj):
    """``copy=False`` is refused, as the memory of a Python object is no buffer."""
    compare(lambda xp: xp.asarray(obj))
    compare(lambda xp: xp.asarray(obj, copy=False))
    compare(lambda xp: xp.asarray(obj, copy=True))


@pytest.mark.parametrize("code", "bBhHiIlLqQfd")
@pytest.mark.parametrize("copy", [None, True, False])
def test_asarray_of_buffers(code, copy):
    """Shared memory unless a copy is asked for, and every numeric format."""
    ours, theirs = array.array(code, [1, 2, 3]), array.array(code, [1, 2, 3])
    x = compare(lambda xp: xp.asarray(ours if xp is xp_torch else theirs, copy=copy))
    ours[0] = 7
    assert (xp_torch.to_torch(x)[0] == 7) == (not copy)


def test_asarray_holds_the_memory_it_shares():
    """A bytearray cannot be resized while an array stands on its memory."""
    data = bytearray(b"abc")
    x = xp_torch.asarray(data)
    with pytest.raises(BufferError):
        data.append(1)
    del x
    data.append(1)


def test_asarray_of_read_only_memory():
    """It is copied, because torch would write to it; ``copy=False`` is refused."""
    for data in (b"abc", memoryview(b"abc"), np.broadcast_to(np.arange(3), (2, 3))):
        x = xp_torch.asarray(data)
        before = xp_torch.to_torch(x).tolist()
        xp_torch.to_torch(x).zero_()
        assert xp_torch.to_torch(xp_torch.asarray(data)).tolist() == before
        with pytest.raises(ValueError, match="copy=False"):
            xp_torch.asarray(data, copy=False)


@given(arrays(ALL, layouts=("contiguous",)), st.data())
def test_asarray_of_numpy_arrays(spec, data):
    """Every dtype, with steps of any sign; memory is shared wherever torch can describe it."""
    values = np.array(spec.values)
    steps = tuple(slice(None, None, data.draw(st.sampled_from([1, 2, -1]))) for _ in values.shape)
    values = values[(..., *steps)]
    x = xp_torch.asarray(values)
    assert np.array_equal(xp_torch.to_torch(x).numpy(), values, equal_nan=values.dtype.kind in "fc")
    if values.size and all(s > 0 for s in values.strides):
        assert np.shares_memory(xp_torch.to_torch(x).numpy(), values)
    if not values.flags.c_contiguous and any(s < 0 for s in values.strides):
        with pytest.raises(ValueError, match="copy=False"):
            xp_torch.asarray(values, copy=False)


@pytest.mark.parametrize("name", NAMES)
def test_asarray_of_numpy_scalars(name):
    """A NumPy scalar keeps its dtype; in a sequence it is a Python scalar."""
    scalar = np.dtype(name).type(1)
    assert dtype_name(xp_torch.asarray(scalar).dtype) == name
    kind = {"b": "bool", "i": "int64", "u": "int64", "f": "float64", "c": "complex128"}
    assert dtype_name(xp_torch.asarray([scalar]).dtype) == kind[np.dtype(name).kind]


@pytest.mark.parametrize(
    "values",
    [
        np.zeros(2, dtype=np.float16),
        np.zeros(2, dtype=">i4"),
        np.asarray(["a"]),
        np.zeros(2, dtype="M8[s]"),
        np.asarray([object()]),
        np.float16(1),
        array.array("w" if "w" in array.typecodes else "u", "ab"),
    ],
    ids=lambda v: str(getattr(v, "dtype", "text")),
)
def test_asarray_refuses_foreign_dtypes(values):
    with pytest.raises(TypeError, match=r"asarray: .* not supported"):
        xp_torch.asarray(values)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.complex32])
def test_asarray_refuses_torch_dtypes_of_no_standard(dtype):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch's, of complex32
        tensor = torch.zeros(2, dtype=dtype)
    with pytest.raises(TypeError, match=r"asarray: a .* not supported.*float32, float64"):
        xp_torch.asarray(tensor)
    with pytest.raises(ValueError, match="asarray: dtype must be one of"):
        xp_torch.asarray(1, dtype=dtype)
    with pytest.raises(ValueError, match="zeros: dtype must be one of"):
        xp_torch.zeros(1, dtype=dtype)


def test_asarray_of_tensors():
    """Zero-copy, the gradient kept, and through a copy and a cast as well."""
    t = torch.ones(3, dtype=torch.float64, requires_grad=True)
    assert xp_torch.to_torch(xp_torch.asarray(t)) is t
    assert xp_torch.to_torch(xp_torch.asarray(t, copy=False)) is t
    for x in (xp_torch.asarray(t, copy=True), xp_torch.asarray(t, dtype=xp_torch.float32)):
        out = xp_torch.to_torch(x)
        assert out.data_ptr() != t.data_ptr()
        (grad,) = torch.autograd.grad(out.sum(), t)
        assert grad.tolist() == [1, 1, 1]
    parameter = torch.nn.Parameter(torch.ones(2))
    assert xp_torch.to_torch(xp_torch.asarray(parameter)) is parameter
    with pytest.raises(TypeError, match="layout"):
        xp_torch.asarray(torch.ones(2).to_sparse())
    meta = xp_torch.asarray(torch.ones(2, device="meta"))
    assert meta.device.type == "meta"


def test_asarray_resolves_lazy_tensors():
    """Conjugate and negative bits do not enter the namespace."""
    t = torch.tensor([1 + 2j, 3 - 4j])
    for lazy in (t.conj(), t.conj().imag):
        out = xp_torch.to_torch(xp_torch.asarray(lazy))
        assert not out.is_conj()
        assert not out.is_neg()
        assert torch.equal(out, lazy.clone())
        with pytest.raises(ValueError, match="copy=False"):
            xp_torch.asarray(lazy, copy=False)


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
