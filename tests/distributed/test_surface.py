"""Every function and method of both namespaces on distributed arrays: the tables of the surface.

Each case runs on one process and on several, and the results, gathered, must be equal; or all
processes must raise one error that says that the array is distributed.
"""

from __future__ import annotations

import os

import pytest

from tests.distributed.gathering import LISTED
from tests.distributed.judging import verdicts
from tests.distributed.pool import Pool

COMBINATIONS = [
    ("numpy_shim", 2, "shard0"),
    ("numpy_shim", 2, "shard1"),
    ("numpy_shim", 2, "replicate"),
    ("numpy_shim", 2, "partial"),
    ("numpy_shim", 3, "shard0"),
    ("numpy_shim", 3, "shard1"),
    ("xp_torch", 2, "shard0"),
    ("xp_torch", 2, "shard1"),
    ("xp_torch", 2, "partial"),
    ("xp_torch", 3, "shard0"),
    ("xp_torch", 3, "shard1"),
]
ALWAYS = {("numpy_shim", 2, "shard0"), ("xp_torch", 3, "shard0")}
"""What every run tests; ``XP_TORCH_DISTRIBUTED=all`` tests the whole table, in ten minutes."""
REFUSED = {"ndarray.__dlpack__", "Array.__dlpack__"}
ALL = "XP_TORCH_DISTRIBUTED"
SEEN: dict[str, set[str]] = {}


@pytest.mark.parametrize(("namespace", "size", "placement"), COMBINATIONS)
def test_every_case_gives_the_result_of_one_process(
    pools: dict[int, Pool], namespace: str, size: int, placement: str
):
    if (namespace, size, placement) not in ALWAYS and os.environ.get(ALL) != "all":
        pytest.skip(f"{ALL}=all runs the whole table")
    judged = verdicts(pools[size], namespace, placement)
    names = {name for _, name in judged}
    gathered = {name for (_, name), (kind, _) in judged.items() if kind == "gathered"}
    wrong = {
        case: verdict
        for case, verdict in judged.items()
        if verdict[0] in {"wrong", "error"} or (verdict[0] == "refused" and case[1] not in REFUSED)
    }
    assert not wrong
    assert sorted(gathered - set(LISTED[namespace])) == [], "not in tests/distributed/gathering.py"
    assert len(gathered) <= 0.2 * len(names), (len(gathered), len(names))
    SEEN.setdefault(namespace, set()).update(gathered)


@pytest.mark.skipif(os.environ.get(ALL) != "all", reason=f"{ALL}=all runs the whole table")
def test_what_is_listed_does_gather():
    """The list has no more than what the table above found."""
    for namespace, names in SEEN.items():
        assert set(LISTED[namespace]) == names
