"""`python -m conformance programs`: programs on the CPU and on a device, and what differs."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from conformance._cli import main
from conformance.programs._comparison import Ran, difference, run
from tests import forks
from tests.slow import one_in

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
LIBRARIES = {
    "PIL", "h5py", "imageio", "matplotlib", "networkx", "pandas", "scipy", "seaborn", "sklearn",
    "statsmodels", "xarray",
}  # fmt: skip


DRAWS = """
import random
import numpy as np
print(random.random(), np.random.rand(), np.random.default_rng().random(), np.loadtxt("draws.txt"))
"""


def report(folder: Path, path: Path, *options: str) -> tuple[int, dict]:
    status = main(["programs", str(path), "--device", "npy", "--report", str(folder), *options])
    return status, json.loads((folder / "report.json").read_text("utf-8"))


def imported(program: Path) -> set[str]:
    """The names of the packages that a program imports."""
    return set(re.findall(r"^(?:import|from) (\w+)", program.read_text("utf-8"), re.M))


@pytest.mark.parametrize("program", one_in(4, PROGRAMS), ids=lambda path: path.stem)
def test_a_program_does_launched_what_it_does_with_numpy(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """On the CPU and on a device: exit status, words, numbers, and pixels of figures."""
    monkeypatch.delenv("SCIPY_ARRAY_API")  # with it SciPy gives arrays for some scalars
    for name in imported(program) & LIBRARIES:
        pytest.importorskip(name)
    expected = run(program, tmp_path / "numpy")
    assert expected.status == 0, expected.errors
    for device in ("cpu", "npy"):
        launcher = ("numpy_shim", "--device", device)
        found = run(program, tmp_path / device, launcher, start=forks.run)
        assert not difference(expected, found), found.errors


def test_each_library_has_a_program():
    assert set().union(*map(imported, PROGRAMS)) >= LIBRARIES


def test_a_folder_of_programs_that_agree_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("SCIPY_ARRAY_API")
    pytest.importorskip("PIL")
    shutil.copytree(PROGRAMS[0].parent, tmp_path / "programs")
    status, found = report(tmp_path / "report", tmp_path / "programs", "--only", "thumbnails")
    assert status == 0, found


def test_differences_and_crossings_are_reported(tmp_path: Path):
    """A program that asks who runs it differs; one that NumPy fails or changes is left out."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "differs.py").write_text("import numpy as np\nprint(np.__name__)\n")
    (programs / "fails.py").write_text("import numpy as np\nnp.no_such_name\n")
    (programs / "draws.py").write_text(DRAWS)
    (programs / "draws.txt").write_text("1 2")
    (programs / "times.py").write_text("import time\nprint(time.perf_counter())\n")
    (programs / "reads.py").write_text("import numpy as np\nprint(float(np.ones(4).sum()))\n")
    status, found = report(tmp_path / "report", programs)
    text = json.dumps(found)
    assert status == 1
    assert "printed 'numpy_shim', with NumPy 'numpy'" in text
    assert "fails with NumPy: AttributeError" in text
    assert text.count('"outcome": "passed"') == 2  # draws.py and reads.py
    assert "two runs with NumPy differ: printed #, with NumPy #" in text
    assert '"float()", 1, 8]' in text


@pytest.mark.parametrize(
    ("theirs", "ours", "line"),
    [
        ("a 1.25", "a 1.26", ""),
        ("a 1.25", "a 1.28", "printed 1.28, with NumPy 1.25"),
        ("3", "4", "printed 4, with NumPy 3"),
        ("3", "3.5", "printed 3.5, with NumPy 3"),
        ("1.", "2.", "printed 2., with NumPy 1."),
        ("3.7909006623747683e+34", "3.7909006623747664e+34", ""),
        ("1.5e+34", "1.8e+34", "printed 1.8e+34, with NumPy 1.5e+34"),
        ("1.5e-17", "-2.5e-17", ""),
        ("<f at 0x7f01>", "<f at 0xdc02a>", ""),
        ("word", "other", "printed 'other', with NumPy 'word'"),
    ],
)
def test_words_and_numbers_are_compared(theirs: str, ours: str, line: str):
    assert difference(Ran(0, theirs, ""), Ran(0, ours, "")) == line
