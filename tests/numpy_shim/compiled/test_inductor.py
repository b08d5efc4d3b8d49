"""Programs that copy and write, compiled with inductor: values, and which arrays share memory."""

from __future__ import annotations

import itertools

import numpy
import pytest
import torch
from torch._inductor.utils import run_and_get_code

import numpy_shim as np
from tests.releases import TORCH

from .test_programs import assert_same

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


@pytest.fixture(autouse=True)
def _fresh():
    torch._dynamo.reset()


def swapped(a, b):
    before = a.copy()
    a[:] = b
    b[:] = before


def double_buffer(a, b):
    a[:] = b[:]
    b[1:-1] = a[:-2] + a[2:]
    return b


def shifted_up(a, b):
    a[1:] = a[:-1]


def shifted_down(a, b):
    a[:-1] = a[1:]


def reversed_in_place(a, b):
    a[:] = a[::-1]


def two_copies(a, b):
    a[0] = 1
    return a.copy(), a.copy()


def copy_between_writes(a, b):
    a[0] = 1
    between = a.copy()
    a[1:3] += between[0]
    return between


def copy_of_part(a, b):
    return b.copy()[1:].copy()


def view_and_copy(a, b):
    a[:2] = 0
    return a[1:], a[1:].copy()


def sums_with_zeros(a, b):
    return a + np.zeros_like(a), b * np.ones_like(b)


def negative_zeros(a, b):
    return -np.zeros_like(a) + np.zeros_like(a)


def written_before(a, b):
    b[0] = a[1]
    b[:3] = b[1] + a[:3]
    return b * 1


def diagonal_written_twice(a, b):
    square = a[:4].reshape(2, 2).copy()
    diagonal = np.einsum("ii->i", square)
    diagonal[:] = b[:2]
    diagonal[:] = diagonal[1] + a[:2]
    return square


def nothing_written(a, b):
    later = a + 1
    a[3:1] = b[5:3]
    a[2] = 7
    return later


def read_between(a, b):
    for i in range(1, 5):
        a[i] = a[i - 1] * 2 + b[i]
    first = a[0] + 0
    a[0] = a[4]
    return first


def shifted_in_steps(a, b):
    for i in range(6):
        a[i % 3 : 4] -= b[: 4 - i % 3] * a[3]
    return a * b


def of_a_view(a, b):
    square = a[:4].reshape(2, 2)
    square[:] = square[1, 0] - square
    across = b[:4].reshape(2, 2).T
    across[:] = across[::-1] * 2 - across[1]
    return square.sum()


def through_a_view(a, b):
    rows = a.reshape(-1, 2)
    rows[:] = rows[1, 0] - rows
    return b + 1


PROGRAMS = [
    swapped, double_buffer, shifted_up, shifted_down, reversed_in_place, two_copies,
    copy_between_writes, copy_of_part, view_and_copy, sums_with_zeros, negative_zeros,
    written_before, diagonal_written_twice, nothing_written, read_between, shifted_in_steps,
    of_a_view, through_a_view,
]  # fmt: skip


def arguments(size, convert):
    """Two arrays for each program."""
    rng = numpy.random.default_rng(5)
    return [[convert(x) for x in rng.random((2, size))] for _ in PROGRAMS]


def each(arrays):
    """All programs, as one to compile: compiling each apart takes ten times as long."""
    return [program(*given) for program, given in zip(PROGRAMS, arrays, strict=True)]


def shared(arrays):
    """Which pairs share memory."""
    return [numpy.shares_memory(x, y) for x, y in itertools.combinations(arrays, 2)]


def flat(result):
    """The arrays of a result."""
    return [] if result is None else list(result) if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("size", [6, 100_000])
def test_programs(size):
    """As with NumPy, which is asked for the values and for the memory."""
    given, same = arguments(size, np.array), arguments(size, numpy.copy)
    got = torch.compile(each, fullgraph=True)(given)
    for program, result, ours, theirs in zip(PROGRAMS, got, given, same, strict=True):
        expected = program(*theirs)
        left, right = [*flat(result), *ours], [*flat(expected), *theirs]
        assert_same(left, right)
        assert shared(left) == shared(right), program.__name__


