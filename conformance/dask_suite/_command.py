"""`python -m conformance dask`."""

from __future__ import annotations

import argparse
from typing import Any

from rich.console import Console

from .. import _console
from .._endings import Ending, end, unable
from .._expected import ExpectationError
from .._namespace import NamespaceError
from .._options import add_common
from ..libraries._command import NEEDED, missing
from ..libraries._tables import causes
from . import _tables
from ._run import DaskError, Settings, find, run

OURS = "numpy_shim"
NAME = "dask"


def add_to(commands: Any) -> None:
    """Add the command to the command line."""
    text = "run Dask's own tests of CuPy with a module in the place of CuPy"
    suite: argparse.ArgumentParser = commands.add_parser(NAME, help=text)
    text = "test files without test_cupy_ and .py (default: all)"
    suite.add_argument("areas", nargs="*", metavar="AREA", help=text)
    add_common(suite, OURS, "expected/dask/M.txt", 120.0)
    add = suite.add_argument
    add("--device", metavar="D", help="torch's default device during the tests")
    add("--only", metavar="EXPR", help="the tests whose names match, as pytest's -k reads it")


def dask_tests(console: Console, options: argparse.Namespace) -> Ending:
    """Run Dask's tests on a module, show and write the reports."""
    if reason := missing(NEEDED):
        return unable(console, reason)
    if options.against:
        return unable(console, "--against: these tests know CuPy alone; run each module by itself")
    try:
        root, files = find(options.areas)
        settings = Settings(
            module=options.module,
            root=root,
            files=tuple(files),
            jobs=options.jobs,
            timeout=options.timeout,
            only=options.only,
            device=options.device,
        )
        with _console.progress(console, options.module) as watcher:
            subject = run(settings, expected=options.expected, watcher=watcher)
    except (DaskError, NamespaceError, ExpectationError) as error:
        return unable(console, str(error))
    console.print(_tables.by_area(subject))
    causes(console, subject, subject.groups())
    _console.skips(console, subject)
    if options.report:
        # A local import, so that a run without reports does not need jinja2.
        from ._report import write

        _console.written(console, write(options.report, subject, options.history))
    return end(console, subject.ok, _tables.verdict(subject))
