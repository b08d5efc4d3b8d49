"""SciPy's own tests with a package in SciPy's place."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("scipy")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "conformance", "scipy", *words, "--jobs", "1"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_file_passes_with_ours():
    ended = run("cluster/test_vq", "--module", "numpy_shim.scipy")
    assert ended.returncode == 0, ended.stdout
    assert "SciPy's tests on numpy_shim.scipy" in ended.stdout.splitlines()[-1]
    assert "100.0 % of the" in ended.stdout.splitlines()[-1]


def test_arrays_of_the_parent_are_given():
    """A package that refuses fails: the test files have it, and not SciPy."""
    ended = run("cluster/test_vq", "--module", "tests.conformance.refusing.scipy")
    assert ended.returncode == 1, ended.stdout
    assert "not of NumPy" in ended.stdout


def test_wrong_names_are_told():
    assert "no module named 'numpy_shim.nothing.scipy'" in " ".join(
        run("cluster", "--module", "numpy_shim.nothing.scipy").stdout.split()
    )
    ended = run("cluster/test_nothing", "--module", "numpy_shim.scipy")
    assert ended.returncode == 2
    assert "cluster/test_nothing" in ended.stdout
