"""A suite of tests that an installed package ships, in the place where it is installed."""

from __future__ import annotations

import argparse
import importlib.util
import re
from importlib import metadata
from pathlib import Path
from typing import ClassVar, TypeVar

from ._results import Run, UnableError
from ._runner import Pytest
from ._suite import Suite
from .libraries import _source

CONFIGURATION = Path(__file__).with_name("pytest.ini")
"""The configuration of pytest: a wheel brings none, and pytest would look for one further up."""

R = TypeVar("R", bound=Run)


class Installed(Suite[R]):
    """Tests of a package, by areas. A file without `text` has no such test."""

    package: str
    distribution: str
    plugin: str
    """The plug-in of pytest that puts the namespace in its place."""

    contents: str
    """What the tests are called."""

    files = "test_*.py"
    text = ""
    areas = "sub-packages, or files without test_ and .py (default: all)"
    left_out: ClassVar[dict[str, str]] = {}
    """Areas that are never run, with the reasons."""

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("areas", nargs="*", metavar="AREA", help=cls.areas)

    @classmethod
    def area(cls, test_id: str) -> str:
        """The area of a test, or of a test file."""
        raise NotImplementedError

    def variables(self, module: str, device: str | None) -> dict[str, str | None]:
        """The variables that the plug-in and the package read."""
        raise NotImplementedError

    @property
    def version(self) -> str:
        return metadata.version(self.distribution)

    def find(self) -> str:
        self.root, folder = self.folders()
        self.tests = self.choose(folder)
        return ""

    def folders(self) -> tuple[Path, Path]:
        """The folder that test ids are relative to, and the folder of the tests.

        They are in the installed package, or else in its source distribution.
        """
        spec = importlib.util.find_spec(self.package)
        folders = (spec and spec.submodule_search_locations) or []
        if not folders:
            raise UnableError(f"{self.distribution} is not installed")
        folder = Path(folders[0]).resolve()  # as pytest names files, where a folder is a link
        if next(folder.rglob("test_*.py"), None) is not None:
            return folder.parent, folder
        source = _source.find(f"{self.distribution}=={self.version}")
        return source.root, source.root / "tests"

    def choose(self, folder: Path) -> list[str]:
        """The test files of the chosen areas (default: all)."""
        wanted, pattern = frozenset(self.options.areas), re.compile(self.text)
        names = [
            path.relative_to(self.root).as_posix()
            for path in sorted(folder.rglob(self.files))
            if pattern.search(path.read_text("utf-8"))
        ]
        names = [name for name in names if self.area(name) not in self.left_out]
        known = set(map(self.area, names))
        if not names or wanted - known:
            what = ", ".join(sorted(wanted - known)) or self.package
            raise UnableError(
                f"{self.distribution} has no {self.contents} in {what}; it has them in "
                f"{', '.join(sorted(known))}"
            )
        return [name for name in names if not wanted or self.area(name) in wanted]

    def request(self, module: str, device: str | None) -> Pytest:
        options = self.options
        return Pytest(
            module=module,
            folder=self.root,
            tests=self.tests,
            variables=self.variables(module, device),
            plugin=self.plugin,
            options=("-c", str(CONFIGURATION), "--confcutdir", str(self.root)),
            jobs=options.jobs,
            only=options.only,
            device=device,
            timeout=options.timeout,
        )

    def about(self, test_id: str) -> tuple[str, str]:
        return self.area(test_id), ""

    def chosen(self, test_id: str) -> bool:
        return self.area(test_id) in map(self.area, self.tests)

    def label(self, run: R) -> str:
        return f"{self.contents} of {self.distribution}"

    def notes(self, run: R) -> list[str]:
        return [f"Left out: {name}: {why}." for name, why in self.left_out.items()]
