"""`python -m conformance scipy`, `sklearn` and `array-api-extra`."""

from __future__ import annotations

import argparse
from typing import Any

from rich.console import Console

from .. import _console
from .._endings import Ending, end, unable, warn
from .._expected import ExpectationError
from .._namespace import NamespaceError
from .._options import add_common
from ..libraries._command import NEEDED, missing
from ..libraries._tables import causes
from . import _tables
from ._libraries import LIBRARIES, PEERS, REFERENCE, TestsNotFoundError
from ._run import Settings, installed, run

OURS = "xp_torch"
NAMES = tuple(LIBRARIES)


def add_to(commands: Any) -> None:
    """Add the commands to the command line."""
    for name, library in LIBRARIES.items():
        text = f"run the array API tests of {library.distribution} with a namespace as a backend"
        suite: argparse.ArgumentParser = commands.add_parser(name, help=text)
        text = "sub-packages, or files without test_ and .py (default: all)"
        suite.add_argument("areas", nargs="*", metavar="AREA", help=text)
        add_common(suite, OURS, f"expected/{library.distribution}/M.txt", 300.0)
        suite.set_defaults(against=list(PEERS))
        add = suite.add_argument
        add("--device", metavar="D", help="torch's default device during the tests")
        add("--only", metavar="EXPR", help="the tests whose names match, as pytest's -k reads it")


def backend_tests(console: Console, options: argparse.Namespace) -> Ending:
    """Run a library's tests on a module and its peers, show and write the reports."""
    if reason := missing(NEEDED):
        return unable(console, reason)
    library = LIBRARIES[options.command]
    # A failure means nothing without the reference.
    peers = installed(tuple(dict.fromkeys([REFERENCE, *options.against])))
    for name in options.against:
        if name not in peers:
            warn(console, f"left out: {name} is not installed")
    try:
        root, folder = library.tests()
        files = library.files(root, folder, options.areas)
        settings = Settings(
            module=options.module,
            library=library,
            root=root,
            files=tuple(files),
            peers=tuple(name for name in peers if name != options.module),
            jobs=options.jobs,
            timeout=options.timeout,
            only=options.only,
            device=options.device,
        )
        with _console.progress(console, options.module) as watcher:
            runs = run(settings, expected=options.expected, watcher=watcher)
    except (TestsNotFoundError, NamespaceError, ExpectationError) as error:
        return unable(console, str(error))
    subject = runs[0]
    console.print(_tables.by_area(runs))
    causes(console, subject, subject.groups())
    _console.skips(console, subject)
    if options.report:
        # A local import, so that a run without reports does not need jinja2.
        from ._report import write

        _console.written(console, write(options.report, runs, options.history))
    return end(console, subject.ok, _tables.verdict(runs))
