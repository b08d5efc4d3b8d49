"""Conversions: DLPack, NumPy, torch, devices, pickles and copies, and the refused ones."""

from __future__ import annotations

import copy as copying
import enum
import operator
import pickle

import array_api_strict
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import xp_torch
from tests.strategies import arrays
from xp_torch import asarray, from_dlpack, to_torch
from xp_torch._core.dtypes import ALL


class Kind(enum.Enum):
    """A device type as a plain enumeration, which the standard's signature allows."""

    CPU = 1
    CUDA = 2


@given(arrays(ALL), st.sampled_from([None, True, False]))
def test_from_dlpack_of_numpy(spec, copy):
    """Every dtype and layout; memory is shared unless a copy is asked for."""
    tensor = spec.tensor()
    values = tensor.numpy()
    out = to_torch(from_dlpack(values, copy=copy))
    assert np.array_equal(out.numpy(), values, equal_nan=values.dtype.kind in "fc")
    if values.size:
        assert np.shares_memory(out.numpy(), values) == (copy is not True)


@given(arrays(ALL), st.sampled_from([None, True, False]), st.sampled_from([None, (0, 8), (1, 0)]))
def test_dlpack_to_numpy(spec, copy, version):
    """NumPy and torch take our capsules, of every dtype and layout and of both versions."""
    x = asarray(spec.tensor())
    out = np.from_dlpack(x, copy=copy)
    assert np.array_equal(out, spec.numpy(), equal_nan=out.dtype.kind in "fc")
    if out.size:
        assert np.shares_memory(out, to_torch(x).numpy()) == (copy is not True)
    for device in (None, (1, 0), (Kind.CPU, 0)):
        capsule = x.__dlpack__(max_version=version, dl_device=device, copy=copy)
        again = torch.from_dlpack(capsule)
        assert torch.equal(again.nan_to_num(0) if again.is_floating_point() else again,
                           to_torch(x).nan_to_num(0) if again.is_floating_point() else to_torch(x)
                           ) or again.is_complex()  # fmt: skip


def test_from_dlpack_keeps_the_gradient():
    """From a tensor or an array, with a copy and without."""
    t = torch.ones(2, dtype=torch.float64, requires_grad=True)
    assert to_torch(from_dlpack(t)) is t
    assert to_torch(from_dlpack(asarray(t), copy=False)) is t
    out = to_torch(from_dlpack(t, copy=True))
    assert out.requires_grad
    assert out.data_ptr() != t.data_ptr()


def test_from_dlpack_refusals():
    """The standard's exceptions: both that it names where a copy is forbidden."""
    for wrong in (3, [1], None, np, np.ndarray):
        with pytest.raises(AttributeError, match=r"from_dlpack: .* has no __dlpack__"):
            from_dlpack(wrong)
    lazy = torch.ones(2, dtype=torch.complex64).conj()
    read_only = np.broadcast_to(np.ones(2), (3, 2))
    for call in (
        lambda: from_dlpack(asarray([1]), device="meta", copy=False),
        lambda: from_dlpack(lazy, copy=False),
        lambda: from_dlpack(read_only, copy=False),
    ):
        for error in (BufferError, ValueError):
            with pytest.raises(error, match="from_dlpack: copy=False"):
                call()
    with pytest.raises(BufferError, match="negative strides"):
        from_dlpack(np.arange(3)[::-1])
    with pytest.raises(TypeError, match="from_dlpack: a float16 tensor"):
        from_dlpack(np.ones(2, dtype=np.float16))
    with pytest.raises(ValueError, match="from_dlpack: device"):
        from_dlpack(asarray([1]), device="foo")


def test_from_dlpack_does_not_write_to_read_only_memory():
    values = np.arange(3)
    values.flags.writeable = False
    to_torch(from_dlpack(values)).zero_()
    assert values.tolist() == [0, 1, 2]


