"""Runs of pytest and of the command on a small library, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

LIBRARY = """
import numpy as np
from array_api_compat import array_namespace


def standardize(x):
    xp = array_namespace(x)
    return (x - xp.mean(x)) / xp.std(x)


def total(x):
    return float(np.sum(np.asarray(x)))


def ramp(x):
    xp = array_namespace(x)
    ones = xp.ones(x.shape[0], dtype=x.dtype)
    return x + ones


def named(x, name: str):
    return x
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A module of Python in a folder that has the library `small`."""
    (folder / "small.py").write_text(LIBRARY)
    bare = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    environment = {**bare, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", "COLUMNS": "200"}
    environment["OMP_NUM_THREADS"] = "1"
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def run_tests(folder: Path, tests: str, *options: str) -> str:
    """What pytest prints about one file of tests, with the plug-in."""
    (folder / "test_small.py").write_text(tests)
    plugin = ("-p", "conformance.worlds.pytest_plugin", "-p", "no:cacheprovider", "--tb=short")
    done = run(folder, "pytest", "-v", *plugin, *options)
    return done.stdout + done.stderr
