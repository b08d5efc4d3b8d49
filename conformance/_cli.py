"""The command line: `python -m conformance [command]`."""

from __future__ import annotations

import argparse
import importlib.util
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from . import _compare, _console, _coverage, _runner
from ._endings import OK, STOPPED, Ending, end, say, unable, warn
from ._expected import ExpectationError
from ._namespace import NamespaceError, about
from ._options import add_common, positive
from ._results import Run, Settings
from ._suite import VARIABLE, Suite, SuiteNotFoundError, locate
from .backends import _command as backend_command
from .dask_suite import _command as dask_command
from .libraries import _command as library_command
from .numpy_suite import _command as numpy_command

OURS = "xp_torch"
# The packages that the suite's conftest and tests import.
NEEDED = ("pytest", "pytest_jsonreport", "hypothesis", "ndindex")


def parser() -> argparse.ArgumentParser:
    """The options of every command."""
    top = argparse.ArgumentParser(
        prog="python -m conformance",
        description="How far a namespace follows the Python array API standard. "
        f"Without a command: everything that this machine can do for {OURS}, then a summary.",
    )
    commands = top.add_subparsers(dest="command", metavar="command")
    suite = commands.add_parser(
        "array-api", help="run the public suite data-apis/array-api-tests on a namespace"
    )
    add_common(suite, OURS, "expected/M.txt", 900.0)
    add = suite.add_argument
    add("--device", metavar="D", help="torch's default device during the tests")
    add("--suite", metavar="DIR", help=f"the suite's checkout (default: ${VARIABLE}, the cache)")
    add("--max-examples", type=positive, default=100, metavar="N", help="default: 100")
    add("--seed", type=int, metavar="S", help="of the examples (default: a new one, shown)")
    add("--only", metavar="EXPR", help="the tests whose names match, as pytest's -k reads it")
    add("--api-version", metavar="V", help="the version of the standard, such as 2023.12")
    add("--locate", action="store_true", help="only say where the suite is; status 2 if nowhere")
    names = commands.add_parser(
        "coverage", help="compare names, signatures and dtypes with the standard; needs no suite"
    )
    names.add_argument("--module", default=OURS, metavar="M", help=f"default: {OURS}")
    _compare.add_to(commands)
    numpy_command.add_to(commands)
    library_command.add_to(commands)
    backend_command.add_to(commands)
    dask_command.add_to(commands)
    return top


def _run_one(console: Console, settings: Settings, expected: Path | None) -> Run:
    with _console.progress(console, settings.module) as watcher:
        return _runner.run(settings, expected=expected, watcher=watcher)


def _run_peer(console: Console, settings: Settings) -> Run:
    """Run a peer on the same device, or without a device if it does not accept one."""
    try:
        return _run_one(console, settings, None)
    except NamespaceError:
        if not settings.device:
            raise
        return _run_one(console, replace(settings, device=None), None)


def _unready(options: argparse.Namespace, suite: Suite) -> str:
    """The reason why the suite cannot run with these options, or ""."""
    absent = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if absent:
        names = ", ".join(absent)
        return f'the suite needs {names}: pip install "xp-torch[conformance]"'
    versions = suite.versions()
    if options.api_version and versions and options.api_version not in versions:
        return f"--api-version {options.api_version}: the suite has {', '.join(versions)}"
    return ""


def array_api(console: Console, options: argparse.Namespace) -> Ending:
    """Run the suite on a namespace and its peers, show and write the reports."""
    try:
        suite = locate(options.suite)
    except SuiteNotFoundError as error:
        return unable(console, str(error))
    where = escape(f"suite: {suite.path} at {suite.revision[:12] or 'an unknown revision'}")
    console.print(where, soft_wrap=True, highlight=False)
    warnings = suite.warnings()
    for sentence in warnings:
        warn(console, sentence)
    if options.locate:
        return Ending(OK, str(suite.path))
    if reason := _unready(options, suite):
        return unable(console, reason)
    if not _runner.has_xdist():
        warn(console, "without pytest-xdist there is one process, and a crash ends the run")
    settings = Settings(
        module=options.module,
        suite=suite.path,
        seed=random.randrange(2**32) if options.seed is None else options.seed,
        max_examples=options.max_examples,
        jobs=options.jobs,
        device=options.device,
        api_version=options.api_version,
        only=options.only,
        timeout=options.timeout,
    )
    try:
        runs = [_run_one(console, settings, options.expected)]
    except (NamespaceError, ExpectationError) as error:
        return unable(console, str(error))
    for name in options.against:
        try:
            runs.append(_run_peer(console, replace(settings, module=name)))
        except (NamespaceError, ExpectationError) as error:
            warn(console, f"left out: {error}")
    subject = runs[0]
    console.print(_console.side_by_side(runs) if len(runs) > 1 else _console.chapter_table(subject))
    _console.failures(console, subject)
    _console.skips(console, subject)
    if options.report:
        # A local import, so that a run without reports does not need jinja2.
        from ._report import write

        files = write(options.report, runs, suite, warnings, options.history)
        _console.written(console, files)
    for peer in runs[1:]:
        say(console, peer.ok, _console.verdict(peer))
    return end(console, subject.ok, _console.verdict(subject))


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
    steps: list[tuple[str, Callable[[Console, argparse.Namespace], Ending], list[str]]] = [
        ("names, signatures, dtypes", coverage, ["coverage"]),
        ("array-api-tests", array_api, ["array-api", "--max-examples", "20"]),
    ]
    endings = []
    for title, step, arguments in steps:
        console.rule(title)
        endings.append(step(console, top.parse_args(arguments)))
    console.rule("summary")
    for (title, *_), ending in zip(steps, endings, strict=True):
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
        if options.command == "array-api":
            return array_api(console, options).status
        if options.command == "numpy":
            return numpy_command.numpy_tests(console, options).status
        if options.command == "library":
            return library_command.library_tests(console, options).status
        if options.command in backend_command.NAMES:
            return backend_command.backend_tests(console, options).status
        if options.command == "compare":
            return _compare.compare(console, options).status
        if options.command == dask_command.NAME:
            return dask_command.dask_tests(console, options).status
        if options.command == "coverage":
            return coverage(console, options).status
        return everything(console)
    except KeyboardInterrupt:
        console.print("stopped")
        return STOPPED
