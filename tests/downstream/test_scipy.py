"""SciPy with ``SCIPY_ARRAY_API=1``: the functions that support the standard return our arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.cluster
import scipy.fft
import scipy.ndimage
import scipy.signal
import scipy.special
import scipy.stats
import torch

import xp_torch as xp
from xp_torch._array import Array

RNG = np.random.default_rng(0)
X = RNG.random((20, 3))
V = RNG.random(32)
W = RNG.random(32)


def first(result: Any) -> Any:
    """The array of a result that may be a tuple of several."""
    return result if isinstance(result, (Array, np.ndarray)) else result[0]


CASES = {
    "cluster.vq.whiten": lambda xp, x, v, w: scipy.cluster.vq.whiten(x),
    "cluster.vq.vq": lambda xp, x, v, w: scipy.cluster.vq.vq(x, x[:4, :]),
    "fft.fft": lambda xp, x, v, w: scipy.fft.fft(v + 0j),
    "fft.rfft": lambda xp, x, v, w: scipy.fft.rfft(v),
    "fft.irfft": lambda xp, x, v, w: scipy.fft.irfft(scipy.fft.rfft(v)),
    "fft.fftshift": lambda xp, x, v, w: scipy.fft.fftshift(v),
    "signal.detrend": lambda xp, x, v, w: scipy.signal.detrend(v),
    "signal.hilbert": lambda xp, x, v, w: scipy.signal.hilbert(v),
    "signal.fftconvolve": lambda xp, x, v, w: scipy.signal.fftconvolve(v, w),
    "special.logsumexp": lambda xp, x, v, w: scipy.special.logsumexp(x, axis=0),
    "special.softmax": lambda xp, x, v, w: scipy.special.softmax(x, axis=1),
    "special.erf": lambda xp, x, v, w: scipy.special.erf(v),
    "special.xlogy": lambda xp, x, v, w: scipy.special.xlogy(v, w),
    "stats.zscore": lambda xp, x, v, w: scipy.stats.zscore(x),
    "stats.skew": lambda xp, x, v, w: scipy.stats.skew(x),
    "stats.kurtosis": lambda xp, x, v, w: scipy.stats.kurtosis(x),
    "stats.moment": lambda xp, x, v, w: scipy.stats.moment(x, 3),
    "stats.gmean": lambda xp, x, v, w: scipy.stats.gmean(x),
    "stats.entropy": lambda xp, x, v, w: scipy.stats.entropy(x),
    "stats.pearsonr": lambda xp, x, v, w: tuple(scipy.stats.pearsonr(v, w)),
    "stats.ttest_ind": lambda xp, x, v, w: tuple(scipy.stats.ttest_ind(v, w)),
}


@pytest.mark.parametrize("name", CASES)
def test_scipy(name: str, device: str):
    """The same values as for NumPy arrays, in an xp_torch array on the input's device."""
    body = CASES[name]
    arrays = [xp.asarray(torch.from_numpy(a), device=device) for a in (X, V, W)]
    got = first(body(xp, *arrays))
    assert isinstance(got, Array)
    assert got.device == arrays[0].device
    np.testing.assert_allclose(
        np.asarray(got.to_device("cpu")), first(body(np, X, V, W)), rtol=1e-9, atol=1e-12
    )
