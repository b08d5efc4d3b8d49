"""The tables in the terminal: every figure is whole, however narrow the terminal is."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from conformance._grid import Grid
from conformance._results import Result
from conformance.array_api._suite import ArrayApiRun
from tests.conformance import runs as made

PEERS = ["xp_torch", "array_api_compat.torch", "array_api_strict", "numpy", "jax.numpy"]


def printed(table: Grid, width: int) -> str:
    out = io.StringIO()
    Console(file=out, width=width, color_system=None).print(table)
    assert max(len(line) for line in out.getvalue().splitlines()) <= width
    return out.getvalue()


def grid(runs: list[ArrayApiRun]) -> Grid:
    (table,) = made.suite().tables(runs)
    return table.grid()


def run(module: str, count: int) -> ArrayApiRun:
    """A run with some thousands of tests in two chapters."""
    found = made.run(module, "2.13.0")
    for chapter, outcome, times in [
        ("Elementwise functions and operators", "passed", count),
        ("Sorting", "failed", count // 3),
        ("Sorting", "skipped", count // 4),
        ("Sorting", "xfailed", count // 5),
    ]:
        found.results += [Result(f"t::{i}", chapter, "", outcome) for i in range(times)]
    return found


@pytest.mark.parametrize("width", [36, 60, 80, 200])
def test_no_figure_is_cut(width: int) -> None:
    """Counts of four digits, of five namespaces: each stands whole in the output."""
    runs = [run(name, 3890 + 7 * i) for i, name in enumerate(PEERS)]
    text = printed(grid(runs), width)
    assert "…" not in text
    for each in runs:
        counts = each.counts()
        whole = " ".join(str(counts[o]) for o in ("passed", "failed", "skipped", "xfailed"))
        assert re.search(rf"(?<!\d){whole}(?!\d)", text), whole


def test_one_table_where_there_is_room() -> None:
    """A wide terminal has one table; a narrow one several, each with the rows' names."""
    runs = [run(name, 30) for name in PEERS]
    table = grid(runs)
    assert len(table.tables(200)) == 1
    assert len(table.tables(60)) > 1
    assert printed(table, 60).count("Sorting") == len(table.tables(60))


def test_figures_of_one_run_at_36_columns() -> None:
    """A long chapter gives way to its figures: it continues on the next line."""
    text = printed(grid([run("xp_torch", 38900)]), 36)
    assert "…" not in text
    for figure in ("38900", "12966", "9725", "7780"):
        assert figure in text
    assert re.search(r"^│ Elementwise", text, re.MULTILINE)


def test_markup_is_not_counted_as_width() -> None:
    """A coloured figure is as wide as what is shown of it."""
    table = Grid("t", ("name", "figure"))
    table.add_row("row", "[bold red]1234[/]")
    assert len(table.tables(26)) == 1
    assert "1234" in printed(table, 26)
