"""Reductions: one engine behind ``sum`` and its like and the ``reduce`` of their ufuncs."""

from __future__ import annotations

import os
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import compare
from tests.numpy_shim.ufunc.fold_calls import check

CALLS = int(os.environ.get("NUMPY_SHIM_FOLDS", "600"))
FIRST_SEED = int(os.environ.get("NUMPY_SHIM_FOLDS_SEED", "0"))


@pytest.mark.timeout(7200)
def test_random_calls():
    """Random calls of a function and its ufunc's method give what NumPy's pair gives.

    A hundred thousand of them, seeds 1,000,000 to 1,099,999, showed no difference; what is left
    out stands in ``fold_calls``::

        NUMPY_SHIM_FOLDS_SEED=1000000 NUMPY_SHIM_FOLDS=100000 \\
            pytest tests/numpy_shim/ufunc/test_folds.py -k random_calls
    """
    for seed in range(FIRST_SEED, FIRST_SEED + CALLS):
        check(seed)


INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
INITIAL = [
    numpy.nan, numpy.inf, -numpy.inf, 300, -1, 2**64, 1e300, 2.7, 1j, numpy.float64(numpy.nan),
    numpy.float32(300), numpy.int64(-1), "3", [1],
]  # fmt: skip


@pytest.mark.parametrize("initial", INITIAL, ids=repr)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_initial_of_integers(dtype: str, initial: Any):
    """A number that the dtype lacks is an error, of the type that NumPy raises."""
    a = Spec(numpy.array([3, 1, 2], dtype))
    if dtype == "uint64" and isinstance(initial, numpy.generic) and not numpy.isfinite(initial):
        pytest.skip("NumPy casts the scalar, which C leaves open")
    if dtype.startswith("u") and isinstance(initial, numpy.float64):
        pytest.skip("NumPy casts the scalar, which C leaves open")
    for name in ("min", "max", "sum", "minimum.reduce", "maximum.reduce"):
        compare(lambda np, x, name=name: function_of(np, name)(x, initial=initial), a)


def function_of(np: Any, name: str) -> Any:
    """``sum`` or ``add.reduce`` of a namespace."""
    found = np
    for part in name.split("."):
        found = getattr(found, part)
    return found


def test_where_does_not_broadcast_the_array():
    """A mask with more or longer axes than the array is an error."""
    for mask in ([True, False, True], [[True]], numpy.ones((1, 1, 1), bool)):
        for name in ("add.reduce", "sum", "logical_or.reduce", "all"):
            compare(
                lambda np, x, m, name=name: function_of(np, name)(x, where=m),
                Spec(numpy.array(5.0)), Spec(numpy.array(mask)),
            )  # fmt: skip
    compare(lambda np: np.add.reduce(np.ones((2, 1)), where=[True, False, True]))


@pytest.mark.parametrize("name", ["sum", "prod", "max", "any", "add.reduce", "logical_and.reduce"])
@pytest.mark.parametrize(
    "axis",
    [10**30, -(10**30), 2**63, (10**30,), 2**31, True, (0,), 0, -1, (0, 1), (-1, 0), (0, 0),
     (0, -2), (0, 2), (True, False), (numpy.int64(0), 1), (0.0, 1), ()],
)  # fmt: skip
@pytest.mark.parametrize("shape", [(), (2, 3)])
def test_axes(name: str, axis: Any, shape: tuple[int, ...]):
    """An axis beyond 64 bits is an OverflowError; a tuple names axes that there are."""
    compare(lambda np: function_of(np, name)(np.ones(shape), axis=axis))
    compare(lambda np: function_of(np, name)(np.ones(shape, bool), axis=axis, keepdims=True))


@pytest.mark.parametrize(
    "name",
    ["mean", "argmax", "cumsum", "diff", "flip", "expand_dims", "sort", "count_nonzero", "fft.fft"],
)
def test_axes_beyond_64_bits(name: str):
    """Everywhere NumPy's error type, not torch's text."""
    compare(lambda np: function_of(np, name)(np.ones(2), axis=10**30))


