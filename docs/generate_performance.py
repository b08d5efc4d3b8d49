"""Writes the tables and the plot of ``performance.md`` from figures kept in ``performance.json``.

python docs/generate_performance.py [--add FIGURES.json ... --date DATE --machine TEXT --load TEXT]
                                    [--draw] [--check]

FIGURES.json is what ``python -m benchmarks.kernels --json`` writes. Figures of the same size and
kernel that are added together are runs of one day: the least time and the first of the first calls
are kept. The plots need matplotlib, and are drawn only when figures are added, or with ``--draw``.
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
BASE = "NumPy"
PAIRS = (("numpy_shim", "torch"), ("numpy_shim compiled", "torch compiled"))
LOOKS = {
    "numpy_shim": ("#56b4e9", "o"),
    "torch": ("#e69f00", "s"),
    "numpy_shim compiled": ("#0072b2", "D"),
    "torch compiled": ("#d55e00", "X"),
    "Numba": ("#009e73", "^"),
    "JAX": ("#cc79a7", "v"),
}
"""Colour and mark of each contestant: M. Okabe and K. Ito's colours, which all readers can tell."""


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


def plot_of(part: str) -> Path:
    """The file of a part's plot."""
    return DOCS / f"performance-{part.replace(', ', '-').replace(' ', '-')}.svg"


def draw(part: str, cells: Cells) -> None:
    """A plot as wide as a phone: the time of each kernel over NumPy's, on a logarithmic axis."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = part  # the same file from the same figures
    matplotlib.rcParams["font.size"] = 9
    from matplotlib import pyplot

    figsize = (4.1, 6.2)  # 4.1 inches are 390 pixels
    fig, axis = pyplot.subplots(figsize=figsize, layout="constrained")
    kernels = sorted(cells)
    for column in columns_of(cells):
        at = [(k, ratio(cells[k], column, BASE)) for k in kernels]
        shown = [(k, v) for k, v in at if v is not None]
        colour, mark = LOOKS[column]
        axis.plot(
            [v for _, v in shown], [k for k, _ in shown], mark, label=column, color=colour,
            markeredgecolor="black", markeredgewidth=0.4, markersize=6,
        )  # fmt: skip
    axis.axvline(1, color="black", linewidth=1)
    axis.set(xscale="log", xlabel="time over NumPy's: left of the line is faster")
    axis.grid(axis="y", linewidth=0.3)
    axis.invert_yaxis()
    fig.legend(loc="outside upper center", ncols=2, frameon=False)
    fig.savefig(plot_of(part), metadata={"Date": None})
    pyplot.close(fig)


def in_words(part: str) -> str:
    """The title of a part: arrays and threads."""
    size, threads = part.split(", ")
    count = threads.split()[0]
    return f"{size} arrays, {count} thread{'s' if count != '1' else ''}"


def summary(figures: dict[str, Cells]) -> str:
    """A row a part: how many times faster or slower than NumPy, and in how many kernels."""
    columns = ["numpy_shim compiled", "torch compiled", "numpy_shim", "torch"]
    rows = []
    for part, cells in figures.items():
        row = [in_words(part)]
        for column in columns:
            found = [v for v in (ratio(r, column, BASE) for r in cells.values()) if v is not None]
            faster = sum(value < 1 for value in found)
            row.append(f"{mean(found)} ({faster} of {len(found)})")
        rows.append(row)
    return table(["", *columns], rows)


def folded(title: str, text: str) -> str:
    """A part of the page that a reader opens."""
    return f'<details markdown="1">\n<summary>{title}</summary>\n\n{text}\n\n</details>'


def picture(part: str) -> str:
    return f"![Time of each kernel over NumPy's, {in_words(part)}]({plot_of(part).name})"


def taken() -> None:
    """Take the figures of the command line, and leave the rest of it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--add", nargs="+", type=Path, default=[])
    for name in ("--date", "--machine", "--load"):
        parser.add_argument(name)
    parser.add_argument("--draw", action="store_true")
    options, sys.argv[1:] = parser.parse_known_args()
    if options.draw:
        for part, cells in json.loads(KEPT.read_text(encoding="utf-8"))["figures"].items():
            draw(part, cells)
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
    for part, cells in figures.items():
        draw(part, cells)


if __name__ == "__main__":
    taken()
    shown = json.loads(KEPT.read_text(encoding="utf-8"))
    figures = shown["figures"]
    first, *rest = figures
    parts = {
        "summary": summary(figures),
        "plot": picture(first),
        "conditions": f"Measured on {shown['date']}: {shown['machine']}. {shown['load']}",
        "times": "\n\n".join([
            folded(f"Every kernel: {in_words(first)}", times(figures[first])),
            *(folded(f"Every kernel: {in_words(p)}", f"{picture(p)}\n\n{times(figures[p])}")
              for p in rest),
        ]),
        "first calls": "\n\n".join(
            folded(f"First calls: {in_words(p)}", first_calls(c)) for p, c in figures.items()
        ),
        "guards": "\n\n".join(
            folded(f"Guards: {in_words(p)}", guards(c)) for p, c in figures.items()
        ),
    }  # fmt: skip
    sys.exit(main("performance.md", parts, __doc__.splitlines()[0]))
