"""`python -m conformance library`."""

from __future__ import annotations

import argparse
import importlib.util
from functools import partial
from typing import Any

from rich.console import Console

from .. import _console
from .._endings import Ending, end, unable, warn
from .._expected import ExpectationError
from .._namespace import NamespaceError
from .._options import add_basic
from . import _environment, _source, _tables
from ._run import ControlError, Settings, check_launcher, run

OURS = "numpy_shim"
NEEDED = ("pytest", "pytest_timeout")


def add_to(commands: Any) -> None:
    """Add the command to the command line."""
    library: argparse.ArgumentParser = commands.add_parser(
        "library", help="run a library's own tests with NumPy, and with a module instead of NumPy"
    )
    add = library.add_argument
    text = "NAME or NAME==VERSION, from PyPI; or a checkout: a path with a separator in it"
    add("library", metavar="NAME|PATH", help=text)
    add_basic(library, OURS, "expected/library/NAME/M.txt", 60.0)
    add("--device", metavar="D", help="torch's default device during the module's tests")
    add("--only", metavar="EXPR", help="the tests whose names match, as pytest's -k reads it")
    text = "files or folders of tests, relative to the sources (default: pytest's choice)"
    add("--tests", nargs="+", default=[], metavar="PATH", help=text)
    add("--needs", nargs="+", default=[], metavar="REQ", help="more that the tests need")
    text = "variables of the tests' environment"
    add("--env", nargs="+", default=[], type=_variable, metavar="NAME=VALUE", help=text)
    add("--no-install", action="store_true", help="only with what is installed here")
    add("--upgrade", action="store_true", help="get and install all anew")


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text} is not NAME=VALUE")
    return name, value


def missing(needed: tuple[str, ...]) -> str:
    """A sentence about missing requirements of a run, or ""."""
    absent = [name for name in needed if importlib.util.find_spec(name) is None]
    return f'{", ".join(absent)} needed: pip install "xp-torch[conformance]"' if absent else ""


def library_tests(console: Console, options: argparse.Namespace) -> Ending:
    """Run a library's tests on a module, show and write the reports."""
    if reason := missing(NEEDED):
        return unable(console, reason)
    try:
        check_launcher(options.module)
        source = _source.find(options.library, options.upgrade)
        recipe = source.recipe()
        console.print(f"{source.title}: {source.root}", soft_wrap=True, highlight=False)
        if options.no_install:
            environment = _environment.running(source)
        else:
            console.print("installing what its tests need", highlight=False)
            needs = [*recipe.get("needs", []), *options.needs]
            environment = _environment.make(source, needs, options.module, options.upgrade)
        settings = Settings(
            module=options.module,
            source=source,
            environment=environment,
            timeout=options.timeout,
            only=options.only,
            tests=tuple(options.tests or recipe.get("tests", [])),
            device=options.device,
            extra=tuple((recipe.get("variables", {}) | dict(options.env)).items()),
        )
        progress = partial(_console.progress, console)
        subject = run(settings, expected=options.expected, progress=progress)
    except (_source.SourceError, NamespaceError, ExpectationError, ControlError) as error:
        return unable(console, str(error))
    for sentence in subject.warnings:
        warn(console, sentence)
    console.print(_tables.by_file(subject))
    _tables.causes(console, subject, subject.groups())
    _console.skips(console, subject)
    if options.report:
        # A local import, so that a run without reports does not need jinja2.
        from ._report import write

        _console.written(console, write(options.report, subject, options.history))
    return end(console, subject.ok, _tables.verdict(subject))
