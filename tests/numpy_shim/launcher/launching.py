"""Programs written into a folder and run, with the launcher or without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[3]


def launch(
    *arguments: str, cwd: Path, status: int = 0, launcher: bool = True, given: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``python [-m numpy_shim] arguments``, and hold its exit status.

    ``given`` is the standard input.
    """
    command = [sys.executable, *(["-m", "numpy_shim"] if launcher else []), *arguments]
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, timeout=300, input=given
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


def write(folder: Path, sources: dict[str, str]) -> Path:
    """Write sources into a folder, by their paths in it; gives the folder."""
    for name, source in sources.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source))
    return folder
