"""Get a library's sources from its source distribution or a checkout.

Both are put into the cache, so that nothing is written to the user's folders.
"""

from __future__ import annotations

import email
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._results import UnableError

_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)(?:==(?P<version>[\w.!+-]+))?")
# Parts of a checkout that its tests do not need.
_LEFT = shutil.ignore_patterns(
    ".venv", "venv", ".tox", ".nox", "node_modules", "__pycache__", "*.pyc", ".*_cache", "build"
)


RECIPES = Path(__file__).with_name("recipes.toml")


class SourceError(UnableError):
    """The sources are not available; the message says why."""


@dataclass(frozen=True)
class Source:
    """A library's sources. `folder` is its part of the cache, `root` the sources in it."""

    name: str
    version: str
    folder: Path
    origin: str

    @property
    def root(self) -> Path:
        return self.folder / "source"

    @property
    def title(self) -> str:
        return f"{self.name} {self.version}".strip()

    def recipe(self) -> dict[str, Any]:
        """Its entry in `recipes.toml`, or {}."""
        recipes = tomllib.loads(RECIPES.read_text("utf-8"))
        found: dict[str, Any] = recipes.get(_canonical(self.name), {})
        return found

    def project(self) -> dict[str, Any]:
        """Its `pyproject.toml`, or {} if that cannot be read."""
        try:
            return tomllib.loads((self.root / "pyproject.toml").read_text("utf-8"))
        except (OSError, tomllib.TOMLDecodeError):
            return {}


def cache() -> Path:
    """The folder of all libraries."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return (Path(base) / "xp-torch" / "libraries").expanduser().resolve()


def find(given: str, upgrade: bool = False) -> Source:
    """The sources of NAME, NAME==VERSION, or of a checkout: a path with a separator, or `.`.

    A distribution in the cache is not downloaded again unless `upgrade` is true.
    Raises SourceError.
    """
    if os.sep in given or given in (os.curdir, os.pardir):
        return _copied(Path(given).expanduser().resolve())
    match = _REQUIREMENT.fullmatch(given)
    if match is None:
        raise SourceError(f"{given!r} is neither NAME, NAME==VERSION nor a path such as ./{given}")
    found = None if upgrade else _kept(match["name"], match["version"] or "*")
    return found or _downloaded(match["name"], given)


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _facts(root: Path, name: str) -> tuple[str, str]:
    """Name and version, from a source distribution's metadata or from `pyproject.toml`."""
    try:
        words = email.message_from_string((root / "PKG-INFO").read_text("utf-8"))
        return words["Name"] or name, words["Version"] or ""
    except OSError:
        pass
    project = Source(name, "", root.parent, "").project().get("project", {})
    return project.get("name", name), project.get("version", "")


def _kept(name: str, version: str) -> Source | None:
    """The newest entry for the distribution in the cache."""
    folders = [p for p in cache().glob(f"{_canonical(name)}-{version}") if (p / "source").is_dir()]
    # A copy of a checkout may have that name too.
    folders = [p for p in folders if (p / "source" / "PKG-INFO").is_file()]
    if not folders:
        return None
    folder = max(folders, key=lambda p: p.stat().st_mtime)
    return Source(*_facts(folder / "source", name), folder, "PyPI")


def _downloaded(name: str, requirement: str) -> Source:
    cache().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache(), prefix=".") as temporary:
        folder = Path(temporary)
        words = ["download", "--quiet", "--no-deps", "--no-binary", name, "--dest", temporary]
        done = subprocess.run(
            [sys.executable, "-m", "pip", *words, requirement],
            capture_output=True,
            text=True,
            check=False,
        )
        archives = sorted(p for p in folder.iterdir() if p.is_file())
        if not archives:
            lines = [x for x in done.stderr.splitlines() if x.startswith("ERROR")]
            why = lines[-1] if lines else done.stderr.strip()
            raise SourceError(f"pip could not get the source distribution of {requirement}: {why}")
        _unpack(archives[0], folder / "unpacked")
        (top,) = (folder / "unpacked").iterdir()
        found, version = _facts(top, name)
        kept = cache() / f"{_canonical(found)}-{version}"
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        top.rename(kept / "source")
    return Source(found, version, kept, "PyPI")


def _unpack(archive: Path, folder: Path) -> None:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as package:
            package.extractall(folder)
    else:
        with tarfile.open(archive) as package:
            package.extractall(folder, filter="data")


def _copied(path: Path) -> Source:
    if not path.is_dir():
        raise SourceError(f"{path} is not a folder")
    mark = hashlib.sha256(str(path).encode()).hexdigest()[:8]
    folder = cache() / f"{_canonical(path.name)}-{mark}"
    # Keep the environment beside it.
    shutil.rmtree(folder / "source", ignore_errors=True)
    shutil.copytree(path, folder / "source", symlinks=True, ignore=_LEFT)
    return Source(*_facts(folder / "source", path.name), folder, str(path))
