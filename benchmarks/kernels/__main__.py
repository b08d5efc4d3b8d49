"""``python -m benchmarks.kernels``: time whole kernels, and check the bounds of the project.

Each size and number of threads runs in three processes of its own. The contestants of a kernel take
turns, in the other order each time, and the fastest turn of each counts. So the machine's load
affects all alike, and none gains by memory that the one before it has left in the cache. Every
result is compared with NumPy's before it is timed.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from .figures import Cells, add

EAGER_BOUND = 1.15
COMPILED_BOUND = 1.05
NUMPY_BOUND = 0.5
PROCESSES = 3
SECONDS = 1.0
"""How long the turns of one contestant take together, and the longest a turn is repeated."""
KEEPS_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(2**30), "MALLOC_TRIM_THRESHOLD_": str(2**34)}
"""glibc keeps what a program frees. Otherwise it gives the memory of large arrays back to the
system, or does not, by where the last block lies, and the same calls then take up to three times
as long for one contestant as for another."""


def measure(name: str, big: bool, columns: Sequence[str] | None) -> dict[str, Any]:
    """Times in seconds of one kernel by contestant; the first call apart; or why there is none."""
    import numpy

    from .contestants import contestants, guards, mapped
    from .inputs import arguments

    expected: Any = None
    ready, cells = {}, {}
    for column, contestant in contestants().items():
        if columns and column not in columns and column != "NumPy":
            continue
        args = mapped(contestant.take, arguments(name, big))
        start = time.perf_counter()
        try:
            function = contestant.prepare(name)
            result = contestant.wait(function(*args))
        except Exception as error:  # a peer may not know a function or refuse assignment
            cells[column] = {"refused": f"{type(error).__name__}: {str(error).strip()[:200]}"}
            continue
        first = time.perf_counter() - start
        found = mapped(contestant.give, result)
        if expected is None:
            expected = found
        wrong = _difference(numpy, expected, found)
        if wrong:
            cells[column] = {"wrong": wrong}
            continue
        ready[column] = contestant, function, mapped(contestant.take, arguments(name, big))
        cells[column] = {"first": first, "seconds": math.inf}
    spent = dict.fromkeys(ready, 0.0)
    order = list(ready)
    while ready and min(spent.values()) < SECONDS:
        order.reverse()
        for column in order:
            contestant, function, args = ready[column]
            if spent[column] >= SECONDS:
                continue
            start = time.perf_counter()
            contestant.wait(function(*args))
            taken = time.perf_counter() - start
            spent[column] += max(taken, 1e-4)
            cells[column]["seconds"] = min(cells[column]["seconds"], taken)
    for column, (contestant, _, args) in ready.items():  # at the end: it resets the compiler
        checked = guards(contestant, name, args)
        if checked is not None:
            cells[column]["guards"] = checked
    return cells


def _difference(numpy: Any, expected: Any, found: Any) -> str:
    """Where a result differs from NumPy's; empty if nowhere."""
    many = isinstance(expected, tuple)
    pairs = zip(expected, found, strict=True) if many else [(expected, found)]
    for e, f in pairs:
        if e.shape != f.shape:
            return f"shape {f.shape}, not {e.shape}"
        if not numpy.allclose(e, f, rtol=1e-9, atol=1e-12):
            return f"differs by {numpy.max(numpy.abs(e - f)):.2g}"
    return ""


def run(threads: int, big: bool, kernels: Sequence[str], columns: Sequence[str] | None) -> Any:
    """Measure in processes of their own with this number of threads."""
    kept: Cells = {}
    for _ in range(PROCESSES):
        add(kept, _process(threads, big, kernels, columns))
    return kept


