"""Arrays sent to other processes are copies, in both namespaces, as NumPy's are."""

from __future__ import annotations

import multiprocessing
from typing import Any

import pytest
import torch

import numpy_shim
import xp_torch


def made() -> list[Any]:
    """Arrays of both namespaces: whole ones, views, scalars, a reversed and a read-only one."""
    locked = numpy_shim.arange(3)
    locked.flags.writeable = False
    return [
        numpy_shim.arange(6.0).reshape(2, 3),
        numpy_shim.arange(6.0).reshape(2, 3).T,
        numpy_shim.arange(10)[2:8:2],
        numpy_shim.arange(5)[::-1],
        numpy_shim.ones(2, "u2"),
        numpy_shim.asarray(torch.ones(2, requires_grad=True)).sum(),
        numpy_shim.asarray(torch.ones(2, requires_grad=True)),
        locked,
        xp_torch.arange(3),
        xp_torch.ones((2, 2), dtype=xp_torch.uint32),
    ]


def send(queue: Any) -> None:
    """What the child does: it sends, and exits."""
    queue.put(made())


def send_back(there: Any, back: Any) -> None:
    """A child that writes to what it gets, and says that it has."""
    for array in there.get():
        array[...] = 7
    back.put("written")


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_from_a_process_that_has_exited(method: str):
    """The values do not depend on the sender."""
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=send, args=(queue,))
    child.start()
    # The pipe holds the pickled bytes: they are read before the child can exit.
    received = queue.get(timeout=120)
    child.join(120)
    for got, sent in zip(received, made(), strict=True):
        assert type(got) is type(sent)
        assert got.dtype == sent.dtype
        assert got._tensor.tolist() == sent._tensor.tolist()
        assert got._tensor.requires_grad == sent._tensor.requires_grad


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_copies_are_sent(method: str):
    """What the receiver writes does not reach the sender."""
    context = multiprocessing.get_context(method)
    there, back = context.Queue(), context.Queue()
    arrays = [numpy_shim.zeros(3), xp_torch.zeros(3)]
    child = context.Process(target=send_back, args=(there, back))
    child.start()
    there.put(arrays)
    assert back.get(timeout=120) == "written"
    child.join(120)
    assert [a._tensor.tolist() for a in arrays] == [[0, 0, 0], [0, 0, 0]]
