"""Values of a context: who sees which, and when the last special one is gone."""

from __future__ import annotations

import contextvars
import gc
import subprocess
import sys
import threading
from types import ModuleType
from typing import Any

import pytest
import torch

from xp_torch._core.context import MIXED, ContextModule, ContextValue, here, make_context_local


class Switch:
    """Counts the switches, and checks that they alternate."""

    def __init__(self) -> None:
        self.calls: list[bool] = []

    def __call__(self, differ: bool) -> None:
        self.calls.append(differ)


def test_default_is_not_special():
    switch = Switch()
    value = ContextValue("value", 1, switch)
    value.set(1)
    assert value.get() == 1
    assert switch.calls == []


def test_switches_for_the_first_and_after_the_last():
    """Each context counts once, whatever it sets; setting the default again ends it."""
    switch = Switch()
    value = ContextValue("value", 1, switch)
    one, two = contextvars.Context(), contextvars.Context()
    one.run(value.set, 2)
    two.run(value.set, 3)
    two.run(value.set, 4)
    assert (one.run(value.get), two.run(value.get), value.get()) == (2, 4, 1)
    assert switch.calls == [True]
    one.run(value.set, 1)
    assert switch.calls == [True]
    two.run(value.set, 1)
    assert switch.calls == [True, False]


def test_a_context_that_goes_is_not_counted():
    switch = Switch()
    value = ContextValue("value", 1, switch)
    context = contextvars.Context()
    context.run(value.set, 2)
    copied = context.run(contextvars.copy_context)
    del context
    gc.collect()
    assert switch.calls == [True]  # the copy has inherited it
    assert copied.run(value.get) == 2
    del copied
    gc.collect()
    assert switch.calls == [True, False]


def test_a_thread_that_ends_is_not_counted():
    switched = threading.Event()
    value = ContextValue("value", 1, lambda differ: None if differ else switched.set())
    thread = threading.Thread(target=value.set, args=(2,))
    thread.start()
    thread.join()
    assert switched.wait(5)


def test_reset_restores_and_counts():
    switch = Switch()
    value = ContextValue("value", 1, switch)
    first = value.set(2)
    second = value.set(3)
    value.reset(second)
    assert value.get() == 2
    value.reset(first)
    assert value.get() == 1
    del first, second  # a token keeps the value that it restores
    assert switch.calls == [True, False]


def test_set_while_switching():
    """A signal handler or a finalizer may set a value in the midst of a switch."""
    calls: list[bool] = []
    inner = contextvars.Context()

    def switch(differ: bool) -> None:
        calls.append(differ)
        if calls == [True, False]:
            inner.run(value.set, 3)
            assert calls == [True, False, True]  # it switched before the call returned

    value = ContextValue("value", 1, switch)
    value.set(2)
    value.set(1)
    assert calls[-1] is True  # the outer switch has looked again
    inner.run(value.set, 1)
    assert calls[-1] is False


def test_many_threads():
    """Threads that set and reset at once leave it as it was; a value set is always seen."""
    state = {"differ": False}
    value = ContextValue("value", 0, lambda differ: state.update(differ=differ))
    wrong: list[Any] = []

    def work(number: int) -> None:
        for _ in range(300):
            token = value.set(number)
            if not state["differ"] or value.get() != number:
                wrong.append(number)
            value.reset(token)
            del token

    threads = [threading.Thread(target=work, args=(i,)) for i in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert not state["differ"]


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module with a global that belongs to the context, and one that does not."""
    made = ModuleType("a_module_of_settings")
    vars(made).update(kind=torch.float64, other=1)
    monkeypatch.setitem(sys.modules, made.__name__, made)
    assert make_context_local(made.__name__, "kind") is made
    assert type(made) is ContextModule
    return made


def test_global_of_a_module(module: Any):
    """A plain global while nobody differs; ``MIXED`` and ``here_NAME`` otherwise."""
    assert vars(module)["kind"] is torch.float64
    context = contextvars.Context()
    context.run(setattr, module, "kind", torch.float32)
    assert vars(module)["kind"] == MIXED
    assert here(module, "kind") is torch.float64
    assert context.run(here, module, "kind") is torch.float32
    context.run(setattr, module, "kind", torch.float64)
    assert vars(module)["kind"] is torch.float64
    module.other = 2
    assert vars(module)["other"] == 2
    with pytest.raises(AttributeError, match="a_module_of_settings"):
        _ = module.nothing
    with pytest.raises(AttributeError, match="here_other"):
        _ = module.here_other


def test_a_trace_reads_and_sets(module: Any):
    """A compiled function sees the value of the context that calls it, and may set it."""

    def read(x: Any) -> Any:
        return x.to(here(module, "kind"))

    compiled = torch.compile(read, backend="eager", fullgraph=True)
    x = torch.ones(1, dtype=torch.int32)
    context = contextvars.Context()
    assert compiled(x).dtype is torch.float64
    context.run(setattr, module, "kind", torch.float32)
    assert context.run(compiled, x).dtype is torch.float32
    assert compiled(x).dtype is torch.float64
    context.run(setattr, module, "kind", torch.float64)
    assert context.run(compiled, x).dtype is torch.float64


def test_a_program_that_ends_with_a_value_set():
    """Nothing is switched, and nothing is printed, while the interpreter takes itself down."""
    program = """
import contextvars, xp_torch
context = contextvars.Context()
context.run(xp_torch.flags.set, api_version="2022.12", default_float=xp_torch.float32)
xp_torch.flags.set(data_dependent_shapes=False)
"""
    run = subprocess.run(
        [sys.executable, "-c", program], check=True, timeout=120, capture_output=True, text=True
    )
    assert run.stderr == ""
