"""ONNX files: exact constants, operators that are translated here, and the check before a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import numpy_shim
from numpy_shim._export import onnx_file
from numpy_shim.exceptions import ExportError

pytest.importorskip("onnxruntime", reason="ONNX Runtime checks the files")
pytest.importorskip("onnxscript", reason="torch converts with onnxscript")

X = np.random.default_rng(0).uniform(0.1, 2.0, 7)


@pytest.mark.parametrize("function", [
    lambda x: x * 0.1 + 0.7, lambda x: np.full(3, 0.1) * x[0], lambda x: np.log10(x) + np.log2(x),
    lambda x: x % 0.3 + 0.1**x, lambda x: np.sort(x), lambda x: np.percentile(x, 30),
    lambda x: np.cumsum(x),
    lambda x: np.array([3, -3, 7]) % 4 + x[:3], lambda x: (x, x), lambda x: x.astype("f4") * 0.1,
])  # fmt: skip
def test_is_as_exact_as_the_function(function: Any, tmp_path: Path):
    """Python's floats stay in double precision, which the check of the file tells."""
    numpy_shim.export(function, X, dynamic={"x": "n"}).onnx(tmp_path / "f.onnx")
    assert (tmp_path / "f.onnx").stat().st_size


def test_path_says_the_kind(tmp_path: Path):
    numpy_shim.export(lambda x: x + 1, X, path=tmp_path / "f.onnx")
    assert (tmp_path / "f.onnx").exists()


def solve(a, b):
    return np.linalg.solve(a, b)


def test_missing_operator_is_named(tmp_path: Path):
    made = numpy_shim.export(solve, np.eye(3), np.ones(3))
    with pytest.raises(ExportError, match=r"test_onnx.py:\d+: .*_linalg_solve_ex"):
        made.onnx(tmp_path / "f.onnx")


def test_missing_operator_of_the_runtime_is_named(tmp_path: Path):
    made = numpy_shim.export(lambda x: np.linalg.det(x), np.eye(3))
    with pytest.raises(ExportError, match="it has no Det for the dtype"):
        made.onnx(tmp_path / "f.onnx")


def test_wrong_file_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """ONNX Runtime's results are compared with the function's before there is a file."""
    made = numpy_shim.export(lambda x: x + 1, X)
    other = onnx_file.onnx_bytes(
        numpy_shim.export(lambda x: x + 1.001, X).program, made.inputs, made.outputs, {}
    )
    monkeypatch.setattr(onnx_file, "onnx_bytes", lambda *arguments: other)
    with pytest.raises(ExportError, match=r"gives other values for result .* by up to 0.001"):
        made.onnx(tmp_path / "f.onnx")
    assert not (tmp_path / "f.onnx").exists()


def test_inputs_to_check_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A program says itself what its file is checked with, where it does not take drawn inputs."""
    half = np.full(2, 0.5)
    made = numpy_shim.export(lambda p: p * 2, half)
    with pytest.raises(TypeError, match="inputs must be a sequence of tuples"):
        made.onnx(tmp_path / "f.onnx", inputs=[half])
    expected = made._call.expected

    def of_sum_one(tensors: Any, written: Any) -> Any:
        if not np.isclose(tensors[0].sum(), 1):
            raise ValueError("p must sum to 1")
        return expected(tensors, written)

    monkeypatch.setattr(made._call, "expected", of_sum_one)
    with pytest.raises(ExportError, match="takes none of the inputs that were drawn"):
        made.onnx(tmp_path / "f.onnx")
    made.onnx(tmp_path / "f.onnx", inputs=[(half,), (np.array([0.1, 0.9]),)])


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(onnx_file.importlib.util, "find_spec", lambda name: None)
    made = numpy_shim.export(lambda x: x + 1, X)
    with pytest.raises(ImportError, match=r"onnx, onnxscript, onnxruntime is not installed: pip"):
        made.onnx(tmp_path / "f.onnx")
