"""Results share memory with the inputs where NumPy's do, and nowhere else; over the surface."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from numpy_shim._array.ndarray import AnyArray
from numpy_shim.lib.stride_tricks import as_strided
from tests.cases import labels
from tests.numpy_shim.calls import lines
from tests.numpy_shim.memory_calls import CALLS
from tests.numpy_shim.test_surface import all_cases
from tests.surface import Case

NOT_COMPARED = {
    "isnat": "the case expects an error",
    "ndarray.__array__": "its result is NumPy's own array, see test_to_numpy",
    "ndarray.base": "the inputs here are not views where NumPy's are not",
}

CASES = [case for case in all_cases() if case.inputs and case.name not in NOT_COMPARED]

DTYPES = [
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
    "float32", "float64", "complex64", "complex128",
]  # fmt: skip
COPIED = ["bool", "uint16", "float16", "float32", "complex64", "complex128"]
"""The dtypes for calls of several options: one of each way of copying."""
PAD_MODES = [
    "constant", "edge", "empty", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect",
    "symmetric", "wrap",
]  # fmt: skip


def twin(a: numpy.ndarray) -> Any:
    """One of our arrays with the values and the strides of one of NumPy's."""
    if a.base is None:
        return numpy_shim.asarray(torch.from_numpy(a.copy("K")))
    memory = a
    while isinstance(memory.base, numpy.ndarray):
        memory = memory.base
    flat = memory.ravel("K").copy()  # in the order of the memory
    start = a.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    held = numpy_shim.asarray(torch.from_numpy(flat))
    return as_strided(held[start // a.itemsize :], a.shape, a.strides)


def layouts(values: numpy.ndarray) -> Iterator[numpy.ndarray]:
    """The values laid out in memory in every way that functions treat differently."""
    yield values.copy()
    if values.ndim > 1:
        yield values.copy("F")
    if values.ndim and values.size > 1:
        yield values[tuple(slice(1) for _ in values.shape)].copy()
    if values.ndim:
        yield numpy.repeat(values, 2, -1)[..., ::2]
        yield values[..., ::-1].copy()[..., ::-1]


def arrays_in(result: Any, kinds: Any) -> list[Any]:
    """The arrays and scalars of a result: one, or a tuple or list of them."""
    if isinstance(result, kinds):
        return [result]
    if isinstance(result, (tuple, list)):
        return [a for part in result for a in arrays_in(part, kinds)]
    return []


def shared(np: Any, result: Any, inputs: list[Any]) -> list[list[bool]]:
    """For each array of a result and each input, whether they have memory in common."""
    return [
        [isinstance(a, np.ndarray) and np.may_share_memory(a, x) for x in inputs]
        for a in arrays_in(result, (np.ndarray, np.generic))
    ]


def check(body: Callable[..., Any], inputs: list[numpy.ndarray]) -> None:
    """Run ``body`` in both namespaces and compare what shares memory with its inputs."""
    ours_in = [twin(a) for a in inputs]
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            reference = body(numpy, *inputs)
        except Exception:
            return  # NumPy has no result of this dtype
        ours = body(numpy_shim, *ours_in)
    label = [(a.dtype.name, a.shape, a.strides) for a in inputs]
    assert shared(numpy_shim, ours, ours_in) == shared(numpy, reference, inputs), label
    for array in arrays_in(ours, (AnyArray,)):
        t = array._tensor
        assert not t.is_conj(), f"{label}: a lazily conjugated result"
        assert not t.is_neg(), f"{label}: a lazily negated result"


def dtypes_of(case: Case) -> list[str]:
    if case.dtype != "float64":
        return [case.dtype]
    return ["float64", "float32", "float16", "complex128", "int64", "uint16", "bool"]


REFUSED_DTYPES = {
    "histogram": {"complex128"},
    "histogram-2": {"complex128"},
    "histogram_bin_edges": {"complex128"},
    "histogram2d": {"complex128"},
    "histogramdd": {"complex128"},
    "interp-2": {"complex128"},
}
"""Dtypes that a case refuses, where NumPy gives a result that orders complex numbers."""

ONE_SHAPE = {"cumprod": "it writes to an output of the shape of its input"}
"""Cases whose output has the shape of the full input only."""


@pytest.mark.parametrize(
    ("case", "label"), zip(CASES, labels(CASES), strict=True), ids=labels(CASES)
)
def test_surface(case: Case, label: str):
    """Every case of the surface table, for every dtype and layout that NumPy takes."""
    for dtype in dtypes_of(case):
        if dtype in REFUSED_DTYPES.get(label, ()):
            continue
        with numpy.errstate(all="ignore"):
            given = [numpy.array(i).astype(dtype) for i in case.inputs]
        for inputs in zip(*map(list, map(layouts, given)), strict=False):
            if label in ONE_SHAPE and inputs[0].shape != given[0].shape:
                continue
            check(case.body, list(inputs))


@pytest.mark.parametrize("call", lines(CALLS))
def test_call_with_nothing_to_do(call: str):
    """A function that has nothing to change copies all the same, where NumPy copies."""
    code = compile(call, "call", "eval")
    options: list[dict[str, Any]] = [{}]
    if "mode" in call:
        options = [{"mode": mode} for mode in PAD_MODES]
    if "other" in call:
        options = [{"other": numpy.dtype(d)} for d in DTYPES]
    for chosen in options:
        for dtype in DTYPES if len(options) == 1 else COPIED:
            matrix = (numpy.arange(6).reshape(2, 3) + 1).astype(dtype)
            for values in (matrix, matrix[:, :1], matrix.ravel()):
                for a in layouts(values):
                    check(lambda np, a, e=chosen: eval(code, {"np": np, "a": a, **e}), [a])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_real_part_that_is_cast_is_a_copy(dtype: str):
    """Writing to the reals of an array leaves the array as it was."""
    a = numpy_shim.ones(3, dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = [a.astype(a.real.dtype), numpy_shim.array(a, a.real.dtype, copy=True)]
    for part in parts:
        part[...] = 7
    assert math.isclose(float(a.real.sum()), 3.0)
