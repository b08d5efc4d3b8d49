"""``python -m benchmarks.choices [FOLDER]``: what ``jit`` chooses for kernels, and what it gains.

FOLDER is a checkout of https://github.com/serge-sans-paille/numpy-benchmarks, whose thirty kernels
are measured beside those of ``loop_kernels``. Each has a process of its own, with one thread. Its
calls as it was and those under ``jit`` take turns, in batches of a fifth of a millisecond or more;
the ratio is the median of those of neighbouring batches, in the processor's time of the thread,
which other programs add little to. The first call is in seconds that pass.
"""

from __future__ import annotations

import argparse
import copy
import importlib.util
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import numpy_shim
from benchmarks.loop_kernels import KERNELS
from numpy_shim._jit import choice

SECONDS, TURNS = 1.0, 60
"""For how long, and how often, a batch of calls is made in each way."""
LEAST = 9  # turns, of which a first call that compiles once more is not the median
BATCH = 2e-4  # seconds

Kernel = tuple[Callable[..., Any], tuple[Any, ...]]


def of_folder(file: Path) -> Kernel:
    """A kernel of the suite: its function, and the arguments that its comments give."""
    text = file.read_text()
    setup = re.search(r"^# ?setup: *(.*)$", text, re.MULTILINE)
    run = re.search(r"^# ?run: *(\w+)\((.*)\) *$", text, re.MULTILINE)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if run is None or spec is None or spec.loader is None:
        raise ValueError(f"{file} says not how it is run")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    names: dict[str, Any] = {"np": np, "numpy": np}
    exec(setup.group(1) if setup else "", names)
    return getattr(module, run.group(1)), eval(f"({run.group(2)},)", names)


def kernels(folder: Path | None) -> dict[str, Callable[[], Kernel]]:
    """The kernels by their names."""
    found: dict[str, Callable[[], Kernel]] = {}
    for kernel in KERNELS:
        found[kernel[0].__name__] = lambda kernel=kernel: kernel  # type: ignore[misc]
    for file in sorted(folder.rglob("benchmarks/*.py")) if folder else []:
        found[f"{file.stem} *"] = lambda file=file: of_folder(file)  # type: ignore[misc]
    return found


def seconds(
    function: Callable[..., Any],
    arguments: Any,
    calls: int = 1,
    clock: Callable[[], float] = time.thread_time,
) -> float:
    """The time of one call of some, on copies."""
    given = [copy.deepcopy(arguments) for _ in range(calls)]
    start = clock()
    for each in given:
        function(*each)
    return (clock() - start) / calls


def is_right(function: Callable[..., Any], other: Callable[..., Any], arguments: Any) -> bool:
    """Whether both give the same, and change their arguments alike."""
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    pairs = zip(flat((other(*ours), ours)), flat((function(*theirs), theirs)), strict=True)
    return all(
        type(a) is type(b)
        and np.shape(a) == np.shape(b)
        and (not isinstance(a, np.ndarray | float) or np.allclose(a, b, rtol=1e-9, equal_nan=True))
        for a, b in pairs
    )


def flat(x: Any) -> list[Any]:
    """The items of a tuple or a list, and of those in it."""
    return [v for item in x for v in flat(item)] if isinstance(x, (tuple, list)) else [x]


def measured(name: str, folder: Path | None) -> dict[str, Any]:
    """The figures of one kernel."""
    warnings.simplefilter("ignore")
    function, arguments = kernels(folder)[name]()
    shortest = min(seconds(function, arguments) for _ in range(3))
    calls = max(1, min(100, int(BATCH / shortest)))
    compiled = numpy_shim.jit(function, eager_compile=True)
    first = seconds(compiled, arguments, clock=time.perf_counter)
    ways: list[tuple[Callable[..., Any], list[float]]] = [(function, []), (compiled, [])]
    (_, plain), (_, fast) = ways
    end = time.perf_counter() + 2 * SECONDS + 6 * shortest
    while len(fast) < LEAST or (time.perf_counter() < end and len(fast) < TURNS):
        for way, found in ways:
            found.append(seconds(way, arguments, calls))
        ways.reverse()
    choices = compiled.explain().choices
    by = next((c.by for c in choices if c.by), "")
    told = {} if by else {k: v for c in choices for k, v in c.told.items()}
    return {
        "seconds": min(plain),
        "ratio": statistics.median(f / p for f, p in zip(fast, plain, strict=True)),
        "first": first,
        "by": by or "itself",
        "right": is_right(function, compiled, arguments),
        "why": "; ".join(f"{k}: {v}" for k, v in told.items()),
    }


def main() -> None:
    """Print the table; with ``--one NAME`` the figures of a kernel."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.choices")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--one", help="measure this kernel in this process")
    parser.add_argument("--only", help="a regular expression of the names to measure")
    parser.add_argument("--json", type=Path, help="the file of figures to which these are added")
    parser.add_argument(
        "--limit", type=float, default=choice.LIMIT, help="seconds of a trial, on a busy machine"
    )
    given = parser.parse_args()
    choice.LIMIT = given.limit
    if given.one:
        print(json.dumps(measured(given.one, given.folder)))
        return
    table = Table("kernel", "as it was, ms", "with jit", "first call, s", "runs", "why itself")
    found: dict[str, Any] = {}
    for name in kernels(given.folder):
        if given.only and not re.search(given.only, name):
            continue
        command = [sys.executable, "-m", "benchmarks.choices", "--one", name]
        command += ["--limit", str(given.limit)]
        command += [str(given.folder)] if given.folder else []
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        if done.returncode:
            table.add_row(name, "", "", "", "", done.stderr.strip().splitlines()[-1])
            continue
        row = found[name] = json.loads(done.stdout.splitlines()[-1])
        why = row["why"] if row["right"] else f"WRONG; {row['why']}"
        figures = (f"{1e3 * row['seconds']:.3g}", f"{row['ratio']:.2f}", f"{row['first']:.1f}")
        table.add_row(name, *figures, row["by"], why)
        print(name, *figures, row["by"], why, file=sys.stderr, flush=True)
        if given.json:
            kept = json.loads(given.json.read_text()) if given.json.exists() else {}
            given.json.write_text(json.dumps({**kept, name: row}, indent=1, sort_keys=True) + "\n")
    Console(width=160).print(table)
    ratios = [row["ratio"] for row in found.values()]
    if ratios:
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        firsts = statistics.median(row["first"] for row in found.values())
        print(
            f"{len(ratios)} kernels: geometric mean {mean:.2f}, worst {max(ratios):.2f}, "
            f"first call {firsts:.1f} s in the middle, "
            f"wrong: {[n for n, r in found.items() if not r['right']]}"
        )


if __name__ == "__main__":
    main()
