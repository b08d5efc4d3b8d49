"""Random programs on operands of every kind do, statement by statement, what they do in NumPy."""

from __future__ import annotations

import os

import pytest
import torch

from .random_statements import difference

EXAMPLES = int(os.environ.get("XP_TORCH_EXAMPLES", "0")) or 200
FIRST = int(os.environ.get("XP_TORCH_SEED", "0"))
"""``XP_TORCH_EXAMPLES=20000`` is the long run; ``XP_TORCH_SEED`` is its first seed."""

TOGETHER = 20
COMMAND = "{where}XP_TORCH_SEED={seed} XP_TORCH_EXAMPLES=1 python -m pytest {file} -k {device}"


@pytest.mark.parametrize("first", range(FIRST, FIRST + EXAMPLES, TOGETHER))
def test_programs(first: int, device: str):
    """The report of a program that differs begins with the command that runs it alone."""
    found = []
    with torch.device(device):
        for seed in range(first, min(first + TOGETHER, FIRST + EXAMPLES)):
            text = difference(seed)
            if text is not None:
                where = "" if device == "cpu" else f"XP_TORCH_DEVICES={device} "
                file = os.path.relpath(__file__)
                found.append(COMMAND.format(where=where, seed=seed, file=file, device=device))
                found.append(text)
    assert not found, "\n\n".join(found)
