"""Loops over elements and scalars over NumPy's time: the same function in both, on one thread."""

from __future__ import annotations

import timeit
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy

MEAN_BOUND = 5.0
BOUND = 8.0
WRITE_BOUND = 12.0
"""The bound of writes, which must tell autograd; that costs as much as the write."""

SIZE = 300


class Loop(NamedTuple):
    """A loop: its function of the arrays of ``operands``, and its bound."""

    name: str
    body: Callable[[Any, dict[str, Any]], object]
    bound: float = BOUND


def _dot(np: Any, x: dict[str, Any]) -> object:
    a, b, s = x["a"], x["b"], 0.0
    for i in range(SIZE):
        s += a[i] * b[i]
    return s


def _arithmetic(np: Any, x: dict[str, Any]) -> object:
    s, t = x["a"][1], x["a"][2]
    for _ in range(SIZE):
        s = (s * t + 1) / t - s
    return s


def _write(np: Any, x: dict[str, Any]) -> object:
    b = x["b"]
    for i in range(SIZE):
        b[i] = 2.0
    return b


def _compare(np: Any, x: dict[str, Any]) -> object:
    a, count = x["a"], 0
    for i in range(SIZE):
        if a[i] > 500:
            count += 1
    return count


def _table(np: Any, x: dict[str, Any]) -> object:
    m = x["m"]
    for i in range(1, 20):
        for j in range(1, 20):
            m[i, j] = m[i - 1, j - 1] + 1
    return m


def _iterate(np: Any, x: dict[str, Any]) -> object:
    s = 0.0
    for v in x["a"]:
        s += v
    return s


def _count(np: Any, x: dict[str, Any]) -> object:
    k = x["k"]
    for i in range(SIZE):
        k[i] += 1
    return k


def _functions(np: Any, x: dict[str, Any]) -> object:
    a, s = x["a"], 0.0
    for i in range(SIZE):
        s += np.sqrt(a[i]) + np.exp(-a[i])
    return s


def _largest(np: Any, x: dict[str, Any]) -> object:
    a, s = x["a"], 0.0
    for i in range(1, SIZE):
        s += max(a[i], a[i - 1])
    return s


LOOPS = [
    Loop("s += a[i] * b[i]", _dot),
    Loop("scalar arithmetic", _arithmetic),
    Loop("b[i] = 2.0", _write, WRITE_BOUND),
    Loop("a[i] > 500", _compare),
    Loop("M[i, j] = M[i-1, j-1] + 1", _table, WRITE_BOUND),
    Loop("for v in a", _iterate),
    Loop("k[i] += 1", _count, WRITE_BOUND),
    Loop("np.sqrt(a[i]) + np.exp(-a[i])", _functions),
    Loop("max(a[i], a[i-1])", _largest),
]


def operands(np: Any) -> dict[str, Any]:
    """The arrays that the loops read and write."""
    return {
        "a": np.arange(1.0, SIZE + 1),
        "b": np.ones(SIZE),
        "m": np.zeros((20, 20)),
        "k": np.zeros(SIZE, dtype=np.int64),
    }


def ratios(namespace: Any, turns: int = 25) -> list[dict[str, Any]]:
    """A row per loop: the fastest turn of the namespace over NumPy's, and the bound."""
    rows = []
    for loop in LOOPS:
        timers = [timeit.Timer(partial(loop.body, np, operands(np))) for np in (namespace, numpy)]
        times = [[timer.timeit(5) for timer in timers] for _ in range(turns)]
        ours, theirs = (min(turn[i] for turn in times) for i in (0, 1))
        rows.append({
            "case": loop.name, "numpy_us": theirs / 5 * 1e6, "ratio": ours / theirs,
            "bound": loop.bound, "reason": "autograd is told of a write" * (loop.bound != BOUND),
        })  # fmt: skip
    return rows
