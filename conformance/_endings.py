"""The ending of a command: its exit status and its last line."""

from __future__ import annotations

from typing import NamedTuple

from rich.console import Console
from rich.markup import escape

OK, FAILED, UNABLE, STOPPED = 0, 1, 2, 130


class Ending(NamedTuple):
    """How a command ended: its exit status and one line for the summary."""

    status: int
    line: str


def mark(ok: bool) -> str:
    """The mark before a verdict."""
    return "[bold green]✓[/]" if ok else "[bold red]✗[/]"


def say(console: Console, ok: bool, text: str) -> None:
    """A verdict."""
    console.print(f"{mark(ok)} {escape(text)}", soft_wrap=True, highlight=False)


def warn(console: Console, text: str) -> None:
    """Print a warning, which does not change the status."""
    console.print(f"[bold yellow]warning:[/] {escape(text)}", soft_wrap=True, highlight=False)


def unable(console: Console, text: str) -> Ending:
    """The ending of a command that could not run."""
    console.print(f"[bold red]error:[/] {escape(text)}", soft_wrap=True, highlight=False)
    return Ending(UNABLE, text.splitlines()[0])


def end(console: Console, ok: bool, text: str) -> Ending:
    """The ending of a command that finished."""
    say(console, ok, text)
    return Ending(OK if ok else FAILED, text)
