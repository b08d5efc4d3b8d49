"""Whether arrays share memory."""

from __future__ import annotations

import random
from typing import Any

import numpy
import pytest

import numpy_shim as np
from tests.differential import Spec
from tests.numpy_shim.differential import compare

GRID = Spec(numpy.arange(24.0).reshape(4, 6))


def test_shared_memory():
    def body(np: Any, a: Any) -> Any:
        pairs = [(a, a), (a[:2], a[1:]), (a[:2], a[2:]), (a[:, ::2], a[:, 1::2]), (a, a.copy()),
                 (a[::-1], a[:1]), (a[:0], a)]  # fmt: skip
        return [(np.may_share_memory(x, y), np.shares_memory(x, y)) for x, y in pairs]

    compare(body, GRID)


def test_shared_memory_of_numpy_arrays_that_torch_copies():
    """Those that run backwards, and locked ones; copies share nothing."""
    x = numpy.arange(12.0).reshape(3, 4)
    locked = x[1:]
    locked.flags.writeable = False
    for a, b in [
        (x, x[::-1]), (x[:, ::-1], x[::-1, 1:]), (x[::-1, ::2], x[:, 1::2]),
        (x, locked), (locked[:, ::-2], x), (locked[:, ::2], x[:, 1::2]), (locked, x[:1]),
    ]:  # fmt: skip
        assert np.may_share_memory(a, b) == numpy.may_share_memory(a, b)
        assert np.shares_memory(a, b) == numpy.shares_memory(a, b)
    assert np.shares_memory(np.asarray(x), x[::-1])


@pytest.mark.parametrize("work", [None, -1, 0, 1, 2, 3, 100, 10**100, 2.5, "much"])
def test_shared_memory_within_work(work: Any):
    """As much is found out with as many candidates; ``TooHardError`` beyond."""

    def body(np: Any) -> Any:
        x = np.zeros((4, 5, 6), "int8")
        return np.shares_memory(x[:, ::2, ::3], x[:, ::3, ::2], max_work=work)

    compare(body)
    compare(lambda np: np.may_share_memory(np.zeros(6)[::2], np.zeros(6)[1::2], max_work=work))


@pytest.mark.parametrize("seed", range(40))
def test_shared_memory_of_random_views(seed: int):
    """Exactly, of views of several dtypes, steps and directions."""

    def body(np: Any) -> Any:
        draw = random.Random(seed)
        whole = np.zeros((6, 5, 8), "int16")
        found = []
        for _ in range(20):
            pair = []
            for _ in range(2):
                base = whole.view(draw.choice(["int16", "int8", "float32"]))
                ends = [sorted(draw.sample(range(n + 1), 2)) for n in base.shape]
                steps = [draw.choice([1, 2, 3, -1]) for _ in ends]
                view = base[tuple(slice(*end) for end in ends)]
                view = view[tuple(slice(None, None, step) for step in steps)]
                pair.append(view.transpose(draw.sample(range(3), 3)))
            found.append((np.shares_memory(*pair), np.may_share_memory(*pair)))
        return found

    compare(body)
