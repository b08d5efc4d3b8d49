"""Writes the tables and the plot of ``performance.md`` from figures kept in ``performance.json``.

python docs/generate_performance.py [--add FIGURES.json ... --date DATE --machine TEXT --load TEXT]
                                    [--check]

FIGURES.json is what ``python -m benchmarks.kernels --json`` writes. Figures of the same size and
kernel that are added together are runs of one day: the least time and the first of the first calls
are kept. The plot needs matplotlib, and is drawn only when figures are added.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

from _marked import DOCS, main, table

from benchmarks.kernels.figures import Cells, add

KEPT = DOCS / "performance.json"
PLOT = DOCS / "performance.svg"
BASE = "NumPy"
PAIRS = (("numpy_shim", "torch"), ("numpy_shim compiled", "torch compiled"))


def mean(values: list[float]) -> str:
    """The geometric mean as text."""
    return f"{math.exp(sum(map(math.log, values)) / len(values)):.2f}" if values else ""


def ratio(row: dict[str, Any], column: str, over: str) -> float | None:
    """The time of a column over that of another, if both were measured."""
    if "seconds" not in row.get(column, {}) or "seconds" not in row.get(over, {}):
        return None
    return float(row[column]["seconds"] / row[over]["seconds"])


def columns_of(cells: Cells) -> list[str]:
    """The contestants beside NumPy."""
    found = dict.fromkeys(column for row in cells.values() for column in row)
    return [column for column in found if column != BASE]


def times(cells: Cells) -> str:
    """A row a kernel: times over NumPy's, and over those of torch by hand."""
    columns = columns_of(cells)
    compared = [pair for pair in PAIRS if set(pair) <= set(columns)]
    headings = ["kernel", "NumPy, ms", *columns, *(f"{own} / {hand}" for own, hand in compared)]
    asked = [(c, BASE) for c in columns] + compared
    rows, found = [], [[] for _ in asked]  # type: ignore[var-annotated]
    for kernel, row in sorted(cells.items()):
        texts = []
        for values, (column, over) in zip(found, asked, strict=True):
            value = ratio(row, column, over)
            texts.append("" if value is None else f"{value:.2f}")
            values += [] if value is None else [value]
        rows.append([kernel, f"{row[BASE]['seconds'] * 1e3:.1f}", *texts])
    rows.append(["geometric mean", "", *map(mean, found)])
    return table(headings, rows)


def first_calls(cells: Cells) -> str:
    """A row a kernel: the seconds of the first call, with the compiler in it."""
    columns = [c for c in columns_of(cells) if c != "torch compiled"]
    rows = [
        [kernel, *(f"{row[c]['first']:.1f}" if "first" in row.get(c, {}) else "" for c in columns)]
        for kernel, row in sorted(cells.items())
    ]
    return table(["kernel", *columns], rows)


def guards(cells: Cells) -> str:
    """A row a kernel: how many conditions a compiled function checks before each call."""
    columns = [
        c for c in columns_of(cells) if any("guards" in row.get(c, {}) for row in cells.values())
    ]
    rows = [
        [kernel, *(str(row.get(c, {}).get("guards", "")) for c in columns)]
        for kernel, row in sorted(cells.items())
    ]
    return table(["kernel", *columns], rows) if columns else "Not measured."


def draw(figures: dict[str, Cells]) -> None:
    """The plot: the time of each kernel over NumPy's, on a logarithmic axis."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "performance"  # the same file from the same figures
    from matplotlib import pyplot

    fig, axes = pyplot.subplots(
        1, len(figures), figsize=(7 * len(figures), 5), squeeze=False, layout="constrained"
    )
    for axis, (part, cells) in zip(axes[0], figures.items(), strict=True):
        kernels = sorted(cells)
        for column in columns_of(cells):
            at = [(k, ratio(cells[k], column, BASE)) for k in kernels]
            shown = [(k, v) for k, v in at if v is not None]
            axis.plot([v for _, v in shown], [k for k, _ in shown], "o", label=column, alpha=0.7)
        axis.axvline(1, color="grey", linewidth=1)
        axis.set(xscale="log", xlabel="time over NumPy's", title=part)
        axis.invert_yaxis()
        axis.legend()
    fig.savefig(PLOT, metadata={"Date": None})


def taken() -> None:
    """Take the figures of the command line, and leave the rest of it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--add", nargs="+", type=Path, default=[])
    for name in ("--date", "--machine", "--load"):
        parser.add_argument(name)
    options, sys.argv[1:] = parser.parse_known_args()
    if not options.add:
        return
    if not (options.date and options.machine and options.load):
        parser.error("--add needs --date, --machine and --load: figures without them say nothing")
    figures: dict[str, Any] = {}
    for path in options.add:
        for part, cells in json.loads(path.read_text(encoding="utf-8")).items():
            add(figures.setdefault(part, {}), cells)
    told = {name: getattr(options, name) for name in ("date", "machine", "load")}
    KEPT.write_text(json.dumps({**told, "figures": figures}, indent=1) + "\n", encoding="utf-8")
    draw(figures)


if __name__ == "__main__":
    taken()
    shown = json.loads(KEPT.read_text(encoding="utf-8"))
    parts = {
        "conditions": f"Measured on {shown['date']}: {shown['machine']}. {shown['load']}",
        "times": "\n\n".join(f"## {p}\n\n{times(c)}" for p, c in shown["figures"].items()),
        "first calls": "\n\n".join(
            f"## First calls: {p}\n\n{first_calls(c)}" for p, c in shown["figures"].items()
        ),
        "guards": "\n\n".join(
            f"## Guards: {p}\n\n{guards(c)}" for p, c in shown["figures"].items()
        ),
    }
    sys.exit(main("performance.md", parts, __doc__.splitlines()[0]))