def test_dlpack_refusals():
    """``BufferError`` for what cannot be exported, and what is wrong with an argument."""
    x = asarray([1.0])
    with_gradient = asarray(torch.ones(2, requires_grad=True))
    meta = asarray(torch.ones(2, device="meta"))
    for call in (
        lambda: with_gradient.__dlpack__(),
        lambda: np.from_dlpack(with_gradient),
        lambda: meta.__dlpack__(),
        lambda: meta.__dlpack_device__(),
        lambda: x.__dlpack__(dl_device=(13, 0)),
        lambda: x.__dlpack__(dl_device=(Kind.CUDA, 7)),
    ):
        with pytest.raises(BufferError, match="__dlpack"):
            call()
    for arguments in ({"dl_device": 3}, {"dl_device": (1,)}, {"max_version": 3}):
        with pytest.raises(TypeError, match="__dlpack__"):
            x.__dlpack__(**arguments)
    with pytest.raises(ValueError, match="__dlpack__: stream must be None on the CPU"):
        x.__dlpack__(stream=1)


def test_later_arguments_in_every_version():
    """A library may have more arguments than a version names, and the suite gives these."""
    x = asarray([1.0])
    with xp_torch.flags(api_version="2022.12"):
        assert from_dlpack(x, copy=True)._tensor.data_ptr() != x._tensor.data_ptr()
        x.__dlpack__(copy=True)


def test_dlpack_device(device):
    """The device's own type and index, and its data on request on the CPU."""
    x = xp_torch.ones(2, device=device)
    assert x.__dlpack_device__() == to_torch(x).__dlpack_device__()
    # The device npy exports the array that it is made of, which is in the memory of the CPU.
    exported = torch.device("cpu") if device == "npy" else x.device
    assert torch.from_dlpack(x.__dlpack__()).device == exported
    assert torch.from_dlpack(x.__dlpack__(dl_device=(1, 0))).device.type == "cpu"
    if exported.type != "cpu":
        with pytest.raises(BufferError, match="copy=False"):
            x.__dlpack__(dl_device=(1, 0), copy=False)


def test_to_torch_is_the_tensor():
    t = torch.ones(2, requires_grad=True)
    assert to_torch(asarray(t)) is t
    with pytest.raises(TypeError, match="to_torch: x must be an xp_torch array"):
        to_torch(t)


def test_to_device(device):
    """Itself where it is; a copy elsewhere, through which the gradient flows."""
    x = asarray(torch.ones(2, requires_grad=True))
    assert x.to_device("cpu") is x
    moved = x.to_device(device)
    assert moved.device.type == torch.device(device).type
    assert to_torch(moved.to_device("cpu")).requires_grad
    assert x.to_device("meta").shape == (2,)
    for wrong in ("foo", 3, None, "xpu", torch.device("cuda", 99)):
        with pytest.raises(ValueError, match="to_device: device"):
            x.to_device(wrong)
    with pytest.raises(ValueError, match="to_device: stream"):
        x.to_device("cpu", stream=1)
    with pytest.raises(ValueError, match="no values"):
        x.to_device("meta").to_device("cpu")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="streams are CUDA's")
def test_to_device_on_a_stream():
    stream = torch.cuda.Stream()
    x = xp_torch.ones(2).to_device("cuda", stream=stream)
    y = xp_torch.ones(2).to_device("cuda", stream=stream.cuda_stream)
    stream.synchronize()
    assert to_torch(x).tolist() == to_torch(y).tolist() == [1, 1]
    with pytest.raises(ValueError, match="to_device: stream"):
        xp_torch.ones(2).to_device("cuda", stream="a")


@given(arrays(ALL))
def test_numpy_asarray(spec):
    """``numpy.asarray`` shares memory on the CPU, for every dtype and layout."""
    x = asarray(spec.tensor())
    out = np.asarray(x)
    assert np.array_equal(out, spec.numpy(), equal_nan=out.dtype.kind in "fc")
    if out.size:
        assert np.shares_memory(out, to_torch(x).numpy())
        assert not np.shares_memory(np.array(x, copy=True), to_torch(x).numpy())


def test_conjugated_results_are_exported():
    """The result of ``ihfft`` is memory that other libraries can read."""
    x = xp_torch.fft.ihfft(xp_torch.ones((4, 3)), axis=0)
    assert not to_torch(x).is_conj()
    assert np.asarray(x)[0].tolist() == [1, 1, 1]
    assert np.from_dlpack(x)[0].tolist() == [1, 1, 1]


