"""``python -m numpy_shim export module:function``."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch

from tests import forks
from tests.test_commands import environment

MODULE = """
import numpy as np


def smooth(x, steps, *, rate=0.5):
    for _ in range(steps):
        x = x + rate * (np.roll(x, 1) - x)
    return x


def branch(x):
    if x.sum() > 0:
        return x
    return -x


NUMBER = 3
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "filters.py").write_text(MODULE)
    np.savez(tmp_path / "inputs.npz", x=np.arange(6.0), rate=0.1)
    np.savez(tmp_path / "x.npz", x=np.arange(6.0))
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    words = ("-m", "numpy_shim", "export", *words)
    return forks.run(words, cwd=folder, variables=environment(), imported=forks.COMPILER)


def test_program(folder: Path):
    """Arrays are inputs by their names, numbers are set, axes are named."""
    done = run(folder, "filters:smooth", "--example", "inputs.npz", "--set", "steps=3",
               "--dynamic", "x=n", "-o", "f.pt2")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "takes x: float64 (n,)" in done.stdout
    assert "takes rate: float64 ()" in done.stdout
    loaded = torch.export.load(folder / "f.pt2").module()
    x = torch.arange(9.0, dtype=torch.float64)
    right = x
    for _ in range(3):
        right = right + 0.2 * (right.roll(1) - right)
    torch.testing.assert_close(loaded(x, torch.tensor(0.2, dtype=torch.float64)), right)


@pytest.mark.parametrize(("words", "status", "message"), [
    (("filters:branch", "--example", "x.npz", "-o", "f.pt2"), 1, "filters.py:12: if x.sum() > 0"),
    (("filters:smooth", "--example", "x.npz", "-o", "f.pt2"), 1, "missing a required argument"),
    (("filters:none", "--example", "x.npz", "-o", "f.pt2"), 2, "filters has no function 'none'"),
    (("filters:NUMBER", "--example", "x.npz", "-o", "f.pt2"), 2, "has no function 'NUMBER'"),
    (("none:smooth", "--example", "x.npz", "-o", "f.pt2"), 2, "no module named 'none'"),
    (("filters", "--example", "x.npz", "-o", "f.pt2"), 2, "as module:function; got 'filters'"),
    (("filters:smooth", "--example", "filters.py", "-o", "f.pt2"), 2, "is no file of arrays"),
    (("filters:smooth", "--example", "x.npz", "-o", "f.so"), 2, "must end with .onnx or .pt2"),
    (("filters:smooth", "--example", "x.npz", "-o", "f.onnx", "--aot"), 2, "must end with .pt2"),
    (("filters:smooth", "--example", "x.npz", "-o", "f.pt2", "--set", "steps"), 2, "--set takes"),
])  # fmt: skip
def test_wrong_words(folder: Path, words: tuple[str, ...], status: int, message: str):
    done = run(folder, *words)
    assert (done.returncode, message in done.stderr) == (status, True), done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "f.pt2").exists()


def test_script_named_export_is_run(folder: Path):
    """What was a script's call before the command is still one; a folder of that name is none."""
    (folder / "export").mkdir()
    assert (
        "as module:function" in run(folder, "filters", "--example", "x.npz", "-o", "f.pt2").stderr
    )
    (folder / "export").rmdir()
    (folder / "export").write_text("import sys\nprint(sys.argv)")
    assert run(folder, "--example", "3").stdout == "['export', '--example', '3']\n"
