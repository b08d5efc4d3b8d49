"""The commands `worlds` and `portable`."""

from __future__ import annotations

import argparse
import functools
import importlib
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape

from .._endings import OK, Ending, end, unable
from .._options import positive
from .._results import UnableError
from ._comparison import difference
from ._enter import portable, world
from ._refusals import refusal
from ._summary import groups, table
from ._table import WORLDS, chosen
from ._world import Unportable, World

Finding = tuple[str, str, str, dict[str, Any] | None]
Calls = list[tuple[Callable[[Callable[..., Any], Any], Any], Any]]
"""Calls of the function under test in a namespace, each with the result on NumPy's arrays."""


def add_commands(commands: Any) -> None:
    """Add both commands to the command line."""
    names = commands.add_parser("worlds", help="list the worlds in which array code is tested")
    names.set_defaults(act=list_worlds)
    run = commands.add_parser(
        "portable", help="run a function on drawn arguments in all worlds, without a test of it"
    )
    run.add_argument("function", metavar="PACKAGE.FUNCTION", help="a function of arrays")
    run.add_argument("--worlds", default="all", metavar="NAMES", help="default: all")
    text = "the arguments in place of drawn ones, such as 'xp.asarray([1.0, 2.0]), axis=0'"
    run.add_argument("--arguments", metavar="EXPR", help=text)
    text = "calls with different arguments in each world (3)"
    run.add_argument("--draws", type=positive, default=3, metavar="N", help=text)
    run.add_argument("--seed", type=int, default=0, metavar="S", help="of the draws (0)")
    run.set_defaults(act=run_in_worlds)


def list_worlds(console: Console, options: argparse.Namespace) -> Ending:
    """Print every world with its sentence."""
    width = max(len(w.name) for w in WORLDS)
    for w in WORLDS:
        absent = "" if w.installed else f" [dim](not installed: {w.needs})[/]"
        line = f"[bold]{w.name:{width}}[/]  {escape(w.sentence)}{absent}"
        console.print(line, soft_wrap=True, highlight=False)
    return Ending(OK, f"{len(WORLDS)} worlds")


def run_in_worlds(console: Console, options: argparse.Namespace) -> Ending:
    """Run a function in worlds, and show where it fails."""
    try:
        function, worlds = _resolved(options.function), chosen(options.worlds)
        calls = _calls(function, options)
    except (UnableError, ValueError) as error:
        return unable(console, str(error))
    found = [_tried(w, function, call, wanted) for w in worlds for call, wanted in calls]
    console.print(table(found))
    for line in groups([refused for *_, refused in found if refused is not None]):
        console.print(line, soft_wrap=True, highlight=False)
    failed = {name for name, _, outcome, _ in found if outcome == "failed"}
    text = f"{options.function} runs in {len(worlds) - len(failed)} of {len(worlds)} worlds"
    return end(console, not failed, text)


def _resolved(name: str) -> Callable[..., Any]:
    """The function of a name. A package's function goes before a module of the same name."""
    parts = name.split(".")
    found: Any = None
    for length in range(1, len(parts)):
        try:
            module = importlib.import_module(".".join(parts[:length]))
            found = functools.reduce(getattr, parts[length:], module)
        except (ImportError, AttributeError) as error:
            found, reason = None, error
        if callable(found):
            function: Callable[..., Any] = found
            return function
    if len(parts) > 1 and found is None:
        raise UnableError(f"{name} cannot be imported: {reason}")
    raise UnableError(f"{name} is no function")


def _calls(function: Callable[..., Any], options: argparse.Namespace) -> Calls:
    # Local imports: the list of worlds needs no NumPy.
    import numpy as np

    from ._draws import draw, evaluated

    if options.arguments is None:
        drawn = draw(function, options.draws, options.seed)
        return [(a.call, a.wanted) for a in drawn]

    def call(function: Callable[..., Any], xp: Any) -> Any:
        return evaluated(options.arguments, function)(xp)

    try:
        return [(call, call(function, np))]
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        raise UnableError(f"{options.function} on NumPy's arrays: {text}") from error


def _tried(
    w: World, function: Callable[..., Any], call: Callable[..., Any], wanted: Any
) -> Finding:
    """The outcome of one call in a world."""
    name = getattr(function, "__name__", repr(function))
    try:
        with world(w.name) as xp:
            got = call(portable(function), xp)
            if text := difference(got, wanted, dtypes=False):
                raise Unportable(f"{name}: {text}, as on NumPy", function)
    except Exception as error:
        return w.name, name, "failed", asdict(refusal(w, error))
    return w.name, name, "passed", None
