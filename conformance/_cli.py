"""The command line: `python -m conformance [array-api|coverage]`."""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from . import _console, _coverage, _runner
from ._expected import ExpectationError
from ._namespace import NamespaceError, about
from ._results import Run, Settings
from ._suite import VARIABLE, Suite, SuiteNotFoundError, locate

OK, FAILED, UNABLE, STOPPED = 0, 1, 2, 130
OURS = "xp_torch"
# What the suite's own conftest and tests import.
NEEDED = ("pytest", "pytest_jsonreport", "hypothesis", "ndindex")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


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
    add = suite.add_argument
    add("--module", default=OURS, metavar="M", help=f"the namespace to test (default: {OURS})")
    add("--device", metavar="D", help="torch's default device during the tests")
    add("--suite", metavar="DIR", help=f"the suite's checkout (default: ${VARIABLE}, the cache)")
    add("--max-examples", type=_positive, default=100, metavar="N", help="default: 100")
    add("--jobs", type=_positive, default=_cpus(), metavar="N", help="default: the number of CPUs")
    add("--seed", type=int, metavar="S", help="of the examples (default: a new one, shown)")
    add("--against", nargs="+", default=[], metavar="M", help="peers to show beside the namespace")
    add("--report", type=Path, metavar="DIR", help="write report.json, report.md, report.html")
    add("--only", metavar="EXPR", help="the tests whose names match, as pytest's -k reads it")
    add("--api-version", metavar="V", help="the version of the standard, such as 2023.12")
    add("--expected", type=Path, metavar="FILE", help="expected failures (default: expected/M.txt)")
    add("--timeout", type=float, default=900.0, metavar="S", help="seconds for one test (900)")
    add("--locate", action="store_true", help="only say where the suite is; status 2 if nowhere")
    names = commands.add_parser(
        "coverage", help="compare names, signatures and dtypes with the standard; needs no suite"
    )
    names.add_argument("--module", default=OURS, metavar="M", help=f"default: {OURS}")
    return top


def _cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _warn(console: Console, text: str) -> None:
    console.print(f"[bold yellow]warning:[/] {escape(text)}", soft_wrap=True, highlight=False)


def _error(console: Console, text: str) -> int:
    console.print(f"[bold red]error:[/] {escape(text)}", soft_wrap=True, highlight=False)
    return UNABLE


def _run_one(console: Console, settings: Settings, expected: Path | None) -> Run:
    with _console.progress(console, settings.module) as watcher:
        return _runner.run(settings, expected=expected, watcher=watcher)


def _run_peer(console: Console, settings: Settings) -> Run:
    """Run a peer on the same device; one that is not over torch, where it is."""
    try:
        return _run_one(console, settings, None)
    except NamespaceError:
        if not settings.device:
            raise
        return _run_one(console, replace(settings, device=None), None)


def _unready(options: argparse.Namespace, suite: Suite) -> str:
    """Why the suite cannot be run as asked, or ""."""
    absent = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if absent:
        names = ", ".join(absent)
        return f'the suite needs {names}: pip install "xp-torch[conformance]"'
    versions = suite.versions()
    if options.api_version and versions and options.api_version not in versions:
        return f"--api-version {options.api_version}: the suite has {', '.join(versions)}"
    return ""


def array_api(console: Console, options: argparse.Namespace) -> int:
    """Run the suite on a namespace and its peers, show and write the reports."""
    try:
        suite = locate(options.suite)
    except SuiteNotFoundError as error:
        return _error(console, str(error))
    where = escape(f"suite: {suite.path} at {suite.revision[:12] or 'an unknown revision'}")
    console.print(where, soft_wrap=True, highlight=False)
    warnings = suite.warnings()
    for sentence in warnings:
        _warn(console, sentence)
    if options.locate:
        return OK
    if reason := _unready(options, suite):
        return _error(console, reason)
    if not _runner.has_xdist():
        _warn(console, "without pytest-xdist there is one process, and a crash ends the run")
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
        return _error(console, str(error))
    for peer in options.against:
        try:
            runs.append(_run_peer(console, replace(settings, module=peer)))
        except (NamespaceError, ExpectationError) as error:
            _warn(console, f"left out: {error}")
    subject = runs[0]
    console.print(_console.side_by_side(runs) if len(runs) > 1 else _console.chapter_table(subject))
    _console.failures(console, subject)
    _console.skips(console, subject)
    if options.report:
        # Here, so that a run without reports does not need jinja2.
        from ._report import write

        for path in write(options.report, runs, suite, warnings):
            console.print(f"wrote {path}", soft_wrap=True)
    for each in runs:
        text = escape(_console.verdict(each))
        console.print(f"{_console.mark(each.ok)} {text}", soft_wrap=True, highlight=False)
    return OK if subject.ok else FAILED


def coverage(console: Console, options: argparse.Namespace) -> int:
    """Compare a namespace with the standard's names."""
    try:
        # Asked in a subprocess first: importing a broken namespace may raise anything.
        about(options.module)
    except NamespaceError as error:
        return _error(console, str(error))
    report = _coverage.compare_module(options.module)
    _console.coverage(console, report)
    text = escape(_console.coverage_verdict(report))
    console.print(f"{_console.mark(report.ok)} {text}", soft_wrap=True, highlight=False)
    return OK if report.ok else FAILED


def everything(console: Console) -> int:
    """Coverage, then the suite with few examples where it is found, then a summary."""
    top = parser()
    steps: list[tuple[str, Callable[[Console, argparse.Namespace], int], list[str]]] = [
        ("names, signatures, dtypes", coverage, ["coverage"]),
        ("array-api-tests, 20 examples", array_api, ["array-api", "--max-examples", "20"]),
    ]
    told = {OK: "all right", FAILED: "failed", UNABLE: "could not be run"}
    outcomes = []
    for title, step, arguments in steps:
        console.rule(title)
        outcomes.append((title, step(console, top.parse_args(arguments))))
    console.rule("summary")
    for title, status in outcomes:
        console.print(f"{_console.mark(status == OK)} {OURS}: {title}: {told[status]}")
    # Without the suite the rest still counts: the page says how to get it.
    statuses = [status for _, status in outcomes if status != UNABLE or _suite_found()]
    return max(statuses)


def _suite_found() -> bool:
    try:
        return bool(locate())
    except SuiteNotFoundError:
        return False


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0 nothing failed, 1 something failed, 2 could not be run, 130 stopped."""
    options = parser().parse_args(arguments)
    console = Console()
    try:
        if options.command == "array-api":
            return array_api(console, options)
        if options.command == "coverage":
            return coverage(console, options)
        return everything(console)
    except KeyboardInterrupt:
        console.print("stopped")
        return STOPPED
