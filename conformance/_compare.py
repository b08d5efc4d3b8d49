"""`python -m conformance compare OLD.json NEW.json`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from ._endings import Ending, end, unable
from ._grid import Grid
from ._history import Changes, Record, ReportError, changes, read
from ._results import OUTCOMES
from ._tables import number

STYLES = {"newly failing": "bold red", "newly passing": "green"}
# Tests of one group that are printed; `--all` prints every one.
SHOWN = 20


def add_to(commands: Any) -> None:
    """Add the command to the command line."""
    compare: argparse.ArgumentParser = commands.add_parser(
        "compare", help="show how two JSON reports differ: newly failing, newly passing"
    )
    compare.add_argument("old", type=Path, metavar="OLD.json")
    compare.add_argument("new", type=Path, metavar="NEW.json")
    text = "the namespace, where a report has several (default: the first of each)"
    compare.add_argument("--module", metavar="M", help=text)
    compare.add_argument("--all", action="store_true", help=f"print more than {SHOWN} of a group")
    compare.set_defaults(act=report)


def show(console: Console, found: Changes, shown: int | None = SHOWN) -> None:
    """The groups of changed tests, each with its first tests."""
    for title, ids in found.groups.items():
        console.print(f"[{STYLES.get(title, 'dim')}]{len(ids)} {title}[/]", highlight=False)
        for test_id in ids[:shown]:
            console.print(f"    {escape(test_id)}", soft_wrap=True, highlight=False)
        if shown is not None and len(ids) > shown:
            console.print(f"    [dim]and {len(ids) - shown} more[/]", highlight=False)


def _pick(path: Path, module: str | None) -> Record:
    found = read(path)
    if module is None:
        return found[0]
    for record in found:
        if record.module == module:
            return record
    have = ", ".join(record.module for record in found)
    raise ReportError(f"{path}: no run of {module}; the report has {have}")


def table(old: Record, new: Record) -> Grid:
    """The counts of both records and their difference."""
    grid = Grid("", ("", old.created[:16], new.created[:16], "difference"))
    seen = {*old.counts, *new.counts}
    for outcome in (*OUTCOMES, *sorted(seen - set(OUTCOMES))):
        if outcome in seen:
            before, after = old.counts[outcome], new.counts[outcome]
            cells = (number(before, outcome), number(after, outcome))
            grid.add_row(outcome, *cells, f"{after - before:+d}" if after != before else "·")
    return grid


def report(console: Console, options: argparse.Namespace) -> Ending:
    """Compare two reports. The status is 1 if a test fails that did not fail before."""
    try:
        old, new = (_pick(path, options.module) for path in (options.old, options.new))
        if old.suite != new.suite:
            what = f"{options.old} has {old.suite}, {options.new} has {new.suite}"
            raise ReportError(f"reports of two suites cannot be compared: {what}")
    except ReportError as error:
        return unable(console, str(error))
    found = changes(old, new)
    console.print(table(old, new))
    show(console, found, None if options.all else SHOWN)
    return end(console, not found.newly_failing, f"{old.name} and {new.name}: {found.line()}")
