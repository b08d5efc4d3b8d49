"""The environment of a library's tests: what is installed here, and below it what they need.

It is a virtual environment in the cache that sees the packages of the running one. pip installs
what is missing into it, and leaves the running environment as it is.
"""

from __future__ import annotations

import email
import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from .._namespace import search_path
from ._source import Source

CONTROL = "numpy"
# What both runs need, at the versions that are installed here.
FIXED = (CONTROL, "pytest", "pytest-timeout")
# Prints the distributions that a module imports.
_IMPORTED = """
import importlib, sys
from importlib.metadata import packages_distributions
importlib.import_module(sys.argv[1])
known = packages_distributions()
print(*{d for name in sys.modules for d in known.get(name.partition(".")[0], ())})
"""
_TESTS = re.compile(r"(?:\w+[-_])?(?:tests?|testing|pytest)(?:[-_]\w+)?")
_DEVELOPERS = re.compile(r"dev|develop|development|all")
_FILES = ("*requirements*test*.txt", "*test*requirements*.txt", "requirements/*test*.txt",
          "tests/requirements*.txt")  # fmt: skip


@dataclass(frozen=True)
class Environment:
    """A Python and what stands before its search path; a warning is what could not be installed."""

    python: str
    path: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def sources(root: Path) -> str:
    """The folder to import a library from that is not installed."""
    return str(root / "src" if (root / "src").is_dir() else root)


def running(source: Source) -> Environment:
    """The running environment, with nothing installed."""
    return Environment(sys.executable, (sources(source.root),))


def make(source: Source, needs: Sequence[str], module: str, upgrade: bool = False) -> Environment:
    """The library's environment, made if it is not there or was made for other needs."""
    folder = source.folder / "venv"
    python = _python(folder)
    note = source.folder / "installed.json"
    wanted = {"needs": list(needs), "host": sys.executable, "fixed": _constraints(module)}
    try:
        found = json.loads(note.read_text("utf-8"))
    except (OSError, json.JSONDecodeError):
        found = {}
    if upgrade or found.get("wanted") != wanted or not python.exists():
        warnings = _install(source, folder, needs, wanted["fixed"])
        found = {"wanted": wanted, "warnings": warnings}
        note.write_text(json.dumps(found), "utf-8")
    warnings = found["warnings"]
    if not needs and not source.recipe() and next(_asked(source), None) is None:
        warnings = [*warnings, "it does not say what its tests need; name it with --needs"]
    return Environment(str(python), (sources(source.root),), tuple(warnings))


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _create(folder: Path) -> None:
    venv.EnvBuilder(clear=True, symlinks=sys.platform != "win32").create(folder)
    variables = {"base": str(folder), "platbase": str(folder)}
    packages = sysconfig.get_path("purelib", "venv", vars=variables)
    ours = [p for p in sys.path if Path(p).name in ("site-packages", "dist-packages")]
    # The files there that end in .pth are read too: what is installed as editable is seen.
    line = f"import site; list(map(site.addsitedir, {ours!r}))\n"
    (Path(packages) / "conformance.pth").write_text(line, "utf-8")


def _constraints(module: str) -> list[str]:
    """The versions that must stay: of what the module imports, and of the runner's needs."""
    done = subprocess.run(
        [sys.executable, "-c", _IMPORTED, module],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": search_path()},
        check=False,
    )
    imported = done.stdout.split() if done.returncode == 0 else []
    lines = []
    for name in sorted({*FIXED, *imported}):
        try:
            lines.append(f"{name}=={metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return lines


def _install(source: Source, folder: Path, needs: Sequence[str], fixed: Sequence[str]) -> list[str]:
    """Make the environment; the warnings, of what pip refused."""
    _create(folder)
    constraints = source.folder / "constraints.txt"
    constraints.write_text("\n".join(fixed) + "\n", "utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(_python(folder)), "install", "--quiet"]
    warnings = []
    asked = _asked(source)
    for words in [["--editable", str(source.root)], *asked, *([list(needs)] if needs else [])]:
        done = subprocess.run(
            [*pip, "--constraint", str(constraints), *words],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            lines = [x for x in done.stderr.splitlines() if x.strip()]
            errors = [x for x in lines if x.startswith(("ERROR", "error"))] or lines[-1:]
            told = " ".join(words).replace(str(source.root), ".")
            warnings.append(f"pip install {told}: {errors[0] if errors else done.returncode}")
    return warnings


def _asked(source: Source) -> Iterator[list[str]]:
    """pip's arguments for what the tests need: extras, dependency groups, files of requirements.

    What is for developers also holds linters and the like, and is taken only where there is
    nothing for the tests.
    """
    root = source.root
    for pattern in (_TESTS, _DEVELOPERS):
        extras = sorted(name for name in _extras(source) if pattern.fullmatch(name))
        groups = source.project().get("dependency-groups", {})
        named = sorted(name for name in groups if pattern.fullmatch(name))
        if extras:
            yield ["--editable", f"{root}[{','.join(extras)}]"]
        for name in named:
            yield ["--group", f"{root / 'pyproject.toml'}:{name}"]
        files = sorted({p for glob in _FILES for p in root.glob(glob)})
        if pattern is _TESTS:
            for file in files:
                yield ["--requirement", str(file)]
        if extras or named or files:
            return


def _extras(source: Source) -> set[str]:
    names = set(source.project().get("project", {}).get("optional-dependencies", {}))
    try:
        words = email.message_from_string((source.root / "PKG-INFO").read_text("utf-8"))
    except OSError:
        return names
    return names | set(words.get_all("Provides-Extra") or [])
