"""``dask.distributed`` with two worker processes, on chunks of ours: the results are NumPy's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy
import pytest

import numpy_shim as np
from numpy_shim.testing import assert_allclose, assert_array_equal

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

ROOM = 370_000_000
"""Bytes of memory a worker may have beside what its imports take."""

SETTINGS = {
    # Results are written to disk when they take a tenth of the limit.
    "distributed.worker.memory.target": 0.1,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": 0.95,
    "distributed.scheduler.allowed-failures": 10,
    "distributed.worker.memory.spill-compression": None,
    "distributed.admin.tick.limit": "1 minute",
}


def imported() -> int:
    """Bytes of memory that the imports take: of a build for CUDA twice those of another."""
    code = "import numpy_shim, distributed, psutil; print(psutil.Process().memory_info().rss)"
    return int(subprocess.check_output([sys.executable, "-c", code]))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with (
        dask.config.set(SETTINGS),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, memory_limit=imported() + ROOM,
            dashboard_address=None, local_directory=str(tmp_path_factory.mktemp("workers")),
        ) as cluster,
        distributed.Client(cluster) as client,
    ):  # fmt: skip
        yield client


def drawn(size: tuple[int, ...], chunks: Any, library: Any = np, seed: int = 0) -> Any:
    """Random numbers, drawn by the workers: the same ones in both libraries."""
    generator = da.random.default_rng(library.random.PCG64(seed))
    return generator.standard_normal(size, chunks=chunks)


def locally(collection: Any) -> Any:
    """What one process computes."""
    return collection.compute(scheduler="sync")


def of_ours(block: Any) -> Any:
    """The block, if its class is ours."""
    assert type(block) is np.ndarray, type(block)
    return block


def spilled(dask_worker: Any) -> int:
    """How many results of a worker lie on its disk."""
    return len(dask_worker.data.slow)


def filled(block: Any, block_id: Any = None) -> Any:
    return of_ours(block) * block_id[0]


def test_an_array_larger_than_the_memory_of_a_worker(client: Any):
    """It is kept, most of it on disk, and read again."""
    like = np.empty((0, 0))
    limit = max(w["memory_limit"] for w in client.scheduler_info()["workers"].values())
    blocks = limit // (2050 * 1000 * 8) + 1
    x = da.ones((blocks * 2050, 1000), chunks=(2050, 1000), meta=like)
    x = x.map_blocks(filled, meta=like)
    assert x.nbytes > limit
    x = x.persist()
    distributed.wait(x)
    assert min(client.run(spilled).values()) > 0
    total, some, largest = dask.compute(x.sum(), x[::5000, 3], x.max())
    rows = numpy.repeat(numpy.arange(float(blocks)), 2050)
    assert float(total) == rows.sum() * 1000
    assert type(some) is np.ndarray
    assert_array_equal(some, rows[::5000])
    assert float(largest) == blocks - 1


def test_reductions(client: Any):
    ours, theirs = drawn((2000, 300), (250, 100)), drawn((2000, 300), (250, 100), numpy)
    ours = ours.map_blocks(of_ours, meta=ours._meta)
    for name in ("sum", "mean", "std", "max", "argmin"):
        for axis in (0, 1):
            result = getattr(ours, name)(axis=axis).compute()
            wanted = locally(getattr(theirs, name)(axis=axis))
            assert type(result) is np.ndarray
            assert result.dtype == wanted.dtype
            assert_allclose(result, wanted, rtol=1e-10, atol=1e-12)
    assert float(ours.var().compute()) == pytest.approx(float(locally(theirs.var())), rel=1e-12)


def test_singular_values(client: Any):
    ours, theirs = drawn((4000, 20), (500, 20)), drawn((4000, 20), (500, 20), numpy)
    u, s, v = da.linalg.svd(ours)
    u, s, v = dask.compute(u, s, v)
    assert type(u) is type(s) is type(v) is np.ndarray
    values = locally(theirs)
    assert_allclose(s, numpy.linalg.svd(values, compute_uv=False), rtol=1e-10)
    assert_allclose((u * s) @ v, values, rtol=0, atol=1e-10)


def test_fourier_transforms(client: Any):
    ours, theirs = drawn((512, 256), (128, 256)), drawn((512, 256), (128, 256), numpy)
    rows = da.fft.rfft(ours, axis=1)
    both = da.fft.fft(rows.rechunk((512, 33)), axis=0)
    result = both.compute()
    assert type(result) is np.ndarray
    assert_allclose(result, numpy.fft.rfft2(locally(theirs)), rtol=1e-9, atol=1e-9)


def test_rechunking(client: Any):
    """Every block goes to another worker or is split."""
    ours, theirs = drawn((1200, 900), (100, 900)), drawn((1200, 900), (100, 900), numpy)
    moved = ours.rechunk((1200, 75)).map_blocks(of_ours, meta=ours._meta)
    assert_array_equal(moved.T.rechunk((300, 300)).compute(), locally(theirs).T)


def blurred(block: Any) -> Any:
    """The mean of an element and its four neighbours; the edge as it is."""
    of_ours(block)
    result = block.copy()
    result[1:-1, 1:-1] += block[:-2, 1:-1] + block[2:, 1:-1] + block[1:-1, :-2] + block[1:-1, 2:]
    return result / 5


def test_overlapping_blocks(client: Any):
    ours, theirs = drawn((400, 300), (100, 75)), drawn((400, 300), (100, 75), numpy)
    # Two sweeps, so that what crosses a border crosses the next one too.
    for _ in range(2):
        ours = ours.map_overlap(blurred, depth=1, boundary="periodic", meta=ours._meta)
    values = locally(theirs)
    for _ in range(2):
        values = sum(
            numpy.roll(values, *step) for step in ((0, 0), (1, 0), (-1, 0), (1, 1), (-1, 1))
        ) / 5  # fmt: skip
    assert_allclose(ours.compute(), values, rtol=0, atol=1e-12)


def slowly(block: Any, seconds: float) -> Any:
    time.sleep(seconds)
    return of_ours(block) * 2


def test_a_worker_that_is_killed(client: Any):
    """What it held is computed again by the other one; the result is the same."""
    ours, theirs = drawn((40, 1000), (1, 1000)), drawn((40, 1000), (1, 1000), numpy)
    doubled = ours.map_blocks(slowly, 0.1, meta=ours._meta)
    future = client.compute(doubled.rechunk((40, 25)))
    time.sleep(0.8)
    assert not future.done()
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
    assert_array_equal(future.result(timeout=240), locally(theirs) * 2)
    client.wait_for_workers(2, timeout=240)
    assert set(client.run(os.getpid).values()) != set(pids.values())
