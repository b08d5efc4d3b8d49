"""Error states belong to a thread or task: one does not see what another asks for."""

from __future__ import annotations

import ast
import asyncio
import contextvars
import gc
import operator
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
from numpy_shim._base import error_states as errstate


def test_other_threads_are_left_alone():
    """What one thread looks for, another does not."""
    seen: list[Any] = []

    def other() -> None:
        seen.append(numpy_shim.geterr()["divide"])
        seen.append((numpy_shim.ones(1) / 0).tolist())

    with numpy_shim.errstate(all="raise"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert seen == ["ignore", [float("inf")]]


async def _two_tasks(np: Any) -> list[str]:
    """A task that leaves its own errstate while another is inside one; what the other meets."""
    inside, left = asyncio.Event(), asyncio.Event()
    met: list[str] = []

    async def first() -> None:
        with np.errstate(all="raise"):
            inside.set()
            await left.wait()
            met.append(outcome(np))
        met.append(np.geterr()["under"])

    async def second() -> None:
        await inside.wait()
        met.append(np.geterr()["divide"])
        with np.errstate(all="raise"):
            met.append(outcome(np))
        left.set()

    with np.errstate(divide="ignore", under="ignore"):
        await asyncio.gather(first(), second())
    return met


async def _outliving(np: Any) -> list[str]:
    """A task that was made inside an errstate and goes on after its end."""
    left = asyncio.Event()

    async def child() -> str:
        await left.wait()
        return outcome(np)

    with np.errstate(divide="raise"):
        task = asyncio.create_task(child())
    with np.errstate(divide="ignore"):
        own = outcome(np)
    left.set()
    return [own, await task]


def outcome(np: Any) -> str:
    try:
        np.ones(1) / np.zeros(1)
    except FloatingPointError:
        return "raised"
    return "silent"


@pytest.mark.parametrize("program", [_two_tasks, _outliving])
def test_tasks(program: Any):
    """What one task looks for ends with that task, and with nothing that another does."""
    expected = asyncio.run(program(numpy))
    assert "raised" in expected
    assert asyncio.run(program(numpy_shim)) == expected
    assert not errstate.active


def test_contexts():
    """``Context.run``: a copy of a context that looks goes on to look."""

    def program(np: Any) -> list[str]:
        with np.errstate(divide="raise"):
            copied = contextvars.copy_context()
        with np.errstate(divide="ignore"):
            met = [outcome(np)]
        met.append(copied.run(outcome, np))
        copied.run(np.seterr, divide="ignore")
        met.append(copied.run(outcome, np))
        return met

    assert program(numpy_shim) == program(numpy) == ["silent", "raised", "silent"]
    assert not errstate.active


def test_two_threads_that_overlap():
    """A thread that leaves its own errstate does not switch off that of another."""
    inside, left = threading.Event(), threading.Event()
    met: list[str] = []

    def other() -> None:
        with numpy_shim.errstate(all="raise"):
            inside.set()
            left.wait(10)
            met.append(outcome(numpy_shim))

    thread = threading.Thread(target=other)
    with numpy_shim.errstate(all="raise"):
        thread.start()
        inside.wait(10)
    assert outcome(numpy_shim) == "silent"
    left.set()
    thread.join()
    assert met == ["raised"]
    assert not errstate.active


def test_a_thread_that_dies_inside():
    """A thread that ends without leaving its errstate leaves nothing switched off."""
    thread = threading.Thread(target=numpy_shim.seterr, args=("raise",))
    thread.start()
    thread.join()
    until = time.monotonic() + 5
    while errstate.active and time.monotonic() < until:
        time.sleep(0.01)
    assert not errstate.active
    assert torch.float64 in numpy_shim.add._fast


def test_a_suspended_generator():
    """The context of a generator is that of its caller: as in NumPy, also where it is closed."""

    def program(np: Any) -> list[Any]:
        def generator() -> Iterator[str]:
            with np.errstate(divide="raise"):
                yield outcome(np)

        with np.errstate(divide="ignore"):
            first = generator()
            met: list[Any] = [next(first), outcome(np)]
            first.close()
            met.append(outcome(np))
            second = generator()
            elsewhere = contextvars.copy_context()
            met += [elsewhere.run(next, second), outcome(np)]
            with pytest.raises(ValueError, match="different Context"):
                second.close()
            return [*met, outcome(np), elsewhere.run(outcome, np)]

    expected = program(numpy)
    assert expected == ["raised", "raised", "silent", "raised", "silent", "silent", "raised"]
    assert program(numpy_shim) == expected
    gc.collect()
    assert not errstate.active


def test_an_exception_keeps_nothing_on():
    """An exception that is kept does not keep alive what its frames looked for."""
    kept = None
    try:
        with numpy_shim.errstate(all="ignore"), numpy_shim.errstate(all="raise"):
            numpy_shim.ones(1) / 0
    except FloatingPointError as error:
        kept = error
    assert kept is not None
    assert not errstate.active


def test_seterr_inside_is_undone():
    """Leaving restores modes and handler, whatever was set inside."""

    def program(np: Any) -> list[Any]:
        with np.errstate(all="ignore"):
            with np.errstate(over="warn"):
                np.seterr(divide="raise")
                np.seterrcall(print)
                inside = np.geterr()
            return [inside, np.geterr(), np.geterrcall()]

    assert program(numpy_shim) == program(numpy)
    assert not errstate.active


def test_calls_while_another_thread_enters_and_leaves():
    """A call that is under way as another thread starts or stops to look gives its result."""
    a = numpy_shim.ones(3)
    calls = [
        lambda: numpy_shim.add(a, 2.5, where=[True, False, True], out=a.copy()),
        lambda: numpy_shim.divide(a, 2, dtype="f4"),
        lambda: numpy_shim.mean(a, dtype="f4"),
        lambda: numpy_shim.diff(a, n=2, prepend=0),
        lambda: numpy_shim.add.reduceat(a, [0, 1]),
        lambda: numpy_shim.dot(a, a),
        lambda: a.sum() + a[0],
        lambda: operator.iadd(a.copy(), 1),
    ]
    expected = [numpy_shim.asarray(call()).tolist() for call in calls]
    stop = threading.Event()

    def toggling() -> None:
        while not stop.is_set():
            with numpy_shim.errstate(all="warn"):
                pass

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=toggling)
    thread.start()
    try:
        sys.setswitchinterval(1e-6)
        until = time.monotonic() + 3
        while time.monotonic() < until:
            assert [numpy_shim.asarray(call()).tolist() for call in calls] == expected
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)


def test_active_is_read_once_in_a_function():
    """Between two readings another thread may change it."""
    for file in sorted(Path(numpy_shim.__file__).parent.rglob("*.py")):
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                readings = [
                    node.lineno
                    for node in ast.walk(function)
                    if isinstance(node, ast.Attribute) and ast.unparse(node) == "errstate.active"
                ]
                assert len(readings) < 2, (file.name, function.name, readings)
