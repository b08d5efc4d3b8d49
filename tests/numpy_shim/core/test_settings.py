"""Settings belong to a context: a thread, a task. Leaving a block changes nothing for others."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import Any

import pytest
import torch

import numpy_shim as np
from numpy_shim._convert import to_numpy
from tests.releases import TORCH
from xp_torch._core.context import here

SETTINGS: dict[str, tuple[Callable[[Any], Any], Callable[[], Any], Any, Any]] = {
    "dtype": (np.set_default_dtype, lambda: np.array([1.5]).dtype.name, "float32", "float64"),
    "copies": (
        np.allow_implicit_host_copy, lambda: here(to_numpy, "_implicit_host_copy"), True, False,
    ),
    "stream": (np.random.set_stream, np.random.get_stream, "torch", "numpy"),
}  # fmt: skip
"""How each is set and read, another value, and the default."""

each = pytest.mark.parametrize("name", SETTINGS)


@each
def test_blocks_of_two_threads_that_overlap(name: str):
    """Entered in one order and left in the same: both are as they were."""
    setting, read, other, default = SETTINGS[name]
    inside, left = threading.Event(), threading.Event()
    seen: list[Any] = []

    def second() -> None:
        seen.append(read())
        with setting(other):
            inside.set()
            left.wait(10)
            seen.append(read())
        seen.append(read())

    thread = threading.Thread(target=second)
    with setting(other):
        thread.start()
        inside.wait(10)
        assert read() == other
    assert read() == default
    left.set()
    thread.join()
    assert seen == [default, other, default]
    assert read() == default


@each
def test_call_is_for_the_context(name: str):
    """A plain call holds from then on in this context; a new thread has the default."""
    setting, read, other, default = SETTINGS[name]
    seen: list[Any] = []

    def program() -> Any:
        setting(other)
        thread = threading.Thread(target=lambda: seen.append(read()))
        thread.start()
        thread.join()
        return read()

    context = contextvars.copy_context()
    assert context.run(program) == other
    assert context.run(read) == other
    assert read() == default
    assert seen == [default]


@each
def test_tasks(name: str):
    """A task has what its maker has, and keeps for itself what it sets."""
    setting, read, other, default = SETTINGS[name]

    async def child(value: Any, turn: asyncio.Event) -> list[Any]:
        seen = [read()]
        with setting(value):
            await turn.wait()
            seen.append(read())
        return seen

    async def program() -> list[Any]:
        turn = asyncio.Event()
        with setting(other):
            inherits = asyncio.create_task(child(default, turn))
            await asyncio.sleep(0)
        alone = asyncio.create_task(child(other, turn))
        await asyncio.sleep(0)
        turn.set()
        return [*await inherits, *await alone, read()]

    assert asyncio.run(program()) == [other, default, default, other, default]


@each
def test_error_and_nesting(name: str):
    """Blocks nest, and one that is left by an exception restores as well."""
    setting, read, other, default = SETTINGS[name]

    def program() -> None:
        with setting(other):
            with setting(default):
                assert read() == default
            assert read() == other
            raise KeyError

    with pytest.raises(KeyError):
        program()
    assert read() == default


def test_default_dtype_costs_the_reader_nothing():
    """What a call reads is a plain global again once no context differs."""
    from numpy_shim._base import defaults

    context = contextvars.Context()
    context.run(np.set_default_dtype, "float32")
    assert np.array([1.5]).dtype == "float64"
    assert np.full(2, 1.5).dtype == "float64"
    assert context.run(np.full, 2, 1.5).dtype == "float32"
    assert vars(defaults)["_float"] is not torch.float64
    del context
    assert vars(defaults)["_float"] is torch.float64


def test_pytorchs_default_in_one_context():
    """``'pytorch'`` follows torch in this context, beside others that do not."""
    context = contextvars.Context()
    context.run(np.set_default_dtype, "pytorch")
    assert torch.get_default_dtype() is torch.float32
    assert context.run(lambda: np.array([1.5, 2j]).dtype.name) == "complex64"
    assert context.run(lambda: np.array([1.5]).dtype.name) == "float32"
    assert np.array([1.5, 2j]).dtype == "complex128"


def test_a_trace_reads_the_context_that_calls():
    """One compiled function, called in contexts with different defaults."""
    compiled = torch.compile(lambda a: a + np.array([1.5]), backend="eager", fullgraph=True)
    a = np.ones(1, np.float16)
    context = contextvars.Context()
    assert compiled(a).dtype == "float64"
    context.run(np.set_default_dtype, "float32")
    assert context.run(compiled, a).dtype == "float32"
    assert compiled(a).dtype == "float64"
    context.run(np.set_default_dtype, "numpy")
    assert context.run(compiled, a).dtype == "float64"


@pytest.mark.skipif(TORCH < (2, 13), reason="Dynamo does not follow the setting of attributes")
def test_a_trace_sets():
    """In a trace a setting holds inside its block; a plain call holds after the trace, too."""

    def blocks(a: Any) -> tuple[Any, ...]:
        with np.set_default_dtype(np.float32):
            inner = a + np.array([1.5])
            with np.set_default_dtype("numpy"):
                innermost = a + np.array([1.5])
        return inner, innermost, a + np.array([1.5])

    def plain(a: Any) -> Any:
        np.set_default_dtype("float32")
        return a + np.array([1.5])

    a = np.ones(1, np.float16)
    compiled = torch.compile(blocks, backend="eager", fullgraph=True)
    assert [r.dtype.name for r in compiled(a)] == ["float32", "float64", "float64"]
    assert np.array([1.5]).dtype == "float64"
    context = contextvars.copy_context()
    compiled = torch.compile(plain, backend="eager", fullgraph=True)
    assert context.run(compiled, a).dtype == "float32"
    assert context.run(lambda: np.array([1.5]).dtype.name) == "float32"
    assert np.array([1.5]).dtype == "float64"
