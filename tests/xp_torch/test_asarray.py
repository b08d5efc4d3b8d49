"""``asarray``: of scalars, sequences, arrays, buffers, NumPy's arrays and tensors."""

from __future__ import annotations

import array
import warnings

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

import xp_torch
from tests.cases import label
from tests.creating import NAMES, named, scalars, some_dtype, undefined
from tests.differential import compare, dtype_name
from tests.strategies import arrays
from xp_torch._core.dtypes import ALL

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
