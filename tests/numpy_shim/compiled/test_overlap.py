"""Compiled programs whose arguments share memory: every write is seen as in eager mode."""

from __future__ import annotations

import pytest
import torch

import numpy_shim as np

from .test_programs import assert_same


def assigned(a, b):
    a[:] = b
    b[1:] = a[1:]
    return a, b * 1


def in_place(a, b):
    a += b
    return a, b


def backwards(a, b):
    b[::-1] -= a
    return a * 1


def into(a, b):
    np.add(a, 1, out=b)
    return a * 1


def into_operand(a, b):
    np.multiply(a, b, out=a)
    np.negative(a, out=b)
    return b * 1


def running(a, b):
    np.cumsum(a, out=b)
    return a * 1


def masked(a, b):
    a[a > 2] = b[a > 2]
    return b * 1


def gathered(a, b):
    a[[0, 1, 2]] = b[:3]
    return b * 1


def read_before(a, b):
    before = b.sum()
    a[:] = 0
    return before, b.sum()


def in_order(a, b):
    a.sort()
    np.copyto(b, b[::-1])
    return b * 1


PROGRAMS = [
    assigned, in_place, backwards, into, into_operand, running, masked, gathered, read_before,
    in_order,
]  # fmt: skip


def views_of_an_array():
    x = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])
    return x[1:], x[:-1]


def views_of_a_tensor():
    t = torch.tensor([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])
    return np.asarray(t[:-1]), np.asarray(t[1:])


def backwards_of_an_array():
    x = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])
    return x, x[::-1]


def one_that_runs_backwards():
    return np.array([3.0, 1.0, 4.0, 1.0]), np.zeros(4)[::-1]


def the_same():
    x = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])
    return x, x


ARGUMENTS = [
    views_of_an_array, views_of_a_tensor, backwards_of_an_array, one_that_runs_backwards, the_same,
]  # fmt: skip


@pytest.mark.parametrize("arguments", ARGUMENTS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_writes_are_seen(program, arguments):
    torch._dynamo.reset()
    given, same = arguments(), arguments()
    compiled = torch.compile(program, backend="eager", fullgraph=True)
    assert_same(compiled(*given), program(*same))
    assert_same(given, same)


def remainders(a, b):
    return np.remainder(b, 7, out=a)


def exchanged(a, b):
    b[:], a[1:] = a * 1, b[1:] * 1
    return a[::-1]


@pytest.mark.parametrize("program", [remainders, exchanged, *PROGRAMS])
def test_writes_to_an_input_that_runs_backwards(program):
    """The memory is the input of the graph: AOTAutograd drops the order of a tensor's class."""
    torch._dynamo.reset()
    given, same = one_that_runs_backwards(), one_that_runs_backwards()
    compiled = torch.compile(program, backend="aot_eager", fullgraph=True)
    assert_same(compiled(*given), program(*same))
    assert_same(given, same)
