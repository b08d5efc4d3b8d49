"""Values, writes and what moves, on two processes."""

from __future__ import annotations

import pytest

from tests.distributed import programs
from tests.distributed.pool import Pool


@pytest.mark.parametrize("name", programs.CHECKS)
@pytest.mark.parametrize("size", [2, 3])
def test_check(pools: dict[int, Pool], name: str, size: int):
    """Each check of ``programs`` holds on every process."""
    for answer in pools[size].run("tests.distributed.programs", "run", name):
        assert answer[0] == "value", answer[-1]
