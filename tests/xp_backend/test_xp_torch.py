"""The surface of xp_torch on ``npy``: the CPU's values, on the device, and nothing moves."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import torch

import numpy_shim
import xp_torch as xp
from tests import synchronising
from tests.cases import all_cases, arrays, labels, leaves, on
from tests.surface import Case
from xp_backend import BackendEnvironment

CASES = all_cases()
LISTED = {call.name for call in synchronising.LIST}
# numpy.asarray is refused, as on CUDA.
NOT_ON_NPY = {"Array.__array__"}
RUN = [c for c in CASES if c.name not in NOT_ON_NPY]
ELSEWHERE = {"Array.to_device", "asarray", "to_torch"}
RANDOM = ("empty",)


def on_npy(case: Any, env: BackendEnvironment) -> Any:
    """The result of a case whose operands are on the device, which is the default one."""
    with on("npy"):
        operands = arrays(case, "npy")
        env.report(reset=True)
        return case.body(xp, *operands)


@pytest.mark.parametrize("case", RUN, ids=labels(RUN))
def test_surface(case: Case, env: BackendEnvironment):
    """The same values as on the CPU; on the device; and moved by listed calls only."""
    got = on_npy(case, env)
    moved = [t for t in env.report().transfers if t.direction == "to cpu"]
    expected = case.body(xp, *arrays(case, "cpu"))
    for ours, theirs in zip(leaves(got), leaves(expected), strict=True):
        assert ours.dtype is theirs.dtype
        assert ours.shape == theirs.shape
        if case.name not in ELSEWHERE:
            assert ours.device.type == "npy"
        if not case.name.startswith(RANDOM):
            torch.testing.assert_close(ours.cpu(), theirs.cpu(), equal_nan=True)
    if case.name not in LISTED:
        assert not moved


@pytest.mark.parametrize("call", synchronising.FREE, ids=[c.text for c in synchronising.FREE])
def test_relatives_of_listed_calls_move_nothing(call: Any, env: BackendEnvironment):
    on_npy(call, env)
    assert not [t for t in env.report().transfers if t.direction == "to cpu"]


# Cases that ask for float64 or complex128 themselves, and the one that exports the memory.
NOT_WITHOUT_FLOAT64 = {"asarray-3", "astype", "astype-2", "astype-3", "Array.__dlpack__"}
SINGLE = {"float64": "float32", "complex128": "complex64"}
NARROW = {
    label: replace(case, dtype=SINGLE.get(case.dtype, case.dtype))
    for label, case in zip(labels(RUN), RUN, strict=True)
    if label not in NOT_WITHOUT_FLOAT64
}


@pytest.mark.parametrize("case", NARROW.values(), ids=NARROW)
def test_surface_without_float64(case: Case, env: BackendEnvironment):
    """No function needs float64 for results in float32, as on Apple's MPS."""
    with xp.flags(default_float=torch.float32):
        expected = case.body(xp, *arrays(case, "cpu"))
        with env.lacking(torch.float64, torch.complex128):
            got = on_npy(case, env)
    for ours, theirs in zip(leaves(got), leaves(expected), strict=True):
        assert ours.dtype is theirs.dtype
        assert ours.shape == theirs.shape


def test_it_says_what_it_lacks(env: BackendEnvironment):
    info = xp.__array_namespace_info__()
    with env.lacking(torch.float64), on("npy"):
        assert "float64" not in info.dtypes()
        assert "float64" not in info.dtypes(device="npy", kind="real floating")
        assert "float64" in info.dtypes(device="cpu")
        with pytest.raises(TypeError, match=re.escape("store torch.float64")):
            xp.zeros(3, dtype=xp.float64)
    assert "float64" in info.dtypes(device="npy")


MADE = {
    "ones": lambda **on: xp.ones(3, **on),
    "empty": lambda **on: xp.empty((2, 0), **on),
    "asarray of a number": lambda **on: xp.asarray(1.5, **on),
    "asarray of a list": lambda **on: xp.asarray([1.0, 2], **on),
    "asarray of lists": lambda **on: xp.asarray([[1.0], [2.0]], **on),
    "asarray of nothing": lambda **on: xp.asarray([], **on),
    "full": lambda **on: xp.full(2, 1.5, **on),
    "arange": lambda **on: xp.arange(0.0, 1.0, 0.25, **on),
    "linspace": lambda **on: xp.linspace(0, 1, 3, **on),
    "eye": lambda **on: xp.eye(2, **on),
    "eye, another diagonal": lambda **on: xp.eye(2, k=1, **on),
    "fftfreq": lambda **on: xp.fft.fftfreq(4, **on),
    "rfftfreq": lambda **on: xp.fft.rfftfreq(4, **on),
    "complex asarray": lambda **on: xp.asarray([1j], **on),
    "complex full": lambda **on: xp.full((2,), 1j, **on),
    "complex linspace": lambda **on: xp.linspace(0, 1j, 3, **on),
}


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("default", [True, False])
def test_defaults_without_float64(name: str, default: bool, env: BackendEnvironment):
    """float32 and complex64 on such a device, float64 on the CPU beside it, as the info says."""
    make, kind = MADE[name], "complex floating" if "complex" in name else "real floating"
    with env.lacking(torch.float64, torch.complex128), on("npy" if default else "cpu"):
        for given in ({}, {"device": "npy"}, {"device": "cpu"}):
            got, told = make(**given), xp.__array_namespace_info__().default_dtypes(**given)
            assert got.dtype is told[kind]
            single = got.dtype in (xp.float32, xp.complex64)
            assert single == (given.get("device", "npy" if default else "cpu") == "npy")
    with on("npy"):
        assert make().dtype in (xp.float64, xp.complex128)


def test_sums_of_older_standards_without_float64(env: BackendEnvironment):
    """They have the default dtype of the device."""
    with env.lacking(torch.float64), on("npy"), xp.flags(api_version="2022.12"):
        assert xp.sum(xp.ones(3, dtype=xp.float32)).dtype is xp.float32


def test_numpys_dtypes_without_float64(env: BackendEnvironment):
    """numpy_shim leaves out what the device lacks, and its error says so."""
    info = numpy_shim.__array_namespace_info__()
    with env.lacking(torch.float64, torch.complex128):
        lost = info.dtypes().keys() - info.dtypes(device="npy").keys()
        assert lost == {"float64", "complex128"}
        assert info.dtypes(device="npy", kind="real floating").keys() == {"float32"}
        with pytest.raises(TypeError, match=re.escape("store torch.float64")):
            numpy_shim.ones(3, device="npy")
        ours = numpy_shim.ones(3, dtype="float32", device="npy")
        assert (ours * 2.0).dtype == numpy_shim.float32


@pytest.mark.parametrize("dtype", ["float32", "int64", "uint16"])
def test_doubles_of_spaced_values_are_computed_elsewhere(dtype: str, env: BackendEnvironment):
    """linspace and arange compute in double precision, then convert and move."""
    made = []
    for device, lacks in (("cpu", ()), ("npy", (torch.float64,))):
        with env.lacking(*lacks), on(device):
            wanted = getattr(xp, dtype)
            made.append(
                (xp.linspace(1, 5, 4, dtype=wanted), xp.arange(0.5, 4.25, 2**60, dtype=wanted))
            )
    for a, b in zip(*made, strict=True):
        assert b.device.type == "npy"
        assert torch.equal(xp.to_torch(a), xp.to_torch(b).cpu())