@pytest.mark.parametrize("keepdims", [2, 0, None, 1.0, numpy.True_])
def test_keepdims(keepdims: Any):
    """An integer is taken for a bool, nothing else."""
    compare(lambda np: np.sum(np.ones((2, 3)), 0, keepdims=keepdims))
    compare(lambda np: np.add.reduce(np.ones((2, 3)), 0, keepdims=keepdims))


BINARY = [
    "add", "multiply", "maximum", "minimum", "fmax", "fmin", "logaddexp", "logaddexp2", "hypot",
    "subtract", "divide", "power", "bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm",
    "logical_and", "logical_or", "logical_xor",
]  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("dtype", ["bool", "int64", "float64", "complex128", "uint32", "float16"])
def test_folds_of_one_element_are_copies(name: str, dtype: str):
    """What ``reduce``, ``accumulate`` and ``reduceat`` give shares no memory with the operand."""
    ufunc = getattr(numpy_shim, name)
    a = numpy_shim.ones((1, 3), dtype)
    try:
        results = [
            ufunc.reduce(a, axis=0), ufunc.reduce(a, axis=()), ufunc.accumulate(a, axis=0),
            ufunc.reduceat(a, [0], axis=0), ufunc.reduce(a[:, :1], axis=1, keepdims=True),
        ]  # fmt: skip
    except TypeError:
        with pytest.raises(TypeError):
            getattr(numpy, name).reduce(numpy.ones((1, 3), dtype), axis=0)
        return
    for result in results:
        assert not numpy_shim.shares_memory(result, a)


@pytest.mark.parametrize("name", ["hypot", "gcd"])
def test_slices_of_one_element_keep_their_sign(name: str):
    """``reduceat`` does not start from the identity, as ``reduce`` does."""
    values = Spec(numpy.array([-3, 4, -1]))
    for starts in ([0, 1, 2], [0, 2], [2, 0]):
        compare(lambda np, a, s=starts: getattr(np, name).reduceat(a, s), values)
    compare(lambda np, a: getattr(np, name).reduce(a[:1]), values)


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float64"])
@pytest.mark.parametrize("other", [1, 1.5, True, 300, 1j])
def test_logical_ufuncs_take_any_casting(casting: str, dtype: str, other: Any):
    """The truth of an operand is no cast."""
    a = Spec(numpy.array([0, 1, 1], dtype))
    for name in ("logical_and", "logical_or", "logical_xor"):
        compare(lambda np, x, name=name: getattr(np, name)(x, other, casting=casting), a)


def test_a_mask_of_none():
    """``where=None`` is false, as Python has it."""
    compare(lambda np: np.sum(np.ones(3), where=None))
    compare(lambda np: np.max(np.ones(3), where=None, initial=0))


def test_out_of_functions_is_an_array():
    """NumPy's functions take no tuple for ``out``, the methods of ufuncs do."""
    for out in ("(np.zeros(()),)", "(None,)", "...", "[]"):
        for call in (
            "np.sum(a, out={})",
            "np.max(a, out={})",
            "a.sum(out={})",
            "np.any(a, out={})",
        ):
            body = call.format(out)
            compare(lambda np, a, b=body: eval(b, {"np": np, "a": a}), Spec(numpy.ones(3)))
    compare(lambda np: np.add.reduce(np.ones(3), out=(np.zeros(()),)))


def test_gradients_pass_through_every_option():
    """``initial`` and ``where`` keep the gradient of the operand."""
    t = torch.arange(6.0).reshape(2, 3).requires_grad_()
    a, mask = numpy_shim.asarray(t), numpy_shim.array([True, False, True])
    for name in ("sum", "max", "add.reduce", "maximum.reduce"):
        result = function_of(numpy_shim, name)(a, axis=1, initial=-1.0, where=mask)
        (gradient,) = torch.autograd.grad(result._tensor.sum(), t)
        expected = [[1, 0, 1], [1, 0, 1]] if "m" in name[1:] or name[0] == "a" else None
        if name in ("max", "maximum.reduce"):
            expected = [[0, 0, 1], [0, 0, 1]]
        assert gradient.tolist() == expected
