"""Calls on ten elements over NumPy's time: the same statement in both namespaces, on one thread."""

from __future__ import annotations

import timeit
from typing import Any

import numpy
import torch

import numpy_shim
import xp_torch

MEAN_BOUND = 4.0
STATEMENTS = (
    "a + b", "a * 2.0", "a == b", "np.sin(a)", "np.exp(a)", "np.sum(a)", "np.max(a)", "np.mean(a)",
    "np.std(a)", "a[2:5]", "np.where(a > b, a, b)", "np.concat([a, b])", "np.reshape(a, (2, 5))",
    "m @ m", "np.sort(a)", "np.argmax(a)", "np.zeros(10)", "np.linspace(0.0, 1.0, 10)",
)  # fmt: skip
NAMESPACES = {"numpy": numpy, "numpy_shim": numpy_shim, "xp_torch": xp_torch}


def operands(np: Any) -> dict[str, Any]:
    """The names of the statements; NumPy's own arrays have memory of their own."""
    made = {"a": torch.linspace(0.1, 1.0, 10).double(), "m": torch.ones(3, 3).double()}
    made["b"] = made["a"].flip(0)
    convert = (lambda t: t.numpy().copy()) if np is numpy else np.asarray
    return {"np": np, **{name: convert(tensor.clone()) for name, tensor in made.items()}}


def ratios(turns: int = 25, number: int = 200) -> list[dict[str, Any]]:
    """A row per statement: the fastest turn of each namespace over NumPy's."""
    rows = []
    for statement in STATEMENTS:
        timers = {
            name: timeit.Timer(statement, globals=operands(np)) for name, np in NAMESPACES.items()
        }
        times = [{name: timers[name].timeit(number) for name in timers} for _ in range(turns)]
        best = {name: min(turn[name] for turn in times) / number for name in timers}
        over = {name: best[name] / best["numpy"] for name in timers if name != "numpy"}
        rows.append({"case": statement, "numpy_us": best["numpy"] * 1e6, **over})
    return rows
