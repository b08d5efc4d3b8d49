"""Random programs give compiled what they give in eager mode, and change the same inputs."""

from __future__ import annotations

import os
import warnings

import pytest
import torch

from .random_programs import Program, description

EXAMPLES = int(os.environ.get("XP_TORCH_EXAMPLES", "0"))
SEEDS = range(EXAMPLES or 12)
"""Each takes a second; ``XP_TORCH_EXAMPLES=20000`` is the long run."""


def outcome(function, program):
    given = program.arguments()
    return repr(description(function(*given), given))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", SEEDS)
def test_program(seed):
    """Values bit by bit, dtypes, shapes, shared memory and the inputs afterwards."""
    program = Program(seed)
    if seed % 100 == 0:
        torch._dynamo.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = outcome(program.function, program)
        compiled = torch.compile(program.function, backend="eager")
        assert outcome(compiled, program) == expected, program.source
