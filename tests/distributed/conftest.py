"""The processes that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.distributed.pool import Pool


@pytest.fixture(scope="session")
def pools() -> Iterator[dict[int, Pool]]:
    """Two and three processes, each started when first used."""
    made = {size: Pool(size) for size in (2, 3)}
    yield made
    for pool in made.values():
        pool.close()
