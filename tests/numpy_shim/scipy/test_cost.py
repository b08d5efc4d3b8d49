"""On the CPU a call costs a few microseconds more than SciPy's own."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import scipy.linalg
import scipy.signal
import scipy.sparse
import scipy.stats

import numpy_shim as np
from numpy_shim.scipy import linalg, signal, sparse, stats

MORE = 5e-6
SLOWER = 3
"""How much slower a machine that is busy may be."""

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


def least(call: Callable[[], Any]) -> float:
    """The least seconds of a call, of sixty rounds."""
    found = []
    for _ in range(60):
        start = time.perf_counter()
        for _ in range(50):
            call()
        found.append((time.perf_counter() - start) / 50)
    return min(found)


@pytest.mark.parametrize("name", CALLS)
def test_a_call_costs_little_more(name: str):
    ours, theirs = CALLS[name]
    assert least(ours) - least(theirs) < MORE * SLOWER
