"""Find the checkout of the public suite and its revision, and say how to get it."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .._results import UnableError

PIN_FILE = Path(__file__).parents[1] / "array-api-tests.rev"
VARIABLE = "XP_TORCH_ARRAY_API_TESTS"
TESTS = "array_api_tests"
URL = "https://github.com/data-apis/array-api-tests"


@dataclass(frozen=True)
class Checkout:
    """A checkout of the suite. A revision is empty if it could not be read."""

    path: Path
    revision: str
    standard_revision: str
    modified: bool

    @property
    def tests(self) -> Path:
        return self.path / TESTS

    def versions(self) -> list[str]:
        """The versions of the standard that this checkout can test; empty if unknown."""
        return sorted(p.name for p in (self.path / "array-api" / "spec").glob("20*"))

    def warnings(self) -> list[str]:
        """The differences of this checkout from the pinned revisions, one sentence each."""
        pins = pinned()
        found = {TESTS.replace("_", "-"): self.revision, "array-api": self.standard_revision}
        sentences = []
        for name, revision in found.items():
            if not revision:
                sentences.append(f"the revision of {name} is unknown (pinned: {pins[name]})")
            elif revision != pins[name]:
                sentences.append(f"{name} is at {revision}, pinned is {pins[name]}")
        if self.modified:
            sentences.append(f"{self.path} has local changes")
        return sentences


class SuiteNotFoundError(UnableError):
    """The suite is in none of the searched folders; the message says what to do."""


def pinned() -> dict[str, str]:
    """The pinned revision of each repository, from `array-api-tests.rev`."""
    lines = (line.split("#")[0].split() for line in PIN_FILE.read_text("utf-8").splitlines())
    return {fields[0]: fields[1] for fields in lines if fields}


def candidates(given: str | None) -> list[tuple[str, Path]]:
    """The folders to search, each with its source; a folder that the user names is the only one."""
    if given:
        return [("--suite", Path(given))]
    if named := os.environ.get(VARIABLE):
        return [(f"${VARIABLE}", Path(named))]
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return [
        ("the cache", Path(cache) / "xp-torch" / "array-api-tests"),
        ("beside the checkout", Path(__file__).parents[3] / "array-api-tests"),
    ]


def _git(path: Path, *arguments: str) -> str | None:
    # Without the variable, `git status` would write the index in the suite's folder.
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(
            ["git", "-C", str(path), *arguments],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _revision(path: Path) -> str:
    # In a folder without a repository, git would return the parent's revision.
    return (_git(path, "rev-parse", "HEAD") or "") if (path / ".git").exists() else ""


def how_to_get() -> str:
    """The commands that put the pinned revision into the default folder."""
    target = "${XDG_CACHE_HOME:-$HOME/.cache}/xp-torch/array-api-tests"
    return "\n".join(
        [
            f'git clone {URL} "{target}"',
            f'git -C "{target}" checkout {pinned()["array-api-tests"]}',
            f'git -C "{target}" submodule update --init',
        ]
    )


def locate(given: str | None = None) -> Checkout:
    """The suite, from `--suite`, the environment, the cache, or beside the checkout."""
    tried = []
    for how, folder in candidates(given):
        path = folder.expanduser().resolve()
        if (path / TESTS).is_dir() and (path / "conftest.py").is_file():
            status = _git(path, "status", "--porcelain") if (path / ".git").exists() else None
            return Checkout(path, _revision(path), _revision(path / "array-api"), bool(status))
        tried.append(f"  {path}  ({how})")
    raise SuiteNotFoundError(
        "The public suite array-api-tests was not found. Looked at:\n"
        + "\n".join(tried)
        + "\nGet it with:\n  "
        + how_to_get().replace("\n", "\n  ")
        + f"\nor name a checkout with --suite DIR or ${VARIABLE}."
    )
