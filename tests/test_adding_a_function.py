"""The changes that docs/adding-a-function.md shows: made in a copy, they pass the tests."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "adding-a-function.md"
SHOWN = re.compile(r'^```diff title="(\w+)"\n(.*?)^```$', re.DOTALL | re.MULTILINE)
CHANGES = dict(SHOWN.findall(PAGE.read_text("utf-8")))

VALUES = """
import numpy
import numpy_shim as np
x, y = numpy.random.default_rng(0).normal(size=(2, 3, 4))
for dtype, rtol in (("f8", 1e-13), ("f4", 1e-5), ("f2", 5e-3)):
    a, b = x.astype(dtype), y.astype(dtype)
    wide, other = a.astype("f8"), b.astype("f8")
    got = np.logaddexp10(np.array(a), np.array(b))
    assert got.dtype == dtype
    expected = numpy.log10(10**wide + 10**other)
    numpy.testing.assert_allclose(got.__array__(), expected, rtol, rtol)
    for axis in (None, 0, (0, 1), ()):
        got = np.root_mean_square(np.array(a), axis)
        assert got.dtype == dtype
        expected = numpy.sqrt(numpy.mean(wide**2, axis))
        numpy.testing.assert_allclose(numpy.asarray(got), expected, rtol)
out = np.zeros(3)
assert np.root_mean_square(x + 1j * y, 1, out) is out
numpy.testing.assert_allclose(out.__array__(), numpy.sqrt(numpy.mean(x**2 + y**2, 1)))
assert isinstance(np.logaddexp10(1.0, 2), numpy.float64)
numpy.testing.assert_allclose(np.logaddexp10.reduce(x).__array__(), numpy.log10((10**x).sum(0)))
"""
TESTS = ["test_surface.py", "test_docs.py", "test_refusals.py", "test_public_api.py"]


def applied(change: str, root: Path) -> list[str]:
    """The files that a diff changes, after it was applied to those below ``root``."""
    files = []
    for part in re.split(r"^--- a/", change, flags=re.MULTILINE)[1:]:
        file, *hunks = re.split(r"^@@.*\n", part, flags=re.MULTILINE)
        name = file.split("\n")[0]
        files.append(name)
        text = (root / name).read_text("utf-8")
        for hunk in hunks:
            lines = hunk.splitlines(keepends=True)
            before = "".join(line[1:] for line in lines if line[0] != "+")
            after = "".join(line[1:] for line in lines if line[0] != "-")
            assert text.count(before) == 1, f"{PAGE.name} shows other lines of {name}:\n{before}"
            text = text.replace(before, after)
        (root / name).write_text(text, "utf-8")
    return files


def run(root: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(ROOT)])}
    environment.pop("PYTEST_XDIST_WORKER", None)
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of numpy_shim, its tests and its pages with both changes."""
    root = tmp_path_factory.mktemp("changed")
    without = shutil.ignore_patterns("__pycache__", ".*")
    for name in ("numpy_shim", "tests", "docs"):
        shutil.copytree(ROOT / name, root / name, ignore=without)
    for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, root)
    assert list(CHANGES) == ["logaddexp10", "root_mean_square"]
    for change in CHANGES.values():
        assert 1 < len(applied(change, root)) <= 4
    return root


def test_values_are_numpys(changed: Path):
    run(changed, "-c", VALUES)


def test_new_functions_pass_the_tests_of_the_surface(changed: Path):
    """They trace, have gradients, documents whose examples run, and raise what these name."""
    wanted = " or ".join([*CHANGES, "table_is_complete", "star_import", "counted"])
    files = [f"tests/numpy_shim/{file}" for file in TESTS]
    shown = run(changed, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files, "-k", wanted)
    (cases,) = re.findall(r"^(\d+) cases in \d+ tests", shown, re.MULTILINE)
    assert int(cases) >= 20, shown


def test_reference_names_the_new_functions(changed: Path):
    run(changed, "docs/generate_reference.py")
    pages = changed / "docs" / "api" / "numpy"
    text = "".join(page.read_text("utf-8") for page in pages.glob("*.md"))
    for name in CHANGES:
        assert f"::: numpy_shim.{name}\n" in text
