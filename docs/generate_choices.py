"""Writes the tables and the plot of ``jit_choices.md`` from figures kept in ``jit_choices.json``.

python docs/generate_choices.py [--kernels FIGURES.json] [--programs FIGURES.json]
                                [--long FIGURES.json]
                                [--date DATE --machine TEXT --load TEXT] [--check]

The figures are what ``python -m benchmarks.choices --json`` and ``python -m benchmarks.jit_programs
--json`` write. The plot needs matplotlib, and is drawn only when figures of kernels are added.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from pathlib import Path
from typing import Any

from _marked import DOCS, main, table

KEPT = DOCS / "jit_choices.json"
PLOT = DOCS / "jit_choices.svg"
PARTS = ("kernels", "programs", "long")
BY = ("itself", "Numba", "torch")
COLOURS = dict(zip(BY, ("#757575", "#00796b", "#d84315"), strict=True))
Rows = dict[str, dict[str, Any]]


def mean(values: list[float]) -> str:
    """The geometric mean as text."""
    return f"{math.exp(statistics.fmean(map(math.log, values))):.2f}" if values else ""


def summary(kernels: Rows) -> str:
    """A row a compiler: how many kernels it runs, and what they gain."""
    rows = []
    for by in BY:
        ratios = [row["ratio"] for row in kernels.values() if row["by"] == by]
        if ratios:
            rows.append([by, str(len(ratios)), mean(ratios), f"{max(ratios):.2f}"])
    ratios = [row["ratio"] for row in kernels.values()]
    rows.append(["all", str(len(ratios)), mean(ratios), f"{max(ratios):.2f}"])
    text = table(["runs", "kernels", "time over its own, geometric mean", "most"], rows)
    firsts = sorted(row["first"] for row in kernels.values())
    wrong = [name for name, row in kernels.items() if not row["right"]]
    told = (
        f"First calls: {statistics.median(firsts):.1f} s in the middle, {firsts[-1]:.1f} s at most."
    )
    return f"{text}\n\n{told} Wrong results: {', '.join(wrong) or 'none'}."


def times(kernels: Rows) -> str:
    """A row a kernel, the greatest gain first."""
    rows = [
        [
            name.replace(" *", r" \*"),
            f"{1e3 * row['seconds']:.3g}",
            f"{row['ratio']:.2f}",
            f"{row['first']:.1f}",
            row["by"],
            row["why"].replace("|", r"\|").replace("; ", "<br>"),
        ]
        for name, row in sorted(kernels.items(), key=lambda item: item[1]["ratio"])
    ]
    headings = [
        "kernel",
        "as it was, ms",
        "with `jit`",
        "first call, s",
        "runs",
        "why not compiled",
    ]
    return table(headings, rows)


def programs(found: dict[str, Any]) -> str:
    """A row a program: seconds, and the ratio."""
    if not found:
        return "Not measured."
    rows, ratios = [], []
    for name, ways in sorted(found.items()):
        ratio, computed = (ways["--jit"][i] / ways["numpy_shim"][i] for i in range(2))
        ratios.append(ratio)
        seconds = [f"{ways[way][0]:.1f}" for way in ("Python", "numpy_shim", "--jit")]
        rows.append([name.replace(" *", r" \*"), *seconds, f"{ratio:.2f}", f"{computed:.2f}"])
    rows.append(["geometric mean", "", "", "", mean(ratios), ""])
    without = "`--jit` over without"
    headings = ["program", "Python, s", "numpy_shim, s", "`--jit`, s", without, "of the processor"]
    return table(headings, rows)


def draw(kernels: Rows) -> None:
    """The plot: the time of each kernel with ``jit`` over its own, on a logarithmic axis."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "jit_choices"  # the same file from the same figures
    from matplotlib import pyplot

    names = sorted(kernels, key=lambda name: float(kernels[name]["ratio"]))
    figure, axis = pyplot.subplots(figsize=(8, 1.2 + 0.19 * len(names)), layout="constrained")
    for by in BY:
        places = [i for i, name in enumerate(names) if kernels[name]["by"] == by]
        ratios = [kernels[names[i]]["ratio"] for i in places]
        left = [min(r, 1.0) for r in ratios]
        right = [max(r, 1.0) for r in ratios]
        axis.hlines(places, left, right, color=COLOURS[by], linewidth=1, alpha=0.4)
        axis.plot(ratios, places, "o", label=by, color=COLOURS[by], markersize=5)
    axis.axvline(1, color="black", linewidth=0.8)
    axis.set_yticks(range(len(names)), names, fontsize=8)
    axis.set_ylim(len(names) - 0.4, -0.6)
    axis.set(xscale="log", xlabel="time with jit over the function's own (less is faster)")
    axis.grid(axis="x", alpha=0.3)
    axis.legend(title="what runs", loc="lower left")
    figure.savefig(PLOT, metadata={"Date": None})


def taken() -> None:
    """Take the figures of the command line, and leave the rest of it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--kernels", type=Path)
    parser.add_argument("--programs", type=Path)
    parser.add_argument("--long", type=Path)
    for name in ("--date", "--machine", "--load"):
        parser.add_argument(name)
    options, sys.argv[1:] = parser.parse_known_args()
    if not (options.kernels or options.programs or options.long):
        return
    told = {name: getattr(options, name) for name in ("date", "machine", "load")}
    if not all(told.values()):
        parser.error("figures without --date, --machine and --load say nothing")
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    for part in PARTS:
        file = getattr(options, part)
        if file is not None:
            kept[part] = {**told, "figures": json.loads(file.read_text(encoding="utf-8"))}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    if options.kernels:
        draw(kept["kernels"]["figures"])


def conditions(part: dict[str, Any]) -> str:
    """When and where figures were measured."""
    return f"Measured on {part['date']}: {part['machine']}. {part['load']}" if part else ""


if __name__ == "__main__":
    taken()
    shown = json.loads(KEPT.read_text(encoding="utf-8"))
    of_kernels, *of_programs = (shown.get(part, {}) for part in PARTS)
    parts = {
        "summary": f"{conditions(of_kernels)}\n\n{summary(of_kernels['figures'])}",
        "kernels": times(of_kernels["figures"]),
        **{
            name: f"{conditions(part)}\n\n{programs(part.get('figures', {}))}"
            for name, part in zip(PARTS[1:], of_programs, strict=True)
        },
    }
    sys.exit(main("jit_choices.md", parts, __doc__.splitlines()[0]))
