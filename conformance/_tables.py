"""Tables of the results of a suite, for the terminal and for the reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.markup import escape

from ._grid import Grid
from ._results import Run

STYLES = {"passed": "green", "failed": "bold red", "skipped": "dim", "xfailed": "yellow"}
Figures = tuple[tuple[int, str], ...]
"""Counts, each with its outcome, in one cell."""
Cell = str | Figures


def number(count: int, outcome: str) -> str:
    """A count in the colour of its outcome; a dot for none."""
    return f"[{STYLES.get(outcome, 'dim')}]{count}[/]" if count else "[dim]·[/]"


def together(counts: Counter[str], outcomes: Iterable[str]) -> Figures:
    """The counts of several outcomes, for one cell."""
    return tuple((counts[o], o) for o in outcomes)


def apart(counts: Counter[str], outcomes: Iterable[str]) -> list[Figures]:
    """The counts of several outcomes, a cell each."""
    return [((counts[o], o),) for o in outcomes]


@dataclass(frozen=True)
class Row:
    """A name and its cells; a total is set apart from the rows before it."""

    name: str
    cells: tuple[Cell, ...]
    total: bool = False


@dataclass
class Table:
    """Rows of figures. The caption is the title in the terminal.

    `outcomes` are those of the figures in a cell, where a cell has several.
    """

    title: str
    caption: str
    headings: tuple[str, ...]
    rows: list[Row] = field(default_factory=list)
    outcomes: tuple[str, ...] = ()

    def add(self, name: str, *cells: Cell, total: bool = False) -> None:
        """Add a row."""
        self.rows.append(Row(name, cells, total))

    def grid(self) -> Grid:
        """The table for the terminal; the figures of one run alone have columns of their own."""
        caption, headings = self.caption, self.headings
        alone = bool(self.outcomes) and len(headings) == 2
        if alone:
            headings = (headings[0], *self.outcomes)
        elif self.outcomes:
            caption += f": {' · '.join(self.outcomes)}"
        grid = Grid(caption, headings)
        for row in self.rows:
            cells: Sequence[Cell] = row.cells
            if alone and not isinstance(row.cells[0], str):
                cells = [(figure,) for figure in row.cells[0]]
            if row.total:
                grid.add_section()
            name = escape(row.name)
            grid.add_row(f"[bold]{name}" if row.total else name, *map(_markup, cells))
            if row.total:
                grid.add_section()
        return grid


def _markup(cell: Cell) -> str:
    return cell if isinstance(cell, str) else " ".join(number(*figure) for figure in cell)


def by_outcome(run: Run, rows: str, caption: str) -> Table:
    """The outcomes of one run by chapter, a column for each."""
    shown = run.shown()
    table = Table(f"By {rows}", caption, (rows, *shown))
    for chapter, counts in run.by_chapter().items():
        table.add(chapter, *apart(counts, shown))
    table.add("all", *apart(run.counts(), shown), total=True)
    return table


def by_run(
    runs: Sequence[Run],
    rows: str,
    caption: str,
    more: Mapping[str, Callable[[str], Cell]] | None = None,
) -> Table:
    """The outcomes of several runs by chapter, a column for each run.

    `more` are further columns: a heading, and the cell of a chapter, or of all, "".
    """
    more = more or {}
    outcomes = runs[0].outcomes
    names = (f"{run.module}\n{run.version}".strip() for run in runs)
    table = Table(f"By {rows}", caption, (rows, *names, *more), outcomes=outcomes)
    columns = [run.by_chapter() for run in runs]
    for chapter in sorted({name for column in columns for name in column}):
        cells = (together(c[chapter], outcomes) if chapter in c else "" for c in columns)
        table.add(chapter, *cells, *(cell(chapter) for cell in more.values()))
    totals = (together(run.counts(), outcomes) for run in runs)
    table.add("all", *totals, *(cell("") for cell in more.values()), total=True)
    return table
