"""array-api-extra on xp_torch arrays, beside the same on NumPy arrays."""

from __future__ import annotations

import array_api_extra as xpx
import numpy as np
import pytest
import torch

import xp_torch
from xp_torch._array import Array

A = np.random.default_rng(0).random((3, 4))
V = np.array([3, 1, 2, 3, 1])
W = np.array([3, 5])
D = np.array([0.0, 0.5, 1.5])

CASES = {
    "atleast_nd": lambda xp, a, v, w, d: xpx.atleast_nd(v, ndim=3),
    "cov": lambda xp, a, v, w, d: xpx.cov(a),
    "create_diagonal": lambda xp, a, v, w, d: xpx.create_diagonal(d),
    "expand_dims": lambda xp, a, v, w, d: xpx.expand_dims(d, axis=(0, 2)),
    "isclose": lambda xp, a, v, w, d: xpx.isclose(a, a + 1e-9),
    "kron": lambda xp, a, v, w, d: xpx.kron(v, w),
    "nunique": lambda xp, a, v, w, d: xpx.nunique(v),
    "one_hot": lambda xp, a, v, w, d: xpx.one_hot(v, 6),
    "pad": lambda xp, a, v, w, d: xpx.pad(v, 2),
    "setdiff1d": lambda xp, a, v, w, d: xpx.setdiff1d(v, w),
    "sinc": lambda xp, a, v, w, d: xpx.sinc(d),
    "at.set": lambda xp, a, v, w, d: xpx.at(v)[1:3].set(9),
    "at.add": lambda xp, a, v, w, d: xpx.at(a)[0, :].add(1.0),
    "at.mask": lambda xp, a, v, w, d: xpx.at(a, a > 0.5).multiply(2.0),
    "apply_where": lambda xp, a, v, w, d: xpx.apply_where(
        a > 0.5, a, lambda x: x * 2, lambda x: -x
    ),
    "default_dtype": lambda xp, a, v, w, d: xp.zeros(2, dtype=xpx.default_dtype(xp)),
}


@pytest.mark.parametrize("name", CASES)
def test_array_api_extra(name: str, device: str):
    """The same values as for NumPy arrays, in an xp_torch array."""
    arrays = [xp_torch.asarray(torch.from_numpy(x.copy()), device=device) for x in (A, V, W, D)]
    got = CASES[name](xp_torch, *arrays)
    expected = CASES[name](np, A.copy(), V.copy(), W.copy(), D.copy())
    assert isinstance(got, Array)
    np.testing.assert_allclose(np.asarray(got.to_device("cpu")), expected)
