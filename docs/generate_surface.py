"""Writes the tables and the plot of ``surface.md`` from figures kept in ``surface.json``.

python docs/generate_surface.py [--add FIGURES.json --date DATE --machine TEXT] [--check]

FIGURES.json is what ``python -m benchmarks.surface --page`` writes. The plot needs matplotlib,
and is drawn only when figures are added.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from _marked import DOCS, main, table

from benchmarks import memory
from benchmarks.surface import BOUNDS, REASONS, STATEMENTS
from benchmarks.surface_calls import BOUNDS as OF_CALLS
from benchmarks.surface_calls import OVER_NUMPY

KEPT = DOCS / "surface.json"
PLOT = DOCS / "surface.svg"
COLOURS = {"1000": "#e69f00", "100000": "#56b4e9", "1000000": "#0072b2"}
"""M. Okabe and K. Ito's colours, which all readers can tell; the marks differ too."""
MARKS = {"1000": "^", "100000": "s", "1000000": "o"}

Rows = list[dict[str, Any]]


def mean(values: list[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values))


def shown(size: str) -> str:
    return f"{int(size):,} elements"


def draw(sizes: dict[str, Rows]) -> None:
    """A point per statement and size, a row per kind, and the bounds as lines."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "surface"  # the same file from the same figures
    matplotlib.rcParams["font.size"] = 10
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(8.2, 4.6), layout="constrained")
    kinds = [*STATEMENTS]
    for place, (size, rows) in enumerate(sizes.items()):
        for number, kind in enumerate(kinds):
            found = [row["ratio"] for row in rows if row["kind"] == kind]
            height = number + 0.25 * (place - 1)
            axis.plot(
                found, [height] * len(found), MARKS[size], color=COLOURS[size], alpha=0.55,
                markersize=5, markeredgewidth=0, label=shown(size) if not number else None,
            )  # fmt: skip
            axis.plot([mean(found)] * 2, [height - 0.11, height + 0.11], color="black")
    axis.axvline(BOUNDS[0], color="black", linewidth=1)
    axis.axvline(BOUNDS[1], color="black", linewidth=1, linestyle="--")
    axis.set(
        xscale="log", yticks=range(len(kinds)), yticklabels=kinds,
        xlabel="time over NumPy's: left of the line is faster, dashed is the bound of one call",
    )  # fmt: skip
    axis.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
    axis.invert_yaxis()
    axis.grid(axis="x", linewidth=0.3)
    figure.legend(loc="outside upper center", ncols=3, frameon=False)
    figure.savefig(PLOT, metadata={"Date": None})
    pyplot.close(figure)


def of_sizes(sizes: dict[str, Rows]) -> str:
    """A row per size: the geometric mean of each kind and of all, and how many are above 2."""
    rows = []
    for size, found in sizes.items():
        ratios = [row["ratio"] for row in found]
        kinds = [f"{mean([r['ratio'] for r in found if r['kind'] == k]):.2f}" for k in STATEMENTS]
        above = sum(ratio > BOUNDS[1] for ratio in ratios)
        rows.append([shown(size), f"{mean(ratios):.2f}", *kinds, f"{above} of {len(ratios)}"])
    headings = ["", f"all (bound {BOUNDS[0]:.2f})", *STATEMENTS, f"above {BOUNDS[1]:g}"]
    return table(headings, rows)


def code(text: str) -> str:
    return f"`{text}`"


def missing(rows: Rows) -> str:
    """The statements above the bound at the largest size, with the reason."""
    over = sorted((r for r in rows if r["ratio"] > BOUNDS[1]), key=lambda r: -r["ratio"])
    return table(
        ["statement", "NumPy, ms", "ratio", "why"],
        [[code(r["statement"]), f"{r['numpy_us'] / 1e3:.2f}", f"{r['ratio']:.2f}",
          REASONS.get(r["statement"], "not explained yet")] for r in over],
    )  # fmt: skip


def of_memory(rows: Rows) -> str:
    """The statements that need more memory than the bound says."""
    over = [r for r in rows if memory.Row(r["statement"], r["numpy"], r["ours"]).is_over()]
    text = (
        f"{len(rows) - len(over)} of {len(rows)} statements on ten million elements need at most "
        f"{memory.BOUND} times NumPy's memory, or {memory.SMALL:.0f} MB more."
    )
    if not over:
        return text
    worst = sorted(over, key=lambda r: r["numpy"] - r["ours"])
    lines = [[code(r["statement"]), f"{r['numpy']:.0f}", f"{r['ours']:.0f}"] for r in worst]
    return f"{text} These need more:\n\n{table(['statement', 'NumPy, MB', 'ours, MB'], lines)}"


def of_calls(calls: Rows) -> str:
    """The means of calls of ten elements beside the bounds, and the calls above them."""
    rows = []
    for name, (of_all, worst) in OF_CALLS.items():
        found = {c["call"]: c["over_torch"][name] for c in calls if name in c["over_torch"]}
        above = sum(ratio > worst for ratio in found.values())
        rows.append([f"{name} over torch", f"{mean([*found.values()]):.2f} ({of_all:.2f})",
                     f"{above} of {len(found)} above {worst:g}"])  # fmt: skip
    beside = [c["over_numpy"] for c in calls if c["over_numpy"] is not None]
    above = sum(ratio > OVER_NUMPY[1] for ratio in beside)
    rows.append(["numpy_shim over NumPy", f"{mean(beside):.2f} ({OVER_NUMPY[0]:.2f})",
                 f"{above} of {len(beside)} above {OVER_NUMPY[1]:g}"])  # fmt: skip
    worst_first = sorted(calls, key=lambda c: -c["over_torch"]["numpy_shim"])
    lines = [
        [code(c["call"]), f"{c['torch_us']:.1f}",
         *[f"{c['over_torch'][n]:.2f}" if n in c["over_torch"] else "" for n in OF_CALLS]]
        for c in worst_first
    ]  # fmt: skip
    every = table(["call", "torch, µs", *OF_CALLS], lines)
    summary = table(["", "geometric mean (bound)", "above the bound of one call"], rows)
    return (
        f'{summary}\n\n<details markdown="1">\n<summary>Every call of ten elements</summary>\n\n'
        f"{every}\n\n</details>"
    )


def taken() -> None:
    """Take the figures of the command line, and leave the rest of it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--add", type=Path)
    parser.add_argument("--date")
    parser.add_argument("--machine")
    options, sys.argv[1:] = parser.parse_known_args()
    if options.add is None:
        return
    if not (options.date and options.machine):
        parser.error("--add needs --date and --machine: figures without them say nothing")
    figures = json.loads(options.add.read_text(encoding="utf-8"))
    kept = {"date": options.date, "machine": options.machine, **figures}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    draw(figures["sizes"])


if __name__ == "__main__":
    taken()
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    parts = {
        "plot": f"![Time of each statement over NumPy's, by kind and size]({PLOT.name})",
        "conditions": f"Measured on {kept['date']}: torch {kept['torch']}, NumPy {kept['numpy']}, "
        f"{kept['machine']}",
        "sizes": of_sizes(kept["sizes"]),
        "missing": missing([*kept["sizes"].values()][-1]),
        "memory": of_memory(kept["memory"]),
        "calls": of_calls(kept["calls"]),
    }
    sys.exit(main("surface.md", parts, __doc__.splitlines()[0]))
