"""`python -m conformance numpy`."""

from __future__ import annotations

import argparse
import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from .. import _console
from .._endings import Ending, end, say, unable, warn
from .._expected import ExpectationError
from .._namespace import NamespaceError
from .._options import add_common
from . import _files, _tables
from ._run import NumpyRun, Settings, run

OURS = "numpy_shim"
CONTROL = "numpy"
SAMPLE = Path(__file__).with_name("sample.txt")
NEEDED = ("pytest", "hypothesis")


def add_to(commands: Any) -> None:
    """Add the command to the command line."""
    suite: argparse.ArgumentParser = commands.add_parser(
        "numpy", help="run NumPy's own tests, from the installed NumPy, on a namespace"
    )
    add_common(suite, OURS, "expected/numpy/M.txt", 60.0)
    text = "the tests whose file or id has one of these in it; * and ? are wild"
    suite.add_argument("--only", nargs="+", default=[], metavar="PATTERN", help=text)
    text = "a folder with the tests of another NumPy (default: the installed NumPy's)"
    suite.add_argument("--suite", metavar="DIR", help=text)
    text = "no tensor becomes a NumPy array but below these modules of the namespace; * is wild"
    suite.add_argument("--no-numpy", nargs="*", metavar="MODULE", help=text)
    text = f"only the fixed sample, {SAMPLE.name}"
    suite.add_argument("--sample", action="store_true", help=text)


def _run_one(
    console: Console, settings: Settings, files: list[_files.TestFile], expected: Path | None
) -> NumpyRun:
    with _console.progress(console, settings.module) as watcher:
        return run(settings, files, expected=expected, watcher=watcher)


def sample() -> list[str]:
    """The patterns of the fixed sample."""
    lines = (line.split("#")[0].strip() for line in SAMPLE.read_text("utf-8").splitlines())
    return [line for line in lines if line]


def numpy_tests(console: Console, options: argparse.Namespace) -> Ending:
    """Run NumPy's tests on a namespace and its peers, show and write the reports."""
    absent = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if absent:
        names = ", ".join(absent)
        return unable(console, f'NumPy\'s tests need {names}: pip install "xp-torch[conformance]"')
    try:
        root = _files.root(options.suite)
    except _files.TestsNotFoundError as error:
        return unable(console, str(error))
    files = _files.files(root)
    only = tuple(options.only) + (tuple(sample()) if options.sample else ())
    settings = Settings(
        module=options.module,
        jobs=options.jobs,
        only=only,
        timeout=options.timeout,
        suite=options.suite,
        may_convert=None if options.no_numpy is None else tuple(options.no_numpy),
    )
    try:
        runs = [_run_one(console, settings, files, options.expected)]
    except (NamespaceError, ExpectationError) as error:
        return unable(console, str(error))
    # A report needs its reference: NumPy itself, with the same rewritten tests.
    control = [CONTROL] if options.report and CONTROL not in options.against else []
    for name in [*control, *options.against]:
        if name == options.module:
            continue
        try:
            runs.append(
                _run_one(console, replace(settings, module=name, may_convert=None), files, None)
            )
        except (NamespaceError, ExpectationError) as error:
            warn(console, f"left out: {error}")
    subject = runs[0]
    _console.failures(console, subject)
    console.print(_tables.by_file(runs))
    if subject.out_of_scope():
        console.print(_tables.out_of_scope(subject))
    _console.skips(console, subject)
    if options.report:
        # A local import, so that a run without reports does not need jinja2.
        from ._report import write

        _console.written(console, write(options.report, runs, options.history))
    for peer in runs[1:]:
        say(console, peer.ok, _tables.verdict(peer))
    return end(console, subject.ok, _tables.verdict(subject))
