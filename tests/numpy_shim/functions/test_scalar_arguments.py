"""Arguments that a program computed: scalars that stay on the device."""

from __future__ import annotations

import math
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
import xp_backend.npy  # noqa: F401 - the device

CALLS = [
    "np.fft.fftfreq(n, step)", "np.fft.fftfreq(n, single)", "np.fft.rfftfreq(n, step)",
    "np.fft.rfftfreq(n, n)", "np.unwrap(f * 9, period=n)", "np.unwrap(f * 9, period=step)",
    "np.unwrap(f * 9, step)", "np.unwrap(i, period=n)", "np.cov(m, ddof=i[1])",
    "np.cov(m, ddof=f[0])",
    "np.linalg.pinv(m, step)", "np.linalg.pinv(m, rtol=step)", "np.linalg.matrix_rank(m, step)",
    "np.linalg.matrix_rank(m, rtol=step)", "np.linalg.lstsq(m, f[:2], step)[0]",
    "np.linalg.lstsq(m, f[:2], rcond=single)[0]", "math.trunc(step)",
]  # fmt: skip


@pytest.mark.parametrize("expression", CALLS)
def test_scalars_of_a_device(expression: str) -> None:
    def body(np: Any) -> Any:
        f, i, m = np.linspace(0.0, 1.0, 5), np.arange(4), np.arange(6.0).reshape(2, 3)
        names = {"f": f, "i": i, "m": m, "n": i[3], "step": f[1], "single": f.astype("f4")[1]}
        return eval(expression, {"np": np, "math": math, **names})

    expected = body(numpy)
    with torch.device("npy"):
        found = body(numpy_shim)
    if hasattr(found, "to_device"):
        assert (found.device.type, found.dtype) == ("npy", expected.dtype)
        found = found.to_device("cpu")
    numpy.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
