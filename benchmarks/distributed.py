"""``python -m benchmarks.distributed``: two processes of one thread against one of one thread.

    make bench-distributed

The two and the one take turns in one run, so that changes of the machine's speed affect both; the
fastest turn of each counts. It needs two cores that nothing else uses. The memory of a
process is the peak above what it had before the arrays were made, beside that of the one process.
The halves have more than 32 MB too: below, the C library reuses memory; above, every array has new
pages, which costs more than to add two numbers. One process must not pay where two do not.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.distributed.pool import Pool

PROGRAMS = Path(__file__).parents[1] / "docs" / "examples" / "distributed"
MEMORY = 0.6
"""The bound of the memory of each of two processes: half, and a fifth of that."""


class Body(NamedTuple):
    """What is timed: made from the program's module and a scale, with the bound of its speed."""

    make: Callable[[Any, float], Callable[[], Any]]
    bound: float


def _program(name: str) -> Any:
    """One of the eight programs, whose NumPy is ``numpy_shim``."""
    spec = importlib.util.spec_from_file_location(name, PROGRAMS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _monte_carlo(np: Any, scale: float) -> Callable[[], Any]:
    price = _program("monte_carlo").price
    return lambda: price(int(10_000_000 * scale))


def _kmeans(np: Any, scale: float) -> Callable[[], Any]:
    cluster = _program("kmeans").cluster
    points = np.random.default_rng(0).random((int(4_000_000 * scale), 4))
    return lambda: cluster(points, 8, 5)


def _elementwise(np: Any, scale: float) -> Callable[[], Any]:
    x = np.random.default_rng(0).random(int(16_000_000 * scale))
    return lambda: np.exp(np.sin(x) * 2 + np.sqrt(x)) / (1 + x * x)


def _reductions(np: Any, scale: float) -> Callable[[], Any]:
    x = np.random.default_rng(0).random((int(400_000 * scale), 100))
    return lambda: [float(x.sum()), x.std(axis=0), x.max(axis=0), (x * x).mean(axis=1).max()]


def _stencil(np: Any, scale: float) -> Callable[[], Any]:
    heated = _program("stencil").heated
    return lambda: heated(int(12_000 * scale), 1000, 10)


BODIES = {
    "monte_carlo": Body(_monte_carlo, 1.7),
    "kmeans": Body(_kmeans, 1.7),
    "elementwise": Body(_elementwise, 1.7),
    "reductions": Body(_reductions, 1.7),
    "stencil": Body(_stencil, 1.5),
}
_made: dict[str, Callable[[], Any]] = {}
_before: dict[str, float] = {}


def prepare(name: str, scale: float, folder: str) -> None:
    """Make what a body works on; several processes split arrays of more than 100 kB."""
    import torch.distributed as dist

    import numpy_shim
    from numpy_shim._launcher import imports, sharding

    if not _made:
        imports.Redirection("numpy_shim", [folder]).install()
        if dist.get_world_size() > 1:
            sharding.shard_above(numpy_shim, 100_000, "auto")
    _made.clear()
    gc.collect()
    _before[name] = _memory("VmRSS")
    _made[name] = BODIES[name].make(numpy_shim, scale)
    _made[name]()


def turn(name: str) -> tuple[float, float]:
    """The seconds of one call, and the most bytes that it and its arrays needed."""
    import torch.distributed as dist

    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    dist.barrier()
    start = time.perf_counter()
    _made[name]()
    dist.barrier()
    return time.perf_counter() - start, _memory("VmHWM") - _before[name]


def _memory(field: str) -> float:
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(1024.0 * int(line.split()[1]) for line in lines if line.startswith(field))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0, help="of the sizes")
    parser.add_argument("--only", nargs="+", choices=BODIES, default=list(BODIES))
    given = parser.parse_args()
    pools = {size: Pool(size) for size in (1, 2)}
    missed = 0
    print(f"{'program':14}{'one, s':>9}{'two, s':>9}{'faster':>8}{'bound':>7}{'memory':>8}")
    try:
        for name in given.only:
            for pool in pools.values():
                _run(pool, "prepare", name, given.scale, str(PROGRAMS))
            best = {1: float("inf"), 2: float("inf")}
            peak = {1: 0.0, 2: 0.0}
            for _ in range(given.rounds):
                for size, pool in pools.items():
                    turns = _run(pool, "turn", name)
                    best[size] = min(best[size], max(seconds for seconds, _ in turns))
                    peak[size] = max(peak[size], *(memory for _, memory in turns))
            faster, memory = best[1] / best[2], peak[2] / max(peak[1], 1.0)
            bound = BODIES[name].bound
            bad = faster < bound or memory > MEMORY
            missed += bad
            print(
                f"{name:14}{best[1]:9.3f}{best[2]:9.3f}{faster:8.2f}{bound:7.1f}{memory:8.2f}"
                f"{'  over' if bad else ''}"
            )
    finally:
        for pool in pools.values():
            pool.close()
    print(f"memory: of each of two over that of one, at most {MEMORY}; {missed} over a bound")
    return int(bool(missed))


def _run(pool: Pool, function: str, *args: Any) -> list[Any]:
    answers = pool.run("benchmarks.distributed", function, *args, seconds=300)
    for answer in answers:
        if answer[0] == "error":
            raise RuntimeError(answer[-1])
    return [answer[1] for answer in answers]


if __name__ == "__main__":
    sys.exit(main())
