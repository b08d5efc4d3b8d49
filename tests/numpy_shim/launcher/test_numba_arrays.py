"""Launched programs call functions that Numba compiled, and joblib's cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.numpy_shim.launcher.launching import launch, with_numpy, write

COMPILED = """
    import numpy as np
    from numba import njit, vectorize

    @njit
    def fill(out, step):
        for i in range(out.shape[0]):
            out[i] = i * step
        return out, out.sum()

    @vectorize(["float64(float64, float64)"])
    def apart(a, b):
        return abs(a - b)

    out = np.zeros((2, 5))
    result, total = fill(out[1, ::2], np.float64(1.5))
    print(out, result, total, apart(out, 1.0) * 2)
    if "numpy_shim" in np.__name__:
        assert result.device == out.device == apart(out, 1.0).device
"""
CACHED = """
    import tempfile
    import joblib
    import numpy as np

    calls = []

    def total(x):
        calls.append(1)
        return x.sum() * 2, x + 1

    with tempfile.TemporaryDirectory() as folder:
        cached = joblib.Memory(folder, verbose=0).cache(total)
        print(cached(np.arange(3.0)), cached(np.arange(3.0)), cached(np.arange(4.0)), len(calls))
    print(joblib.hash({"a": np.eye(2)}))
"""


@pytest.mark.parametrize("where", ["cpu", "npy"])
@pytest.mark.parametrize(("library", "source"), [("numba", COMPILED), ("joblib", CACHED)])
def test_arrays_go_in_and_come_out(tmp_path: Path, library: str, source: str, where: str):
    pytest.importorskip(library)
    write(tmp_path, {"program.py": source})
    theirs = with_numpy(source).stdout
    assert launch("--device", where, "program.py", cwd=tmp_path).stdout == theirs
