"""A library's tests with NumPy, then with a module instead; the results are compared.

The module is a launcher: `python -m MODULE -m pytest` runs pytest, and files below the working
folder get the module when they import `numpy`.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from .._namespace import NamespaceError, search_path
from .._runner import USAGE, Pytest, Session
from .._twice import Twice, TwiceRun
from . import _environment, _source
from ._environment import CONTROL


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text} is not NAME=VALUE")
    return name, value


class Library(Twice):
    original = CONTROL
    original_name = "NumPy"
    name = "library"
    help = "run a library's own tests with NumPy, and with a module instead of NumPy"
    expected = "library/{suite.distribution}/{module}"
    module = "numpy_shim"
    timeout = 60.0
    peers = None
    distribution = "NAME"

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        text = "NAME or NAME==VERSION, from PyPI; or a checkout: a path with a separator in it"
        add("library", metavar="NAME|PATH", help=text)
        text = "files or folders of tests, relative to the sources (default: pytest's choice)"
        add("--tests", nargs="+", default=[], metavar="PATH", help=text)
        add("--needs", nargs="+", default=[], metavar="REQ", help="more that the tests need")
        text = "variables of the tests' environment"
        add("--env", nargs="+", default=[], type=_variable, metavar="NAME=VALUE", help=text)
        add("--no-install", action="store_true", help="only with what is installed here")
        add("--upgrade", action="store_true", help="get and install all anew")

    def find(self) -> str:
        options = self.options
        check_launcher(options.module)
        self.source = source = _source.find(options.library, options.upgrade)
        self.distribution, self.recipe = source.name, source.recipe()
        where = f"{source.title}: {source.root}"
        self.console.print(where, soft_wrap=True, highlight=False)
        if options.no_install:
            self.environment = _environment.running(source)
        else:
            self.console.print("installing what its tests need", highlight=False)
            needs = [*self.recipe.get("needs", []), *options.needs]
            made = _environment.make(source, needs, options.module, options.upgrade)
            self.environment = made
        return ""

    def request(self, module: str, device: str | None) -> Pytest:
        options = self.options
        path = os.pathsep.join([*self.environment.path, search_path()])
        extra = self.recipe.get("variables", {}) | dict(options.env)
        return Pytest(
            module=module,
            folder=self.source.root,
            tests=options.tests or self.recipe.get("tests", []),
            variables={"PYTHONPATH": path, "MPLBACKEND": "Agg", **extra},
            more=("--tb=short", "--maxfail=0"),
            python=self.environment.python,
            launcher=() if module == CONTROL else ("-m", module),
            jobs=0,  # the launcher does not start the processes of pytest-xdist
            only=options.only,
            device=device,
            timeout=options.timeout,
        )

    def run(self) -> list[TwiceRun]:
        for sentence in self.environment.warnings:
            self.warn(sentence)
        return super().run()

    def control(self) -> tuple[Pytest, Session]:
        request = self.request(CONTROL, None)
        session = self.session(request)
        if session.status == USAGE and not session.results:
            # The library's own options may need plug-ins that it does not declare.
            request = replace(request, options=("-o", "addopts="))
            session = self.session(request)
        self.checked(session)
        if request.options:
            self.warn("run without the options that the library gives pytest (addopts)")
        for problem in session.log.problems:
            line = (problem.message.splitlines() or [""])[0]
            self.warn(f"with NumPy, {problem.kind}: {problem.subject}: {line}")
        return request, session

    @property
    def subject(self) -> str:
        return self.source.title

    def label(self, run: TwiceRun) -> str:
        return f"tests of {self.source.name}"

    def title(self, run: TwiceRun) -> str:
        return f"Tests of {self.source.title} on {run.module}"

    def notes(self, run: TwiceRun) -> list[str]:
        return [f"The sources are from {self.source.origin}."]

    def library(self) -> dict[str, Any]:
        source = self.source
        return {"name": source.name, "version": source.version, "origin": source.origin}


def check_launcher(module: str) -> None:
    """Raise NamespaceError for a module that cannot replace NumPy."""
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None:
        raise NamespaceError(f"there is no module named {module!r}")
    folders = spec.submodule_search_locations or []
    if not any((Path(folder) / "__main__.py").is_file() for folder in folders):
        raise NamespaceError(
            f"{module} cannot take NumPy's place: `python -m {module} -m pytest` would have to"
        )