def torch_swapped(a, b):
    before = a.clone()
    a[:] = b
    b[:] = before


def torch_double_buffer(a, b):
    a[:] = b[:]
    b[1:-1] = a[:-2] + a[2:]


def torch_copy_of_part(a, b):
    return b.clone()[1:].clone()


mended = pytest.mark.xfail(TORCH < (2, 15), strict=True, reason="inductor leaves out a copy")
never = pytest.mark.xfail(strict=True, reason="inductor leaves out a copy that is returned")


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(torch_swapped, marks=mended),
        pytest.param(torch_double_buffer, marks=mended),
        pytest.param(torch_copy_of_part, marks=never),
    ],
)
def test_torch_itself(program):
    """With tensors alone inductor gives other values, or the argument for its copy."""
    given, same = ([torch.arange(4.0), torch.arange(4.0) * 3 + 1] for _ in range(2))
    got, expected = torch.compile(program, fullgraph=True)(*given), program(*same)
    assert all(map(torch.equal, given, same))
    if expected is not None:
        assert got.untyped_storage().data_ptr() != given[1].untyped_storage().data_ptr()


def test_cache(tmp_path, monkeypatch):
    """What was compiled for tensors is not taken for the same graph of our arrays."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    for swap, make in ((torch_swapped, torch.arange), (swapped, np.arange)):
        torch._dynamo.reset()
        a, b = make(4.0), make(4.0) * 3
        torch.compile(swap, fullgraph=True)(a, b)
        assert b.tolist() == [0, 1, 2, 3] or swap is torch_swapped


def loops_of(program, *shape):
    """The loops of the C++ code for a program with an array, and whether they have conditions."""
    with torch._inductor.config.patch(fx_graph_cache=False):  # it does not keep the code
        _, code = run_and_get_code(torch.compile(program, fullgraph=True), np.ones(shape))
    text = "".join(code)
    return text.count("for(int64_t x0"), " ? " in text or "blendv" in text


class TestInPlace:
    """Writes that are faster in place are; others are joined to what reads them."""

    def test_columns(self):
        def program(a):
            for i in range(1, 9):
                a[:, i] = a[:, i - 1] * 2
            return a.sum()

        loops, conditions = loops_of(program, 5, 9)
        assert loops >= 8
        assert not conditions

    def test_many_rows(self):
        def program(a):
            b = np.zeros_like(a)
            for i in range(6):
                b[i] = a[i] * i
            return b

        assert not loops_of(program, 6, 40)[1]

    def test_few_rows(self):
        def program(a):
            b = np.zeros_like(a)
            b[0], b[1] = a[1], a[0]
            return b.sum(axis=0)

        assert loops_of(program, 3, 40) == (1, True)

    def test_one_write(self):
        def program(a):
            b = np.zeros_like(a)
            b[1:-1] = a[2:] - a[:-2]
            return b * b

        assert loops_of(program, 40) == (1, True)

    def test_complex(self):
        """Inductor has no loops for them."""

        def program(a):
            b = a * 1j
            for i in range(1, 6):
                b[i] += b[i - 1]
            return b

        a = np.arange(7.0)
        assert_same(torch.compile(program, fullgraph=True)(a), program(a))

    def test_gradient(self):
        """A value that the backward pass reads is not written over."""

        def program(a):
            b = a * 1
            for i in range(1, 7):
                b[i] = b[i - 1] * b[i]
            return b.sum()

        compiled = torch.compile(np.grad(program))
        a = np.linspace(0.5, 2, 7)
        assert np.allclose(compiled(a), np.grad(program)(a), rtol=1e-15, atol=0)

    def test_dynamic_shapes(self):
        def program(a):
            for _ in range(3):
                a[1:-1, 1:] = a[:-2, 1:] + a[2:, :-1]
            return a * 1

        compiled = torch.compile(program, fullgraph=True, dynamic=True)
        for n in (5, 8, 3):
            a = np.arange(n * n).reshape(n, n)
            assert_same(compiled(a.copy()), program(a))
