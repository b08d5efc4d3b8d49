"""Nothing in the surface waits for a device but what is listed, and what is listed does.

Told by ``meta`` arrays, which have no values: reading one fails. On each device present the
results lie there and agree with those of the CPU.
"""

from __future__ import annotations

import importlib
from typing import Any

import pytest
import torch

import numpy_shim
from tests.cases import labels, on, tensors
from tests.numpy_shim.test_surface import CASES, leaves
from tests.numpy_shim.waiting_calls import WAITING
from tests.surface import Case


def result(case: Case, device: str) -> Any:
    """The case's result on a device, which is also the default one."""
    with on(device):
        arrays = [numpy_shim.asarray(t) for t in tensors(case, device=device)]
        return case.body(numpy_shim, *arrays)


def described(result: Any) -> list[tuple[Any, ...]]:
    """Shape and dtype of each array of a result."""
    return [(tuple(t.shape), t.dtype) for t in leaves(result)]


def reads_values(case: Case) -> bool:
    """Whether the case fails because a meta tensor has no values."""
    try:
        result(case, "meta")
    except (NotImplementedError, RuntimeError, ValueError, TypeError) as error:
        said = f"{error} {error.__cause__} {error.__context__}".lower()
    else:
        return False
    return "meta" in said


@pytest.mark.parametrize("case", CASES, ids=labels(CASES))
def test_only_listed_functions_read_values(case: Case):
    """The right shapes and dtypes come out of arrays without values."""
    if case.name not in WAITING:
        assert described(result(case, "meta")) == described(result(case, "cpu"))


SHOWN_WITHOUT_VALUES = {"array_repr", "array_str"}
"""Of a meta array they show shape and dtype; on ``npy`` it is measured that they read values."""


@pytest.mark.parametrize("name", sorted(WAITING.keys() - SHOWN_WITHOUT_VALUES))
def test_listed_function_reads_values(name: str):
    """An entry that is no longer true fails."""
    assert any(reads_values(case) for case in CASES if case.name == name)


# These are for the host: refused on a device, or there to leave it.
TO_THE_HOST = {
    "ndarray.data", "ndarray.to_device", "ndarray.__array__", "ndarray.__buffer__", "bool", "int8",
    "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
    "float64", "complex64", "complex128",
}  # fmt: skip
# These read a status or all values on a device that has values; a meta array has none to check.
READ_ON_NPY = {
    "linalg.cholesky", "linalg.eig", "linalg.eigvals", "linalg.inv", "linalg.solve",
    "linalg.tensorsolve", "linalg.tensorinv", "ndarray.dumps",
}  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=labels(CASES))
def test_same_on_the_device(case: Case, device: str):
    """The results lie on the device of the operands and agree with the CPU's.

    On ``npy`` the values that leave the device are counted: only listed functions read one.
    """
    if device != "cpu" and case.name in TO_THE_HOST:
        pytest.skip("for the host")
    expected = leaves(result(case, "cpu"))
    if device == "npy":
        environment = importlib.import_module("xp_backend.npy").environment
        environment.report(reset=True)
    got = leaves(result(case, device))
    if device == "npy" and case.name not in WAITING:
        moved = [t for t in environment.report().transfers if t.direction == "to cpu"]
        assert bool(moved) == (case.name in READ_ON_NPY)
    for ours, theirs in zip(got, expected, strict=True):
        assert ours.device.type == device
        if not case.name.startswith(("empty", "ndarray.resize", "linalg.eig", "linalg.qr")):
            torch.testing.assert_close(ours.cpu(), theirs, equal_nan=True)
