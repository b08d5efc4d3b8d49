"""A library's array API tests on a module and its peers, in one pytest."""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from rich.console import Console

from .._endings import warn
from .._installed import Installed
from .._namespace import NamespaceError, about
from .._results import Problem, Result, Run
from .._suite import Suite
from .._tables import Cell, Table, by_run
from ._in_place import SciPyInPlace
from .plugin import BACKEND

REFERENCE = "array_api_strict"


@dataclass
class BackendRun(Run):
    """The results of a library's tests for one backend, the module or a peer.

    `keys` are the ids without the backend, `reference` the outcomes with the reference by key.
    """

    keys: Mapping[str, str] = field(default_factory=dict)
    reference: Mapping[str, str] = field(default_factory=dict)

    def other(self, result: Result) -> str:
        """The outcome of the same test with the reference; "" if the reference lacks the test."""
        return self.reference.get(self.keys.get(result.id, ""), "")

    @property
    def faults(self) -> list[Result]:
        """The failures of tests that pass with the reference."""
        return [r for r in self.failures if self.other(r) == "passed"]

    def data(self) -> dict[str, Any]:
        data = super().data()
        for test, result in zip(data["tests"], self.results, strict=True):
            test["reference"] = self.other(result)
        worse = sorted(r.id for r in self.faults)
        return {"regressions": worse, "causes": self.cause_data(), **data}


def _taking(names: str) -> str:
    """A pattern for a function with one of these parameters."""
    return rf"\bdef \w+\([^)]*\b(?:{names})\b"


class Backends(Installed[BackendRun]):
    """A library that ships array API tests."""

    run_type = BackendRun
    expected = "{suite.distribution}/{module}"
    peers = (REFERENCE, "torch")
    rows = "sub-package"
    plugin = "conformance.backends.plugin"
    contents = "array API tests"

    def switch(self) -> dict[str, str]:
        """The variables that turn the library's support on."""
        return {}

    @classmethod
    def area(cls, test_id: str) -> str:
        """The sub-package of a test, or else the file name without `test_`."""
        path = PurePosixPath(test_id.split("::")[0])
        parts = path.parts[1:] if path.parts[0] == cls.package else path.parts
        return path.stem.removeprefix("test_") if parts[0] == "tests" else parts[0]

    def find(self) -> str:
        # A failure means nothing without the reference.
        wanted = dict.fromkeys([REFERENCE, *self.options.against])
        here = [name for name in wanted if importlib.util.find_spec(name.partition(".")[0])]
        for name in self.options.against:
            if name not in here:
                warn(self.console, f"left out: {name} is not installed")
        self.beside = [name for name in here if name != self.options.module]
        return super().find()

    def variables(self, module: str, device: str | None) -> dict[str, str | None]:
        asked = {
            "kind": self.name,
            "package": self.package,
            "module": module,
            "peers": self.beside,
            "device": device,
        }
        return {BACKEND: json.dumps(asked), "SCIPY_DEVICE": device, **self.switch()}

    def run(self) -> list[BackendRun]:
        """Run all backends at once, and tell their results apart."""
        module, device = self.options.module, self.device
        expectations = self.expectations(module, self.options.expected, device)
        request = self.request(module, device)
        versions = {module: about(module, device).version}
        versions |= {name: _version(name) for name in self.beside}
        session = self.session(request)
        keys = {test_id: fact["key"] for test_id, fact in session.log.facts.items()}
        backends = {test_id: fact["backend"] for test_id, fact in session.log.facts.items()}
        runs = []
        for name, version in versions.items():
            run = BackendRun(name, version, request.repeat, causes=session.log.causes, keys=keys)
            run.results = [r for r in session.results if backends.get(r.id) == name]
            run.seconds = sum(r.seconds for r in run.results)
            runs.append(run)
        reference = {
            keys[r.id]: r.outcome for run in runs for r in run.results if run.module == REFERENCE
        }
        for run in runs:
            run.reference = reference
        runs[0].problems = session.log.problems
        if not runs[0].results and not runs[0].problems:
            message = f"no test of {self.distribution} was run\n{session.output}"
            runs[0].problems.append(Problem("broken run", module, message))
        self.judge(runs[0], expectations, session)
        return runs

    def tables(self, runs: Sequence[BackendRun]) -> list[Table]:
        def worse(area: str) -> Cell:
            return ((sum(area in ("", r.chapter) for r in runs[0].faults), "failed"),)

        more = {f"fails, passes with\n{REFERENCE}": worse}
        return [by_run(runs, self.rows, f"{self.label(runs[0])} {self.version}", more)]

    def verdict(self, run: BackendRun) -> str:
        return (
            f"{self.distribution} {self.version} on {run.name}: {run.line()}; "
            f"{len(run.faults)} of the failures pass with {REFERENCE}"
        )

    def cell(self, result: Result) -> tuple[str, str]:
        return result.chapter, result.id.split("/")[-1].split("[")[0]

    def data(self, runs: Sequence[BackendRun]) -> dict[str, Any]:
        library = {"name": self.distribution, "version": self.version}
        return {"library": library, "reference": REFERENCE, **self.asked()}


def _version(name: str) -> str:
    try:
        return about(name).version
    except NamespaceError:
        return ""


class SciPy(Backends):
    name = package = distribution = "scipy"
    help = (
        "run the array API tests of SciPy with a namespace as a backend; or, with a module named "
    )
    help += "scipy, all of SciPy's tests with that module in SciPy's place"
    text = _taking("xp")

    @classmethod
    def of(cls, console: Console, options: argparse.Namespace) -> Suite[Any]:
        in_place = options.module.rpartition(".")[2] == cls.package and "." in options.module
        return (SciPyInPlace if in_place else cls)(console, options)

    def switch(self) -> dict[str, str]:
        # SciPy's conftest holds array-api-strict to this version of the standard; some of its
        # fixtures need it, such as `devices`, which adds a list to what is a tuple from 2025.12 on.
        return {"SCIPY_ARRAY_API": json.dumps(self.beside), "XP_TORCH_API_VERSION": "2024.12"}


class ScikitLearn(Backends):
    name = package = "sklearn"
    distribution = "scikit-learn"
    help = "run the array API tests of scikit-learn with a namespace as a backend"
    text = r"yield_(mixed_)?namespace"

    def switch(self) -> dict[str, str]:
        return {"SCIPY_ARRAY_API": "1"}


class Extra(Backends):
    name = distribution = "array-api-extra"
    package = "array_api_extra"
    help = "run the array API tests of array-api-extra with a namespace as a backend"
    text = _taking("xp|library")
