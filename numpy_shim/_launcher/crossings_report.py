"""What a program copied to the host: the table of ``--summary``, and a line at the end of a run."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from types import TracebackType

from .._host import crossings
from .._host.crossings import Count, Place
from .._jit.reasons import Line

_SHOWN = 20


class CrossingsReport(AbstractContextManager[None]):
    """Prints, when the program ends, the table or the line about copies that loops repeated."""

    def __init__(self, is_full: bool) -> None:
        self._is_full = is_full
        self._process = os.getpid()

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if os.getpid() != self._process:
            return  # a forked copy of the program ends here
        found = crossings.counts()
        crossings.forget()
        if os.environ.get("RANK", "0") != "0":
            return  # the first process shows its counts
        if self._is_full:
            show(found)
        line = in_loops(found)
        if line:
            print(f"numpy_shim: {line}", file=sys.stderr)


def in_loops(counts: dict[Place, Count]) -> str:
    """One line about the places at which loops copy arrays; empty if none does."""
    looped = {place: count for place, count in counts.items() if count.in_loop}
    if not looped:
        return ""
    worst = max(looped, key=lambda place: looped[place].times)
    where = f"{Line(worst.file, worst.line).location()} " if worst.file else ""
    most = f"{where}{worst.what}, {looped[worst].times:,} times"
    places = "1 line" if len(looped) == 1 else f"{len(looped)} lines"
    return (
        f"a loop copies arrays to the host at {places} ({most}); --summary lists them, "
        "--host-copies error stops at the first"
    )


def show(counts: dict[Place, Count]) -> None:
    """Print the table to the error stream, the places with the most bytes first."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(stderr=True, highlight=False)
    if not counts:
        console.print("Nothing crossed to the host.")
        return
    table = Table(title="crossed to the host")
    table.add_column("line", no_wrap=True)
    table.add_column("what for", overflow="fold")
    for heading in ("times", "bytes", "ms", "back", "bytes"):
        table.add_column(heading, justify="right")
    ordered = sorted(counts.items(), key=lambda item: -item[1].bytes - item[1].back_bytes)
    for place, count in ordered[:_SHOWN]:
        location = "inside a library"
        if place.file:
            location = Line(place.file, place.line).location()
        why = crossings.reason(place.what)
        what = f"{place.what}\n  not on the device: {why}" if why else place.what
        table.add_row(location, escape(what), *_cells(count))
    others = Count()
    for _, count in ordered[_SHOWN:]:
        others.add(count)
    if ordered[_SHOWN:]:
        table.add_row(f"{len(ordered) - _SHOWN} others", "", *_cells(others), style="dim")
    total = Count()
    for count in counts.values():
        total.add(count)
    table.add_section()
    table.add_row("all", "", *_cells(total))
    console.print(table)


def _cells(count: Count) -> list[str]:
    times = (f"{count.times:,}", f"{count.bytes:,}", f"{1000 * count.seconds:.1f}")
    back = (f"{count.back:,}", f"{count.back_bytes:,}") if count.back else ("", "")
    return [*times, *back]
