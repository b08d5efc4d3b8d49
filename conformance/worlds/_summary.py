"""The results of tests in worlds: the table of worlds by test modules, refusals by their causes."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.markup import escape

from .._results import Group, Result, Run
from .._tables import Table, together
from ._refusals import Refusal
from ._table import WORLDS

_INSTALLED = re.compile(r"\S*[/\\]site-packages[/\\]")


@dataclass
class WorldsRun(Run):
    """Tests in worlds. The chapter of a result is its world."""

    def refuse(self, test_id: str, refusal: Mapping[str, Any]) -> None:
        """Keep the refusal of a test, with its files named from here or by their package."""
        found = Refusal(**refusal)
        near = replace(found, frame=_near(found.frame), also=_near(found.also))
        self.causes[test_id] = near

    def advice(self, group: Group) -> list[str]:
        """A second line that has a share in it; its worlds, and what to write instead."""
        worlds = f"In {_names(group)}."
        cause = group.cause
        if not isinstance(cause, Refusal):
            return [worlds]
        return [*filter(None, [cause.also]), f"{worlds} {cause.remedy}"]

    def data(self) -> dict[str, Any]:
        return {"causes": self.cause_data(), **super().data()}


def _near(text: str) -> str:
    """A text with files named from the working folder, or from where packages are installed."""
    return _INSTALLED.sub("", text.replace(os.getcwd() + os.sep, ""))


def _names(group: Group) -> str:
    return ", ".join(dict.fromkeys(result.chapter for result in group.results))


def table(run: Run, caption: str = "worlds") -> Table:
    """Worlds by test modules: the tests of each outcome."""
    counts: dict[str, dict[str, Counter[str]]] = {}
    for result in run.results:
        module = result.id.partition("::")[0]
        counts.setdefault(result.chapter, {}).setdefault(module, Counter())[result.outcome] += 1
    modules = sorted({module for row in counts.values() for module in row})
    outcomes = tuple(run.shown())
    found = Table("Worlds", caption, ("world", *modules), outcomes=outcomes)
    for world in (w.name for w in WORLDS if w.name in counts):
        row = (counts[world].get(module, Counter()) for module in modules)
        found.add(world, *(together(cell, outcomes) for cell in row))
    return found


def causes(run: Run) -> Iterator[str]:
    """The refusals of one cause at one line, the largest group first, as rich markup."""
    for group in run.by_cause():
        cause, text = group.cause, group.results[0].essence
        yield f"[bold red]{len(group.results)} ✗[/] {escape(cause.frame or 'no line under test')}"
        if not isinstance(cause, Refusal):
            yield f"    {escape(f'{cause}: {text}')}"
            yield f"    [dim]in {_names(group)}[/]"
            continue
        if cause.call:
            yield f"    {escape(cause.call)}"
        yield f"    {escape(f'{cause.kind}: {cause.text}')}"
        if cause.also:
            yield f"    {escape(cause.also)}"
        yield f"    [dim]in {_names(group)}.[/] {escape(cause.remedy)}"


def show(console: Console, run: Run) -> None:
    """Print the refusals by their causes."""
    for line in causes(run):
        console.print(line, soft_wrap=True, highlight=False)


def _read(stats: Mapping[str, list[Any]]) -> WorldsRun:
    """The tests that pytest ran in a world."""
    run = WorldsRun("")
    kinds = {"passed": "passed", "failed": "failed", "error": "failed", "skipped": "skipped"}
    kinds |= {"xfailed": "xfailed", "xpassed": "failed"}
    for key, outcome in kinds.items():
        for report in stats.get(key, ()):
            properties = dict(getattr(report, "user_properties", ()))
            if "world" not in properties:
                continue
            run.results.append(Result(report.nodeid, properties["world"], "", outcome))
            if refusal := properties.get("world_refusal"):
                run.refuse(report.nodeid, refusal)
    return run


def summarise(terminal: Any) -> None:
    """Write the table and the refusals at the end of a run of pytest."""
    run = _read(terminal.stats)
    if run.results:
        console = Console(file=terminal._tw._file, width=terminal._tw.fullwidth)
        console.print(table(run).grid())
        show(console, run)
