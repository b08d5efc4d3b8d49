"""Every function and method of both namespaces on distributed arrays: the tables of the surface.

Each case runs on one process and on several, and the results, gathered, must be equal; or all
processes must raise one error that says that the array is distributed.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest

from tests.distributed.compare import verdict
from tests.distributed.pool import Pool

BATCH = 40
COMBINATIONS = [
    ("numpy_shim", 2, "shard0"),
    ("numpy_shim", 2, "shard1"),
    ("numpy_shim", 2, "replicate"),
    ("numpy_shim", 2, "partial"),
    ("numpy_shim", 3, "shard0"),
    ("xp_torch", 2, "shard0"),
    ("xp_torch", 2, "shard1"),
    ("xp_torch", 2, "partial"),
    ("xp_torch", 3, "shard0"),
]
ALWAYS = {("numpy_shim", 2, "shard0"), ("xp_torch", 3, "shard0")}
"""What every run tests; ``XP_TORCH_DISTRIBUTED=all`` tests the whole table, in ten minutes."""
REFUSED = {"ndarray.__dlpack__", "Array.__dlpack__"}
ALL = "XP_TORCH_DISTRIBUTED"
MODULE = "tests.distributed.bodies"
_alone: dict[tuple[str, int], Any] = {}


def values_of(answers: list[Any]) -> list[Any]:
    for answer in answers:
        assert answer[0] == "value", answer[-1]
    return [answer[1] for answer in answers]


@pytest.mark.parametrize(("namespace", "size", "placement"), COMBINATIONS)
def test_every_case_gives_the_result_of_one_process(
    pools: dict[int, Pool], namespace: str, size: int, placement: str
):
    if (namespace, size, placement) not in ALWAYS and os.environ.get(ALL) != "all":
        pytest.skip(f"{ALL}=all runs the whole table")
    pool = pools[size]
    names = values_of(pool.run(MODULE, "names", namespace, seconds=120))[0]
    kinds: Counter[str] = Counter()
    wrong = {}
    for start in range(0, len(names), BATCH):
        indices = list(range(start, min(start + BATCH, len(names))))
        missing = [i for i in indices if (namespace, i) not in _alone]
        if missing:
            alone = values_of(pool.run(MODULE, "outcomes", namespace, missing, None))[0]
            _alone.update({(namespace, i): v for i, v in zip(missing, alone, strict=True)})
        answers = values_of(pool.run(MODULE, "outcomes", namespace, indices, placement))
        for k, i in enumerate(indices):
            kind, why = verdict(_alone[namespace, i], [answer[k] for answer in answers])
            kinds[kind] += 1
            if kind in {"wrong", "error"} or (kind == "refused" and names[i] not in REFUSED):
                wrong[i, names[i]] = kind, why
    assert not wrong
    assert kinds["right"] > 0.7 * len(names), kinds
