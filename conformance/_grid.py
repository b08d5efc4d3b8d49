"""Tables of figures for the terminal: a figure is never cut, however narrow the terminal is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

# The narrowest first column; a longer name continues on the next line.
NAMES = 12
# A cell's padding and the line after it.
FRAME = 3


def _width(markup: str) -> int:
    return max((cell_len(line) for line in Text.from_markup(markup).plain.split("\n")), default=0)


@dataclass
class Grid:
    """Rows of figures, each with a name before it. Cells are rich markup.

    Columns that do not fit beside one another become further tables below, each with the names
    before it. A heading that is wider than the terminal continues on the next line.
    """

    title: str
    headings: Sequence[str]
    sections: list[list[Sequence[str]]] = field(default_factory=lambda: [[]])

    def add_row(self, name: str, *figures: str) -> None:
        """A row: its name, then one cell for each further heading."""
        self.sections[-1].append((name, *figures))

    def add_section(self) -> None:
        """A line after the rows so far."""
        self.sections.append([])

    def _widths(self, column: int) -> tuple[int, int]:
        """The least width of a column, so that no figure is cut, and the width it wants."""
        cells = [_width(row[column]) for rows in self.sections for row in rows]
        figures = max(cells, default=0)
        return figures, max(figures, _width(self.headings[column]))

    def tables(self, width: int) -> list[Table]:
        """The table, as several if it is wider than the terminal."""
        first = min(self._widths(0)[1], NAMES) + FRAME + 1
        groups: list[list[int]] = [[]]
        used = first
        for column in range(1, len(self.headings)):
            least, wanted = self._widths(column)
            need = max(least, min(wanted, width - first - FRAME)) + FRAME
            if groups[-1] and used + need > width:
                groups.append([])
                used = first
            groups[-1].append(column)
            used += need
        return [self._table(group, width, first) for group in groups]

    def _table(self, columns: list[int], width: int, first: int) -> Table:
        table = Table(title=self.title)
        table.add_column(self.headings[0], overflow="fold")
        for column in columns:
            least, wanted = self._widths(column)
            room = max(least, min(wanted, width - first - FRAME), 1)
            table.add_column(
                self.headings[column], justify="right", overflow="fold", min_width=room, width=room
            )
        for rows in self.sections:
            for row in rows:
                table.add_row(row[0], *(row[column] for column in columns))
            table.add_section()
        return table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.tables(options.max_width)
