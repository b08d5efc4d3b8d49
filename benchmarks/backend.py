"""The cost of a registered element-wise call on the device ``npy``, over the raw torch call."""

from __future__ import annotations

import importlib
import timeit

import torch

BOUND = 12.0
"""Above this a registered element-wise call on 10 elements costs too much."""

STATEMENTS = ("x + y", "x * 2.0", "torch.sin(x)", "torch.maximum(x, y)")


def ratios(rounds: int = 150, number: int = 30) -> dict[str, float]:
    """The fastest turn on the device over the fastest on the CPU, by statement.

    Turns are short, so that on a machine with other work some are not interrupted.
    """
    importlib.import_module("xp_backend.npy")
    found = {}
    for statement in STATEMENTS:
        best = []
        for device in ("cpu", "npy"):
            names = {"x": torch.rand(10, device=device), "y": torch.rand(10, device=device)}
            timer = timeit.Timer(statement, globals={**names, "torch": torch})
            best.append(min(timer.repeat(rounds, number)))
        found[statement] = best[1] / best[0]
    return found
