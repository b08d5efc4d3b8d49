"""The tables of the surface, run on one process and on several, and judged."""

from __future__ import annotations

from typing import Any

from tests.distributed.compare import verdict
from tests.distributed.pool import Pool

BATCH = 40
MODULE = "tests.distributed.bodies"
_alone: dict[tuple[str, int], Any] = {}


def values_of(answers: list[Any]) -> list[Any]:
    for answer in answers:
        assert answer[0] == "value", answer[-1]
    return [answer[1] for answer in answers]


def verdicts(pool: Pool, namespace: str, placement: str) -> dict[tuple[int, str], tuple[str, Any]]:
    """For each case, by its number and its name, what ``verdict`` says and why."""
    names = values_of(pool.run(MODULE, "names", namespace, seconds=120))[0]
    found = {}
    for start in range(0, len(names), BATCH):
        indices = list(range(start, min(start + BATCH, len(names))))
        missing = [i for i in indices if (namespace, i) not in _alone]
        if missing:
            alone = values_of(pool.run(MODULE, "outcomes", namespace, missing, None))[0]
            _alone.update({(namespace, i): v for i, v in zip(missing, alone, strict=True)})
        answers = values_of(pool.run(MODULE, "outcomes", namespace, indices, placement))
        for k, i in enumerate(indices):
            judged = verdict(_alone[namespace, i], [answer[k] for answer in answers])
            found[i, names[i]] = judged
    return found
