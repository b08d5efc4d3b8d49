"""Random programs give compiled what they give in eager mode, and change the same inputs."""

from __future__ import annotations

import os
import re
import warnings

import pytest
import torch

from tests.releases import TORCH

from .random_programs import TORCHS_OWN, Program, differences

EXAMPLES = int(os.environ.get("XP_TORCH_EXAMPLES", "0")) or 20
FIRST = int(os.environ.get("XP_TORCH_SEED", "0"))
BACKEND = os.environ.get("XP_TORCH_BACKEND", "eager")
"""``XP_TORCH_EXAMPLES=20000`` is the long run; ``XP_TORCH_SEED`` is its first seed."""

TOGETHER = 20
"""Programs of one graph. More of them cost less each, until garbage collection costs more."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", range(FIRST, FIRST + EXAMPLES, TOGETHER))
def test_programs(first):
    """Values bit by bit, dtypes, shapes, shared memory and the inputs afterwards."""
    last = min(first + TOGETHER, FIRST + EXAMPLES)
    with warnings.catch_warnings(), torch._dynamo.config.patch(run_gc_after_compile=False):
        warnings.simplefilter("ignore")
        programs = [Program(seed) for seed in range(first, last)]
        found = differences([p for p in programs if not p.is_lost_by(BACKEND)], BACKEND)
    assert not found, "\n\n".join(found)


def view_of_what_is_written_to(a, b):
    a.copy_(b * 2)
    return a[:]


def view_by_shape_of_what_is_written_to(a, b):
    a.copy_(torch.tensor(4))
    return b.view(b.shape)


def first_of_three():
    x = torch.tensor([3, -3, 2])
    return x, x[:2]


def view_of_another_dtype(a, b):
    a.zero_()
    return b + 1


def shared():
    x = torch.tensor([3, -3, 2])[::2]
    return x, x[:2]


def of_two_dtypes():
    x = torch.ones(2, dtype=torch.complex128)
    return x, x.view(torch.float64)


@pytest.mark.parametrize(
    ("program", "arguments", "message"),
    [
        (view_of_what_is_written_to, shared, TORCHS_OWN[0]),
        (view_of_another_dtype, of_two_dtypes, TORCHS_OWN[1]),
        (view_by_shape_of_what_is_written_to, first_of_three, TORCHS_OWN[2]),
    ],
)
def test_what_torch_itself_refuses(program, arguments, message):
    """Without numpy_shim too; the long run leaves out programs that end like this."""
    torch._dynamo.reset()
    with pytest.raises(Exception, match=re.escape(message)):
        torch.compile(program, backend="aot_eager")(*arguments())


@pytest.mark.xfail(TORCH < (2, 14), strict=True, reason="torch loses the write")
def test_write_to_a_number_that_torch_itself_loses():
    """A float64 tensor without axes on the CPU; the long run leaves out programs with such."""

    def program(a):
        a.neg_()
        return a * 1

    x = torch.tensor(1.5, dtype=torch.float64)
    torch._dynamo.reset()
    torch.compile(program, backend="aot_eager")(x)
    assert x == -1.5


@pytest.mark.xfail(strict=True, reason="torch returns a view of other elements")
def test_view_of_what_is_written_to_that_torch_itself_takes_elsewhere():
    """Of two inputs that share memory; the long run leaves out programs that write to one."""

    def program(a, b):
        a.zero_()
        return b.narrow(0, 0, 1)

    x = torch.tensor([1, 2, 3, 4])
    torch._dynamo.reset()
    view = torch.compile(program, backend="aot_eager")(x, x[2:])
    assert view.storage_offset() == 2
