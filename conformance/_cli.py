"""The command line: `python -m conformance [command]`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from . import _compare, _console, _coverage
from ._endings import OK, STOPPED, Ending, end, say, unable
from ._namespace import NamespaceError, about
from ._suite import Suite, add_command
from .array_api._checkout import SuiteNotFoundError, locate
from .array_api._suite import ArrayApi
from .backends._suite import Extra, ScikitLearn, SciPy
from .dask_suite._suite import Dask
from .libraries._suite import Library
from .numpy_suite._suite import Numpy
from .programs._suite import Programs
from .worlds._suite import Portable, Worlds

OURS = "xp_torch"
SUITES: tuple[type[Suite[Any]], ...] = (
    ArrayApi, Numpy, Library, Programs, SciPy, ScikitLearn, Extra, Dask, Worlds,
    Portable,
)  # fmt: skip


def parser() -> argparse.ArgumentParser:
    """The options of every command."""
    top = argparse.ArgumentParser(
        prog="python -m conformance",
        description="How far a namespace follows the Python array API standard. "
        f"Without a command: everything that this machine can do for {OURS}, then a summary.",
    )
    commands = top.add_subparsers(metavar="command")
    names = commands.add_parser(
        "coverage", help="compare names, signatures and dtypes with the standard; needs no suite"
    )
    names.add_argument("--module", default=OURS, metavar="M", help=f"default: {OURS}")
    names.set_defaults(act=coverage)
    _compare.add_to(commands)
    for suite in SUITES:
        add_command(commands, suite)
    return top


def coverage(console: Console, options: argparse.Namespace) -> Ending:
    """Compare a namespace with the standard's names."""
    try:
        # First import it in a subprocess: a broken namespace may raise anything.
        about(options.module)
    except NamespaceError as error:
        return unable(console, str(error))
    report = _coverage.compare_module(options.module)
    _console.coverage(console, report)
    return end(console, report.ok, _console.coverage_verdict(report))


def everything(console: Console) -> int:
    """Report coverage, run the suite with few examples if it is found, and summarize."""
    top = parser()
    steps = {
        "names, signatures, dtypes": ["coverage"],
        "array-api-tests": ["array-api", "--max-examples", "20"],
    }
    endings: list[Ending] = []
    for title, words in steps.items():
        console.rule(title)
        options = top.parse_args(words)
        endings.append(options.act(console, options))
    console.rule("summary")
    for title, ending in zip(steps, endings, strict=True):
        say(console, ending.status == OK, f"{title}: {ending.line}")
    # A missing suite is not an error; the text above says how to get it.
    counted = endings if _suite_found() else endings[:1]
    return max(ending.status for ending in counted)


def _suite_found() -> bool:
    try:
        return bool(locate())
    except SuiteNotFoundError:
        return False


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0 nothing failed, 1 something failed, 2 could not be run, 130 stopped."""
    top = parser()
    options = top.parse_args(arguments)
    if getattr(options, "history", None) and not options.report:
        top.error("--history needs --report")
    console = Console()
    try:
        if not hasattr(options, "act"):
            return everything(console)
        ending: Ending = options.act(console, options)
    except KeyboardInterrupt:
        console.print("stopped")
        return STOPPED
    return ending.status
