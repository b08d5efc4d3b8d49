"""Programs written into a folder and run, with the launcher or without."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from tests import forks

ROOT = Path(__file__).parents[3]


def launch(
    *arguments: str,
    cwd: Path,
    status: int = 0,
    launcher: bool = True,
    given: str | None = None,
    imported: Sequence[str] = (),
) -> subprocess.CompletedProcess[str]:
    """Run ``python [-m numpy_shim] arguments``, and hold its exit status.

    ``given`` is the standard input; ``imported`` is what the program finds imported. Without the
    launcher that is nothing, in a new interpreter, unless it is given.
    """
    if launcher or imported:
        words = [*(["-m", "numpy_shim"] if launcher else []), *arguments]
        done = forks.run(words, cwd=cwd, given=given, imported=imported or forks.LAUNCHER)
    else:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=cwd, capture_output=True, text=True, timeout=300, input=given, check=False,
        )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return done


def write(folder: Path, sources: dict[str, str]) -> Path:
    """Write sources into a folder, by their paths in it; gives the folder."""
    for name, source in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source))
    return folder


def check_output(folder: Path, program: str, where: str) -> None:
    """Check that a program prints on a device what it prints with NumPy."""
    write(folder, {"program.py": program})
    found = launch("--device", where, "program.py", cwd=folder)
    assert found.stdout == with_numpy(program).stdout


def with_numpy(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """What a program does with NumPy; it is run once for all devices."""
    return _with_numpy(program, words, os.environ.get("SCIPY_ARRAY_API"))


@cache
def _with_numpy(
    program: str, words: tuple[str, ...], switch: str | None
) -> subprocess.CompletedProcess[str]:
    with TemporaryDirectory() as folder:
        write(Path(folder), {"program.py": program})
        return launch("program.py", *words, cwd=Path(folder), launcher=False)
