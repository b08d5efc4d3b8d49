"""``python -m benchmarks.jit_programs``: whole programs with ``--jit`` and without.

The examples of the documentation, and the programs of ``tests/conformance/programs``, each started
anew by ``python -m numpy_shim``; with ``--long`` those of ``benchmarks/long_programs``, which
compute for ten seconds and more. The three ways (Python alone, without ``--jit``, with it) take
turns, in the other order each time, and the least time of each counts: in seconds that pass, and of
the processor, children such as the C++ compiler included, to which other programs add little.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
EXAMPLES = (
    "kmeans", "mandelbrot", "maze", "network", "options", "pagerank", "patterns", "restore",
    "smoke", "spectrum",
)  # fmt: skip
WAYS: dict[str, tuple[str, ...]] = {
    "Python": (),
    "numpy_shim": ("-m", "numpy_shim"),
    "--jit": ("-m", "numpy_shim", "--jit"),
}


def programs(are_long: bool) -> dict[str, Path]:
    """The scripts by their names."""
    if are_long:
        return {
            file.stem: file for file in sorted((ROOT / "benchmarks/long_programs").glob("*.py"))
        }
    found = {name: ROOT / "docs" / "examples" / f"{name}.py" for name in EXAMPLES}
    folder = ROOT / "tests" / "conformance" / "programs"
    return found | {f"{file.stem} *": file for file in sorted(folder.glob("*.py"))}


def seconds(way: tuple[str, ...], script: Path) -> tuple[float, float]:
    """How long a program runs, and what it computes with its children."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "MPLBACKEND": "agg"}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    with tempfile.TemporaryDirectory() as folder:
        start, before = time.perf_counter(), os.times()
        subprocess.run(
            [sys.executable, *way, str(script)],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=True,
        )
        after = os.times()
        computed = after.children_user + after.children_system
        computed -= before.children_user + before.children_system
        return time.perf_counter() - start, computed


def measured(script: Path, turns: int) -> dict[str, list[float]]:
    """The least times of each way."""
    found: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    order = list(WAYS)
    for _ in range(turns):
        for way in order:
            found[way].append(seconds(WAYS[way], script))
        order.reverse()
    return {way: [min(times) for times in zip(*pairs, strict=True)] for way, pairs in found.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.jit_programs")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--long", action="store_true", help="measure the long programs")
    parser.add_argument("--only", help="a regular expression of the names to measure")
    parser.add_argument("--json", type=Path, help="the file of figures to which these are added")
    given = parser.parse_args()
    table = Table(
        "program", "Python, s", "numpy_shim, s", "--jit, s", "--jit / without", "computed"
    )
    ratios = []
    for name, script in programs(given.long).items():
        if given.only and not re.search(given.only, name):
            continue
        try:
            times = measured(script, given.turns)
        except subprocess.CalledProcessError as error:
            table.add_row(name, error.stderr.decode().strip().splitlines()[-1])
            continue
        passed, computed = (times["--jit"][i] / times["numpy_shim"][i] for i in range(2))
        row = (*(f"{times[way][0]:.1f}" for way in WAYS), f"{passed:.2f}", f"{computed:.2f}")
        ratios.append(passed)
        table.add_row(name, *row)
        print(name, *row, file=sys.stderr, flush=True)
        if given.json:
            kept = json.loads(given.json.read_text()) if given.json.exists() else {}
            given.json.write_text(
                json.dumps({**kept, name: times}, indent=1, sort_keys=True) + "\n"
            )
    Console(width=120).print(table)
    if ratios:
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        print(f"{len(ratios)} programs: geometric mean {mean:.2f}, worst {max(ratios):.2f}")


if __name__ == "__main__":
    main()
