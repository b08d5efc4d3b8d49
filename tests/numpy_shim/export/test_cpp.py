"""Compiled files: AOTInductor's package gives the function's results, in Python and in C++."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch

import numpy_shim
from numpy_shim.exceptions import ExportError

DOCS = Path(__file__).parents[3] / "docs"
EXAMPLE, GUIDE = DOCS / "examples" / "run_package.cpp", DOCS / "guides" / "export.md"
pytestmark = pytest.mark.skipif(
    shutil.which("c++") is None, reason="a C++ compiler compiles the file"
)

WEIGHTS = np.array([-3.0, 12.0, 17.0, 12.0, -3.0]) / 35


def savgol(x):
    """Savitzky's and Golay's filter of five points and two degrees, and how far it moves them."""
    size = len(WEIGHTS)
    inner = sum(WEIGHTS[i] * x[i : len(x) - size + 1 + i] for i in range(size))
    smooth = np.concatenate([x[: size // 2], inner, x[len(x) - size // 2 :]])
    return smooth, np.abs(smooth - x).max()


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("package") / "savgol.pt2"
    made = numpy_shim.export(savgol, np.linspace(0.0, 1.0, 20) ** 3, dynamic={"x": "n"})
    made.aot(path)
    return path


@pytest.mark.slow
def test_package_in_cpp(package: Path, tmp_path: Path):
    """The commands of the guide: no Python is in the process that runs the file."""
    shutil.copy(EXAMPLE, tmp_path)
    shutil.copy(package, tmp_path)
    commands = re.search(r"^```bash\n(.*?)^```", GUIDE.read_text("utf-8"), re.DOTALL | re.M)
    done = subprocess.run(
        commands[1], shell=True, cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "TORCH": str(Path(torch.__file__).parent)}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    numbers = [float(line) for line in done.stdout.splitlines()]
    smooth, moved = savgol(np.linspace(0.0, 1.0, 1000))
    np.testing.assert_allclose(numbers, [*smooth, moved], rtol=1e-12, atol=1e-14)


def test_guide_shows_the_example():
    assert EXAMPLE.read_text("utf-8") in GUIDE.read_text("utf-8")


def test_example_has_twenty_lines():
    assert len(EXAMPLE.read_text("utf-8").splitlines()) <= 20


def test_package_that_is_wrong_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What the package gives is compared with the function."""
    from numpy_shim._export import exported

    made = numpy_shim.export(savgol, np.linspace(0.0, 1.0, 20), dynamic={"x": "n"})
    path = tmp_path / "savgol.pt2"
    monkeypatch.setattr(exported, "compile_package", lambda program, name, on_cpu: path.touch())
    monkeypatch.setattr(
        exported, "load_package", lambda name: lambda x: {"result_0": x, "result_1": x[0]}
    )
    with pytest.raises(ExportError, match="gives other values for result_0"):
        made.aot(path)
    assert not path.exists()
