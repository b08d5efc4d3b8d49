"""Large arrays over NumPy's time: the same statement in both, on one thread of the CPU.

In the statements ``f``, ``g`` are float64 and float32, ``i``, ``h``, ``u`` int64, int32 and
uint8, ``b`` booleans of which half are true, ``n`` booleans of which none is, ``m`` the booleans
as a matrix, ``c`` complex128, ``w`` float64 to write to, ``s`` sorted indices, a hundredth as
many as elements.
"""

from __future__ import annotations

import time
import timeit
from typing import Any, NamedTuple

import numpy

BOUND = 5.0
"""The default bound: the largest ratio to NumPy's time."""


class LargeCase(NamedTuple):
    """A statement, and a larger bound with the reason if torch lacks what NumPy uses."""

    statement: str
    bound: float = BOUND
    reason: str = ""


LARGE_CASES = [
    *[LargeCase(f"np.{name}({x})") for name in ("any", "all") for x in ("~n", "f", "i", "u")],
    LargeCase("np.any(n)"),
    *[LargeCase(f"np.any({x}, axis={axis})") for x in ("m",) for axis in (0, 1)],
    *[LargeCase(f"np.count_nonzero({x})") for x in "bfiu"],
    *[LargeCase(f"np.count_nonzero(m, axis={axis})") for axis in (0, 1)],
    *[LargeCase(f"np.argmax({x})") for x in "nfiu"],
    LargeCase("np.sum(b)"),
    *[LargeCase(f"np.packbits(b, bitorder={order!r})") for order in ("big", "little")],
    *[LargeCase(f"np.unpackbits(u, bitorder={order!r})") for order in ("big", "little")],
    *[LargeCase(f"np.partition({x}, {x}.size // 2)", 5.5, "selection by a sample") for x in "fgi"],
    LargeCase("np.argpartition(f, f.size // 2)"),
    *[LargeCase(f"np.bitwise_count({x})") for x in "ihu"],
    LargeCase("np.cbrt(f)", 10.0, "torch has no cube root: a logarithm, an exponential, a step"),
    LargeCase("np.cbrt(g)", 24.0, "torch has no cube root: computed in float64"),
    LargeCase("np.add.reduceat(f, s)", 6.5, "torch adds the elements of a segment one by one"),
    *[LargeCase(f"np.{name}.reduceat({x}, s)") for name, x in (("maximum", "f"), ("add", "i"))],
    *[LargeCase(f"np.{name}") for name in ("sort(f)", "nonzero(b)", "unique(h)", "isfinite(f)")],
    *[
        LargeCase(f"np.{name}")
        for name in ("delete(f, s)", "subtract.accumulate(f)", "extract(b, f)")
    ],
    *[LargeCase(f"c ** {exponent}") for exponent in (2, 3, -1, 0.5)],
    LargeCase("a = w[::-1]; a += 1"),
]


def operands(namespace: Any, size: int) -> dict[str, Any]:
    """The arrays that the statements name, with the same values in every namespace."""
    rng = numpy.random.default_rng(0)
    f = rng.standard_normal(size)
    integers = rng.integers(-(2**62), 2**62, size)
    arrays = {
        "f": f,
        "g": f.astype(numpy.float32),
        "i": integers,
        "h": integers.astype(numpy.int32),
        "u": integers.astype(numpy.uint8),
        "w": f.copy(),
        "b": f > 0,
        "n": numpy.zeros(size, bool),
        "m": (f > 0).reshape(1000, -1),
        "c": f[: size // 10] + 1j * f[-(size // 10) :],
        "s": numpy.sort(rng.integers(0, size, size // 100)),
    }
    return {"np": namespace, **{name: namespace.array(x) for name, x in arrays.items()}}


def ratios(namespace: Any, size: int, seconds: float = 1.0) -> list[dict[str, Any]]:
    """A row per case: the fastest turn of the namespace over NumPy's, and the bound."""
    ours, theirs = operands(namespace, size), operands(numpy, size)
    rows = []
    for case in LARGE_CASES:
        timers = [timeit.Timer(case.statement, globals=names) for names in (ours, theirs)]
        turns: list[list[float]] = []
        started = time.perf_counter()
        while len(turns) < 2 or (len(turns) < 9 and time.perf_counter() - started < seconds):
            turns.append([timer.timeit(1) for timer in timers])
        fastest = [min(turn[i] for turn in turns) for i in (0, 1)]
        rows.append({
            "case": case.statement, "numpy_us": fastest[1] * 1e6,
            "ratio": fastest[0] / fastest[1], "bound": case.bound, "reason": case.reason,
        })  # fmt: skip
    return rows
