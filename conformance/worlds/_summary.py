"""The end of a run of pytest: worlds by test modules, and the refusals by their causes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.markup import escape

from .._grid import Grid
from .._tables import number
from ._table import WORLDS

OUTCOMES = ("passed", "failed", "skipped", "xfailed")


def outcomes(stats: dict[str, list[Any]]) -> Iterator[tuple[str, str, str, dict[str, Any] | None]]:
    """The world, the module, the outcome and the refusal of each test that ran in a world."""
    kinds = {"passed": "passed", "failed": "failed", "error": "failed", "skipped": "skipped"}
    kinds |= {"xfailed": "xfailed", "xpassed": "failed"}
    for key, outcome in kinds.items():
        for report in stats.get(key, ()):
            properties = dict(getattr(report, "user_properties", ()))
            if "world" in properties:
                module = report.nodeid.partition("::")[0]
                yield properties["world"], module, outcome, properties.get("world_refusal")


def summarise(terminal: Any) -> None:
    """Write the table and the refusals."""
    found = list(outcomes(terminal.stats))
    if not found:
        return
    console = Console(file=terminal._tw._file, width=terminal._tw.fullwidth)
    console.print(table(found))
    for group in groups([refusal for *_, refusal in found if refusal is not None]):
        console.print(group, soft_wrap=True, highlight=False)


def table(found: list[tuple[str, str, str, dict[str, Any] | None]]) -> Grid:
    """Worlds by modules: the tests of each outcome."""
    modules = list(dict.fromkeys(module for _, module, *_ in sorted(found, key=lambda f: f[1])))
    counts: dict[str, dict[str, Counter[str]]] = {}
    for world, module, outcome, _ in found:
        counts.setdefault(world, {}).setdefault(module, Counter())[outcome] += 1
    grid = Grid("worlds", ("world", *modules))
    for world in (w.name for w in WORLDS if w.name in counts):
        grid.add_row(world, *(_cell(counts[world].get(module, Counter())) for module in modules))
    return grid


def _cell(counts: Counter[str]) -> str:
    """The counts of a cell, with a word for all but the tests that passed."""
    parts = [
        number(counts[o], o) + ("" if o == "passed" else f" {o}") for o in OUTCOMES if counts[o]
    ]
    return ", ".join(parts) or number(0, "passed")


def _near(text: str) -> str:
    """The text with files below the working folder named from there."""
    return text.replace(os.getcwd() + os.sep, "")


def groups(refusals: list[dict[str, Any]]) -> Iterator[str]:
    """The refusals of one cause at one line, the largest group first, as rich markup."""
    by_cause: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for refusal in refusals:
        cause = refusal["cause"]
        key = (refusal["line"], refusal["call"], cause["kind"], cause["message"])
        by_cause.setdefault(key, []).append(refusal)
    for same in sorted(by_cause.values(), key=len, reverse=True):
        first = same[0]
        worlds = ", ".join(dict.fromkeys(r["world"] for r in same))
        message = escape(f"{first['cause']['kind']}: {first['message']}")
        yield f"[bold red]{len(same)} ✗[/] {escape(_near(first['line']) or 'no line under test')}"
        if first["call"]:
            yield f"    {escape(first['call'])}"
        yield f"    {message}"
        if first["also"]:
            yield f"    {escape(_near(first['also']))}"
        yield f"    [dim]in {worlds}.[/] {escape(first['remedy'])}"