def test_lazily_conjugated_memory_is_copied():
    """A tensor that torch only notes as conjugated is resolved, or refused without a copy."""
    x = asarray([1 + 2j])
    x._tensor = to_torch(x).conj()
    assert np.asarray(x).tolist() == [1 - 2j]
    assert np.from_dlpack(x).tolist() == [1 - 2j]
    with pytest.raises(ValueError, match="copy=False"):
        x.__array__(copy=False)
    with pytest.raises(BufferError, match="copy=False"):
        x.__dlpack__(copy=False)


def test_numpy_asarray_refusals():
    """What NumPy cannot see or would lose is refused, and the way is named."""
    x = asarray([1.5, 2.5])
    assert np.asarray(x, dtype=np.int8).tolist() == [1, 2]
    with pytest.raises(ValueError, match="copy=False"):
        np.asarray(x, dtype=np.int8, copy=False)
    with pytest.raises(TypeError, match=r"x\.to_device\('cpu'\)"):
        np.asarray(x.to_device("meta"))
    with pytest.raises(TypeError, match="detach"):
        np.asarray(asarray(torch.ones(2, requires_grad=True)))


def test_torch_functions_are_refused():
    """A ``TypeError`` that says what to do; torch converts nothing implicitly."""
    x, t = xp_torch.ones(2), torch.ones(2)
    for call, words in {
        lambda: torch.add(x, x): "torch function add does not take xp_torch arrays",
        lambda: torch.stack([x]): "torch function stack does not take xp_torch arrays",
        lambda: t + x: "convert it with xp_torch.asarray",
        lambda: x + t: "convert it with xp_torch.asarray",
    }.items():
        with pytest.raises(TypeError, match=words):
            call()


NUMPY_CALLS = {
    "sin": np.sin,
    "add": lambda x: np.add(np.asarray([1.0, 2.0, 3.0]), x),
    "add.reduce": np.add.reduce,
    "average": lambda x: np.average(x, weights=x),
    "concatenate": lambda x: np.concatenate([x, x]),
    "linalg.norm": np.linalg.norm,
    "mean": np.mean,
    "reshape": lambda x: np.reshape(x, (3, 1)),
    "shape": np.shape,
    "unique": np.unique,
    "where": lambda x: np.where(np.asarray([True, False, True]), x, 0.0),
    "zeros_like": np.zeros_like,
}


@pytest.mark.parametrize("name", NUMPY_CALLS)
def test_numpy_functions_convert(name):
    """NumPy's functions and ufuncs take an array as they take its values, and give NumPy's."""
    values = np.asarray([3.0, 1.0, 3.0])
    found, expected = NUMPY_CALLS[name](asarray(values)), NUMPY_CALLS[name](values)
    assert type(found) is type(expected)
    assert np.array_equal(found, expected)
    assert getattr(found, "dtype", None) == getattr(expected, "dtype", None)


def test_numpy_functions_share_the_memory():
    x = asarray([1.0, 2.0])
    assert np.may_share_memory(x, to_torch(x).numpy())
    assert np.shares_memory(np.reshape(x, (2, 1)), to_torch(x).numpy())


@pytest.mark.parametrize("name", sorted(NUMPY_CALLS.keys() - {"shape"}))
def test_numpy_functions_lose_nothing_in_passing(name):
    """No gradient is dropped and nothing is moved from a device: the way is named."""
    values = torch.asarray([3.0, 1.0, 3.0], dtype=torch.float64)
    with pytest.raises(TypeError, match=r"to_torch\(x\)\.detach\(\)"):
        NUMPY_CALLS[name](asarray(values.clone().requires_grad_()))
    with pytest.raises(TypeError, match=r"x\.to_device\('cpu'\)"):
        NUMPY_CALLS[name](asarray(values.to("meta")))


def test_numpy_ufuncs_do_not_write_into_an_array():
    """``out=`` is an array of NumPy's, as with array-api-strict."""
    n = np.ones(2)
    for xp in (xp_torch, array_api_strict):
        with pytest.raises(TypeError, match="ArrayType"):
            np.add(n, n, out=xp.ones(2))


