"""The libraries that ship array API tests: the test files and their requirements."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path, PurePosixPath

from ..libraries import _source

REFERENCE = "array_api_strict"
PEERS = (REFERENCE, "torch")


class TestsNotFoundError(Exception):
    """A library that is not installed, or has no such tests; the message tells the two apart."""


@dataclass(frozen=True)
class Library:
    """One of them. `kind` is the adapter in the plug-in; a test file that has no `text` has no
    test that takes a namespace. `switch` gives the variables that turn its support on.
    """

    kind: str
    package: str
    distribution: str
    text: str
    switch: Callable[[Sequence[str]], dict[str, str]]

    def area(self, test_id: str) -> str:
        """The sub-package of a test, or else the file name without `test_`."""
        path = PurePosixPath(test_id.split("::")[0])
        parts = path.parts[1:] if path.parts[0] == self.package else path.parts
        return path.stem.removeprefix("test_") if parts[0] == "tests" else parts[0]

    def version(self) -> str:
        return metadata.version(self.distribution)

    def tests(self) -> tuple[Path, Path]:
        """The folder that test ids are relative to, and the folder of the tests.

        They are in the installed package, or else in its source distribution.
        """
        spec = importlib.util.find_spec(self.package)
        folders = (spec and spec.submodule_search_locations) or []
        if not folders:
            raise TestsNotFoundError(f"{self.distribution} is not installed")
        folder = Path(folders[0])
        if next(folder.rglob("test_*.py"), None) is not None:
            return folder.parent, folder
        try:
            source = _source.find(f"{self.distribution}=={self.version()}")
        except _source.SourceError as error:
            raise TestsNotFoundError(str(error)) from None
        return source.root, source.root / "tests"

    def files(self, root: Path, folder: Path, areas: Iterable[str]) -> list[str]:
        """The files of the given areas (default: all) that have tests for namespaces."""
        wanted = frozenset(areas)
        pattern = re.compile(self.text)
        found = {
            path.relative_to(root).as_posix(): path
            for path in sorted(folder.rglob("test_*.py"))
            if pattern.search(path.read_text("utf-8"))
        }
        known = {self.area(name) for name in found}
        if not found or wanted - known:
            what = ", ".join(sorted(wanted - known)) or "no tests"
            raise TestsNotFoundError(
                f"{self.distribution} has no array API tests in {what}; it has them in "
                f"{', '.join(sorted(known))}"
            )
        return [name for name in found if not wanted or self.area(name) in wanted]


def _scipy(peers: Sequence[str]) -> dict[str, str]:
    """SciPy's conftest holds array-api-strict to this version of the standard; some of its fixtures
    need it, such as `devices`, which adds a list to what is a tuple from 2025.12 on.
    """
    return {"SCIPY_ARRAY_API": json.dumps(peers), "XP_TORCH_API_VERSION": "2024.12"}


def _sklearn(_: Sequence[str]) -> dict[str, str]:
    return {"SCIPY_ARRAY_API": "1"}


def _nothing(_: Sequence[str]) -> dict[str, str]:
    return {}


def _taking(names: str) -> str:
    """A pattern for a function with one of these parameters."""
    return rf"\bdef \w+\([^)]*\b(?:{names})\b"


LIBRARIES = {
    "scipy": Library("scipy", "scipy", "scipy", _taking("xp"), _scipy),
    "sklearn": Library("sklearn", "sklearn", "scikit-learn", r"yield_(mixed_)?namespace", _sklearn),
    "array-api-extra": Library(
        "extra", "array_api_extra", "array-api-extra", _taking("xp|library"), _nothing
    ),
}
