"""Random programs give compiled what they give in eager mode, and change the same inputs."""

from __future__ import annotations

import os
import warnings

import pytest
import torch

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
        found = differences([Program(seed) for seed in range(first, last)], BACKEND)
    assert not found, "\n\n".join(found)


def test_what_torch_itself_refuses():
    """Without numpy_shim too; the long run leaves out programs that end like this."""

    def program(a, b):
        a.copy_(b * 2)
        return a[:]

    x = torch.tensor([3, -3, 2])[::2]
    torch._dynamo.reset()
    with pytest.raises(AssertionError, match=TORCHS_OWN):
        torch.compile(program, backend="aot_eager")(x, x[:2])
