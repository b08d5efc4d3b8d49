"""Writes the table of speed of ``scipy.md`` from figures kept in ``scipy_native.json``.

python docs/generate_scipy.py [--add FIGURES.json ... --date DATE --machine TEXT] [--check]

FIGURES.json is what ``python -m benchmarks.scipy_native --json`` writes, one file for each number
of threads.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path
from typing import Any

from _marked import DOCS, main, table

from benchmarks.scipy_native import BOUND, summary

KEPT = DOCS / "scipy_native.json"


def taken() -> None:
    """Take the figures of the command line, and leave the rest of it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--add", type=Path, nargs="+", default=[])
    parser.add_argument("--date")
    parser.add_argument("--machine")
    options, sys.argv[1:] = parser.parse_known_args()
    if not options.add:
        return
    if not (options.date and options.machine):
        parser.error("figures without --date and --machine say nothing")
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {"threads": {}}
    kept |= {"date": options.date, "machine": options.machine}
    for file in options.add:
        figures = json.loads(file.read_text(encoding="utf-8"))
        rows = figures["rows"].items()
        kept["threads"][str(figures["threads"])] = {
            call: {key: float(f"{value:.3g}") for key, value in row.items()} for call, row in rows
        }
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def speed(kept: dict[str, Any]) -> str:
    """A row a sub-package, for each number of threads its geometric mean and its slowest call."""
    runs = {threads: (rows, summary(rows)) for threads, rows in kept["threads"].items()}
    headings = ["sub-package", "calls"]
    for threads in runs:
        headings += [f"mean, {threads} thread{'s' * (threads != '1')}", "slowest"]
    found = []
    first = next(iter(runs.values()))[0]
    for package in next(iter(runs.values()))[1]:
        calls = sum(call.partition(".")[0] == package for call in first)
        row = [f"`{package}`", str(calls)]
        for _, packages in runs.values():
            mean, worst, ratio = packages[package]
            row += [f"{mean:.2f}", f"`{worst.partition('.')[2]}` {ratio:.1f}"]
        found.append(row)
    total = ["all", str(len(first))]
    for rows, _ in runs.values():
        mean = statistics.geometric_mean(row["ratio"] for row in rows.values())
        total += [f"{mean:.2f} (bound {BOUND:g})", ""]
    return f"Measured on {kept['date']}: {kept['machine']}.\n\n{table(headings, [*found, total])}"


if __name__ == "__main__":
    taken()
    shown = json.loads(KEPT.read_text(encoding="utf-8"))
    sys.exit(main("scipy.md", {"speed": speed(shown)}, __doc__.splitlines()[0]))