def _process(threads: int, big: bool, kernels: Sequence[str], columns: Sequence[str] | None) -> Any:
    threading = {"OMP_NUM_THREADS": str(threads), "NUMBA_NUM_THREADS": str(threads)}
    settings = {**threading, **KEEPS_MEMORY}
    flags = f"--xla_cpu_multi_thread_eigen={'true' if threads > 1 else 'false'}"
    command = [sys.executable, "-m", "benchmarks.kernels", "--measure", "big" if big else "small"]
    command += ["--kernels", *kernels] + (["--columns", *columns] if columns else [])
    done = subprocess.run(
        command, env={**os.environ, **settings, "XLA_FLAGS": flags}, stdout=subprocess.PIPE,
        text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean; NaN of no values."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def ratios(cells: dict[str, Any], column: str, over: str) -> dict[str, float]:
    """By kernel, the time of a column over that of another, where both have one."""
    return {
        kernel: row[column]["seconds"] / row[over]["seconds"]
        for kernel, row in cells.items()
        if "seconds" in row.get(column, {}) and "seconds" in row.get(over, {})
    }


def table(cells: dict[str, Any], title: str) -> Table:
    """Times over NumPy's, a row a kernel."""
    columns = list(dict.fromkeys(column for row in cells.values() for column in row))
    shown = Table(title=title)
    shown.add_column("kernel")
    shown.add_column("NumPy, ms", justify="right")
    for column in columns[1:]:
        shown.add_column(column, justify="right")
    for kernel, row in cells.items():
        base = row["NumPy"]["seconds"]
        texts = [
            f"{row[c]['seconds'] / base:.2f}" if "seconds" in row[c] else next(iter(row[c]))
            for c in columns[1:]
        ]
        shown.add_row(kernel, f"{base * 1e3:.2f}", *texts)
    shown.add_section()
    means = [geometric_mean(list(ratios(cells, c, "NumPy").values())) for c in columns[1:]]
    shown.add_row("geometric mean", "", *[f"{m:.2f}" for m in means])
    return shown


def judged(cells: dict[str, Any], big: bool) -> list[str]:
    """What is over a bound, in words."""
    over = []
    for own, hand, bound in (
        ("numpy_shim", "torch", EAGER_BOUND),
        ("numpy_shim compiled", "torch compiled", COMPILED_BOUND),
    ):
        mean = geometric_mean(list(ratios(cells, own, hand).values()))
        if mean > bound:
            over.append(f"{own} over {hand}: {mean:.2f} (bound {bound})")
    mean = geometric_mean(list(ratios(cells, "numpy_shim compiled", "NumPy").values()))
    if big and mean > NUMPY_BOUND:
        over.append(f"numpy_shim compiled over NumPy: {mean:.2f} (bound {NUMPY_BOUND})")
    for kernel, row in cells.items():
        over += [
            f"{kernel} on {column}: {row[column]}"
            for column in ("numpy_shim", "numpy_shim compiled")
            if column in row and "seconds" not in row[column]
        ]
    return over


def main() -> int:
    """Run what the command line asks for; 1 if a figure is over its bound."""
    from .inputs import KERNELS

    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernels")
    parser.add_argument("--kernels", nargs="+", choices=KERNELS, default=list(KERNELS))
    parser.add_argument("--columns", nargs="+", help="contestants beside NumPy (default: all)")
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--sizes", nargs="+", choices=["small", "big"], default=["small", "big"])
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--measure", choices=["small", "big"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        found = {k: measure(k, options.measure == "big", options.columns) for k in options.kernels}
        print(json.dumps(found))
        return 0
    console, figures, over = Console(), {}, []
    for threads in options.threads:
        for size in options.sizes:
            cells = run(threads, size == "big", options.kernels, options.columns)
            figures[f"{size}, {threads} threads"] = cells
            console.print(table(cells, f"time over NumPy's: {size}, {threads} threads"))
            over += [f"{size}, {threads} threads: {o}" for o in judged(cells, size == "big")]
            if options.json:
                options.json.write_text(json.dumps(figures, indent=1))
    for line in over:
        console.print(f"over a bound: {line}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