OPERATORS = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.pow, operator.matmul, operator.lt, operator.le, operator.gt, operator.ge,
    operator.eq, operator.ne, operator.iadd, operator.isub, operator.imul, operator.itruediv,
    operator.ifloordiv, operator.imod, operator.ipow, operator.imatmul,
)  # fmt: skip


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
def test_operators_refuse_numpy_arrays(op):
    """On both sides: array-api-strict refuses one, and leaves the other to NumPy's operator."""
    values = np.asarray([1.0, 2.0])
    for n in (values, np.asarray(1.0), np.float32(1), np.int64(1), np.bool_(True)):
        with pytest.raises(TypeError):
            op(array_api_strict.asarray(values), n)
        for left, right in ((asarray(values), n), (n, asarray(values))):
            if op in (operator.matmul, operator.imatmul) and not np.ndim(n):
                continue  # Python asks a scalar of NumPy's for its own, which takes no scalars
            with pytest.raises(TypeError, match=r"convert it with xp_torch\.asarray"):
                op(left, right)
    assert values.tolist() == [1.0, 2.0]


@given(arrays(ALL))
def test_pickles_and_copies(spec):
    """Same values and dtype in memory of their own."""
    x = asarray(spec.tensor())
    for again in (copying.copy(x), copying.deepcopy(x), pickle.loads(pickle.dumps(x))):
        out = to_torch(again)
        assert out.dtype is x.dtype
        assert np.array_equal(out.numpy(), spec.numpy(), equal_nan=x.dtype.is_floating_point
                              or x.dtype.is_complex)  # fmt: skip
        assert not out.numel() or out.data_ptr() != to_torch(x).data_ptr()


def test_pickles_and_copies_of_arrays_with_a_gradient():
    """``copy`` stays in the graph; a pickle is a leaf; ``deepcopy`` refuses results, as torch."""
    t = torch.ones(2, requires_grad=True)
    x = asarray(t * 2)
    assert torch.autograd.grad(to_torch(copying.copy(x)).sum(), t)[0].tolist() == [2, 2]
    with pytest.raises(RuntimeError, match="deepcopy"):
        copying.deepcopy(x)
    for again in (copying.deepcopy(asarray(t)), pickle.loads(pickle.dumps(x))):
        assert to_torch(again).is_leaf
        assert to_torch(again).requires_grad


def test_a_pickled_view_holds_its_own_elements_only():
    x = asarray(torch.zeros(100_000))[:3]
    assert len(pickle.dumps(x)) < 2000


def test_iteration():
    """Over one dimension, each a 0-D array; the standard defines no other."""
    assert [float(v) for v in asarray([1.0, 2.0])] == [1.0, 2.0]
    for wrong in (xp_torch.ones(()), xp_torch.ones((2, 2))):
        with pytest.raises(TypeError, match="iter: "):
            iter(wrong)


def test_python_values():
    """Of 0-D arrays only, of the kinds that Python converts, and not of ``meta``."""
    x = asarray(3)
    assert (bool(x), int(x), float(x), complex(x), [0, 1, 2, 3][x]) == (True, 3, 3.0, 3 + 0j, 3)
    assert int(asarray(2**64 - 1, dtype=xp_torch.uint64)) == 2**64 - 1
    for convert in (bool, int, float, complex):
        with pytest.raises(TypeError, match=f"{convert.__name__}: only a 0-D array"):
            convert(asarray([1]))
        with pytest.raises(ValueError, match="meta"):
            convert(x.to_device("meta"))
    for convert in (int, float):
        with pytest.raises(TypeError, match="complex"):
            convert(asarray(1j))
    for wrong in (asarray(True), asarray(1.0), asarray([1])):
        with pytest.raises(TypeError, match="index"):
            [1, 2][wrong]


def test_arrays_are_made_by_functions_only():
    with pytest.raises(TypeError, match="takes no arguments"):
        type(asarray(1))(torch.ones(1))
    with pytest.raises(TypeError, match="unhashable"):
        hash(asarray(1))
