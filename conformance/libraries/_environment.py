"""The environment of a library's tests: the installed packages and the missing ones.

It is a virtual environment in the cache that sees the packages of the running one. pip installs
missing packages into it, and does not change the running environment.
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
# The packages that both runs need, at the installed versions.
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
    """A Python and additions to its search path. Warnings list failed installations."""

    python: str
    path: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def sources(root: Path) -> str:
    """The folder to import a library from if it is not installed."""
    return str(root / "src" if (root / "src").is_dir() else root)


def running(source: Source) -> Environment:
    """The running environment, without installations."""
    return Environment(sys.executable, (sources(source.root),))


def make(source: Source, needs: Sequence[str], module: str, upgrade: bool = False) -> Environment:
    """The library's environment. It is made if it is missing or has other requirements."""
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
    # This also reads the .pth files there, so that editable installations are found.
    line = f"import site; list(map(site.addsitedir, {ours!r}))\n"
    (Path(packages) / "conformance.pth").write_text(line, "utf-8")


def _constraints(module: str) -> list[str]:
    """The versions to keep: of the module's imports and of the runner's requirements."""
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
    """Make the environment; return warnings about packages that pip refused."""
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
            arguments = " ".join(words).replace(str(source.root), ".")
            warnings.append(f"pip install {arguments}: {errors[0] if errors else done.returncode}")
    return warnings


def _asked(source: Source) -> Iterator[list[str]]:
    """pip's arguments for the tests: extras, dependency groups, requirements files.

    Requirements for developers also have linters and similar; they are used only if there are none
    for the tests.
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
