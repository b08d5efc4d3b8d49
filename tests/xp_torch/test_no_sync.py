"""Nothing reads a value that its result can exist without: held by ``meta`` arrays.

They have no values, so reading one fails. Beside them, ``Watch`` tells on the CPU which operators
would wait on CUDA. Both stand in, where there is no GPU, for running the surface under
``torch.cuda.set_sync_debug_mode("error")`` as ``tools/gpu_check.py`` does.
"""

from __future__ import annotations

from typing import Any

import pytest

import xp_torch as xp
from tests import synchronising
from tests.cases import all_cases, arrays, labels, leaves, on
from tests.surface import Case
from tests.synchronising import Call
from tests.waiting import Watch

LISTED = {call.name for call in synchronising.LIST if not call.on_meta}


def result(case: Any, device: str) -> Any:
    """The case's result on a device, which is also the default one."""
    with on(device):
        return case.body(xp, *arrays(case, device))


def described(result: Any) -> list[tuple[Any, ...]]:
    """Shape and dtype of each array of a result."""
    return [(tuple(t.shape), t.dtype) for t in leaves(result)]


CASES = all_cases()
# These read no value either, but DLPack has no name for the meta device.
NOT_ON_META = {"Array.__dlpack__", "Array.__dlpack_device__"}
RUN = [c for c in CASES if c.name not in NOT_ON_META]


@pytest.mark.parametrize("case", RUN, ids=labels(RUN))
def test_surface_reads_no_value(case: Case):
    """The right shapes and dtypes come out of arrays without values.

    A function with a call on the published list may have cases that read values and others.
    """
    expected = described(result(case, "cpu"))
    if case.name not in LISTED:
        assert described(result(case, "meta")) == expected
        return
    got = outcome_on_meta(case)
    assert got == expected or for_want_of_values(got)


@pytest.mark.parametrize("call", synchronising.FREE, ids=[c.text for c in synchronising.FREE])
def test_relative_reads_no_value(call: Call):
    """What is close to a listed call and can do without reading does without."""
    assert described(result(call, "meta")) == described(result(call, "cpu"))


@pytest.mark.parametrize("call", synchronising.LIST, ids=[c.text for c in synchronising.LIST])
def test_listed_call_reads_a_value(call: Call):
    """Every call on the published list fails without values, or the list says why it cannot."""
    result(call, "cpu")
    if call.on_meta:
        assert described(result(call, "meta")) == described(result(call, "cpu")), call.on_meta
    else:
        refuses(call)


def outcome_on_meta(case: Case) -> Any:
    """What the result is like on meta, or the error."""
    try:
        return described(result(case, "meta"))
    except ERRORS as error:
        return error


ERRORS = (NotImplementedError, RuntimeError, ValueError, TypeError)


def refuses(case: Any) -> None:
    with pytest.raises(ERRORS) as caught:
        result(case, "meta")
    assert for_want_of_values(caught.value), caught.value


def for_want_of_values(error: Any) -> bool:
    """Whether an error says that a meta tensor has no values."""
    return isinstance(error, ERRORS) and "meta" in f"{error} {error.__cause__}".lower()


@pytest.mark.parametrize("name", sorted(NOT_ON_META))
def test_no_dlpack_on_meta(name: str):
    """DLPack refuses meta arrays, so that the exceptions above are needed."""
    for case in CASES:
        if case.name == name:
            with pytest.raises((BufferError, ValueError, TypeError)):
                result(case, "meta")


def waits(case: Any) -> list[str]:
    """The operators a case reaches on the CPU that would wait on CUDA."""
    inputs = arrays(case, "cpu")
    with Watch() as watch:
        case.body(xp, *inputs)
    return watch.waits


@pytest.mark.parametrize("case", CASES, ids=labels(CASES))
def test_surface_reaches_no_waiting_operator(case: Case):
    """Only functions with a call on the published list reach an operator that would wait."""
    assert case.name in synchronising.NAMES or not waits(case)


@pytest.mark.parametrize("call", synchronising.FREE, ids=[c.text for c in synchronising.FREE])
def test_relative_reaches_no_waiting_operator(call: Call):
    assert not waits(call)


@pytest.mark.parametrize("call", synchronising.LIST, ids=[c.text for c in synchronising.LIST])
def test_listed_call_reaches_a_waiting_operator(call: Call):
    """Every call on the published list does wait, or the list says why the CPU cannot show it."""
    assert bool(waits(call)) != bool(call.on_cpu)


def test_no_untraced_case_is_forgotten():
    """A case that does not trace because it reads a value is on the published list."""
    reading = {c.name for c in CASES if "value" in c.trace} - NOT_ON_META
    assert reading - synchronising.NAMES == set()


def test_listed_names_exist():
    """The list names public functions and methods only."""
    for call in synchronising.LIST + synchronising.FREE:
        owner: Any = xp
        for part in call.name.split("."):
            owner = xp._array.Array if part == "Array" else getattr(owner, part)
