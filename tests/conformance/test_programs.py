"""`python -m conformance programs`: programs on a device, and what differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance._cli import main
from conformance.programs._comparison import Ran, difference

PROGRAMS = Path(__file__).parent / "programs"


def report(folder: Path, path: Path, *options: str) -> tuple[int, dict]:
    status = main(["programs", str(path), "--device", "npy", "--report", str(folder), *options])
    return status, json.loads((folder / "report.json").read_text("utf-8"))


def test_tutorial_programs_do_on_a_device_what_they_do_with_numpy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("SCIPY_ARRAY_API")  # with it SciPy gives arrays for some scalars
    for name in ("matplotlib", "pandas", "PIL", "sklearn"):
        pytest.importorskip(name)
    status, found = report(tmp_path / "report", PROGRAMS)
    assert status == 0, found
    assert len(list(PROGRAMS.glob("*.py"))) == 20


def test_differences_and_crossings_are_reported(tmp_path: Path):
    """A program that asks who runs it differs; one that fails with NumPy is left out."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "differs.py").write_text("import numpy as np\nprint(np.__name__)\n")
    (programs / "fails.py").write_text("import numpy as np\nnp.no_such_name\n")
    (programs / "reads.py").write_text("import numpy as np\nprint(float(np.ones(4).sum()))\n")
    status, found = report(tmp_path / "report", programs)
    text = json.dumps(found)
    assert status == 1
    assert "printed 'numpy_shim', with NumPy 'numpy'" in text
    assert "fails with NumPy: AttributeError" in text
    assert '"float()", 1, 8]' in text


@pytest.mark.parametrize(
    ("theirs", "ours", "line"),
    [
        ("a 1.25", "a 1.26", ""),
        ("a 1.25", "a 1.28", "printed 1.28, with NumPy 1.25"),
        ("3", "4", "printed 4, with NumPy 3"),
        ("1.5e-17", "-2.5e-17", ""),
        ("word", "other", "printed 'other', with NumPy 'word'"),
    ],
)
def test_words_and_numbers_are_compared(theirs: str, ours: str, line: str):
    assert difference(Ran(0, theirs, ""), Ran(0, ours, "")) == line
