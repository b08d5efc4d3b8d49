"""The surface of xp_torch on ``npy``: the CPU's values, on the device, and nothing moves."""

from __future__ import annotations

from typing import Any

import pytest
import torch

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
