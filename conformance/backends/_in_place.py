"""SciPy's own tests with SciPy, then with a package in SciPy's place; the results are compared.

The package is a module `scipy` of a namespace, as `numpy_shim.scipy`. The test files get it where
they import `scipy`, and the namespace where they import `numpy`.
"""

from __future__ import annotations

import importlib.util
from pathlib import PurePosixPath
from typing import Any

from .._installed import Installed
from .._namespace import NamespaceError
from .._results import UnableError
from .._twice import Twice, TwiceRun
from .in_place_plugin import IN_PLACE

CONTROL = "scipy"


class SciPyInPlace(Twice, Installed[TwiceRun]):
    """The whole of SciPy's test-suite; only what passes with SciPy counts."""

    original = CONTROL
    original_name = "SciPy"
    subject = "SciPy's tests"
    tested = "SciPy"
    name = package = distribution = "scipy"
    help = "run SciPy's tests with a package in its place"
    expected = "scipy/{module}"
    peers = ()
    rows = "sub-package"
    contents = "tests"
    plugin = "conformance.backends.in_place_plugin"
    timeout = 120.0
    areas = "sub-packages, or files: special, special/test_basic (default: all)"

    @classmethod
    def area(cls, test_id: str) -> str:
        """The sub-package of a test."""
        return PurePosixPath(test_id.split("::")[0]).parts[1]

    def choose(self, folder: Any) -> list[str]:
        """The test files of the chosen sub-packages, or the chosen files."""
        whole = {name.partition("/")[0] for name in self.options.areas}
        asked, self.options.areas = self.options.areas, sorted(whole)
        names = super().choose(folder)
        wanted = {name for name in asked if "/" in name}
        if not wanted:
            return names
        kept = [
            name
            for name in names
            if self.area(name) in asked or f"{self.area(name)}/{PurePosixPath(name).stem}" in wanted
        ]
        if not kept:
            raise UnableError(f"scipy has no test file {', '.join(sorted(wanted))}")
        return kept

    def variables(self, module: str, device: str | None) -> dict[str, str | None]:
        place = None if module == CONTROL else module
        return {IN_PLACE: place, "SCIPY_ARRAY_API": None}

    def find(self) -> str:
        module = self.options.module
        try:
            found = importlib.util.find_spec(module)
        except ModuleNotFoundError:  # its parent
            found = None
        if found is None:
            raise NamespaceError(f"there is no module named {module!r}")
        return super().find()

    def namespace(self, module: str) -> str:
        return module.rpartition(".")[0]

    def library(self) -> dict[str, Any]:
        return {"name": self.distribution, "version": self.version}
