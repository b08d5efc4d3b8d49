"""``python -m benchmarks.scipy_calls``: what a call of SciPy's costs more through numpy_shim, CPU.

Microseconds of the shortest of sixty rounds, ours and SciPy's in turns.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy
import scipy.linalg
import scipy.signal
import scipy.sparse
import scipy.stats

import numpy_shim as np
from numpy_shim.scipy import linalg, signal, sparse, stats

X, HOST = np.linspace(0.1, 1.0, 64), numpy.linspace(0.1, 1.0, 64)
SPARSE, THEIRS = sparse.csr_array(np.eye(64)), scipy.sparse.csr_array(numpy.eye(64))
CALLS = {
    "lfilter": (
        lambda: signal.lfilter([1.0, 2.0], [1.0, 0.1], X),
        lambda: scipy.signal.lfilter([1.0, 2.0], [1.0, 0.1], HOST),
    ),
    "norm": (lambda: linalg.norm(X), lambda: scipy.linalg.norm(HOST)),
    "pdf": (lambda: stats.norm.pdf(X), lambda: scipy.stats.norm.pdf(HOST)),
    "sparse": (lambda: SPARSE @ X, lambda: THEIRS @ HOST),
}


def least(*calls: Callable[[], Any]) -> list[float]:
    """The least microseconds of each call; they take turns."""
    found: list[list[float]] = [[] for _ in calls]
    for _ in range(60):
        for call, rounds in zip(calls, found, strict=True):
            start = time.perf_counter()
            for _ in range(50):
                call()
            rounds.append((time.perf_counter() - start) / 50 * 1e6)
    return [min(rounds) for rounds in found]


def main() -> None:
    """Print the microseconds."""
    print("| call | SciPy, us | numpy_shim.scipy, us | more, us |\n|---|---|---|---|")
    for name, (ours, theirs) in CALLS.items():
        mine, scipys = least(ours, theirs)
        print(f"| {name} | {scipys:.1f} | {mine:.1f} | {mine - scipys:.1f} |")


if __name__ == "__main__":
    main()
