"""Scalars of ours wherever a number is asked for: axes, sizes, counts, orders.

A torch function that is given one leads back to us and gives an array, which must not end up
inside another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import numpy_shim
from tests.numpy_shim.differential import ROUNDING, compare

CALLS: dict[str, Callable[..., Any]] = {
    "reshape": lambda m, a, n, z, e: m.reshape(a, (n, -1)),
    "reshape2": lambda m, a, n, z, e: a.reshape(n, -1),
    "reshape3": lambda m, a, n, z, e: a.reshape((n, m.int64(3))),
    "reshape4": lambda m, a, n, z, e: a.reshape(m.int64(6)),
    "sum": lambda m, a, n, z, e: m.sum(a, axis=z),
    "asum": lambda m, a, n, z, e: a.reshape(2, 3).sum(n - 1),
    "zeros": lambda m, a, n, z, e: m.zeros(n),
    "zeros2": lambda m, a, n, z, e: m.zeros((n, n)),
    "ones": lambda m, a, n, z, e: m.ones((n,)),
    "full": lambda m, a, n, z, e: m.full((n,), n),
    "arange": lambda m, a, n, z, e: m.arange(n),
    "arange2": lambda m, a, n, z, e: m.arange(z, n, m.float64(0.5)),
    "linspace": lambda m, a, n, z, e: m.linspace(z, n, n + 3),
    "idx": lambda m, a, n, z, e: a[n],
    "idx2": lambda m, a, n, z, e: a[z:n],
    "idx3": lambda m, a, n, z, e: a.reshape(2, 3)[z, n],
    "idx4": lambda m, a, n, z, e: a.reshape(2, 3)[z],
    "idx5": lambda m, a, n, z, e: a[e],
    "concat": lambda m, a, n, z, e: m.concatenate([a, a], axis=z),
    "stack": lambda m, a, n, z, e: m.stack([a, a], axis=n - 1),
    "flip": lambda m, a, n, z, e: m.flip(a, axis=z),
    "roll": lambda m, a, n, z, e: m.roll(a, n),
    "roll2": lambda m, a, n, z, e: m.roll(a, n, axis=z),
    "tile": lambda m, a, n, z, e: m.tile(a, n),
    "repeat": lambda m, a, n, z, e: m.repeat(a, n),
    "exp": lambda m, a, n, z, e: m.expand_dims(a, z),
    "sq": lambda m, a, n, z, e: m.squeeze(a[None], z),
    "sw": lambda m, a, n, z, e: m.swapaxes(a.reshape(2, 3), z, n - 1),
    "mv": lambda m, a, n, z, e: m.moveaxis(a.reshape(2, 3), z, n - 1),
    "tr": lambda m, a, n, z, e: m.transpose(a.reshape(2, 3), (n - 1, z)),
    "max": lambda m, a, n, z, e: m.max(a, axis=z),
    "argmax": lambda m, a, n, z, e: m.argmax(a, axis=z),
    "sort": lambda m, a, n, z, e: m.sort(a, axis=e),
    "argsort": lambda m, a, n, z, e: m.argsort(a, axis=e),
    "cumsum": lambda m, a, n, z, e: m.cumsum(a, axis=z),
    "mean": lambda m, a, n, z, e: m.mean(a, axis=z),
    "std": lambda m, a, n, z, e: m.std(a, axis=z, ddof=n),
    "any": lambda m, a, n, z, e: m.any(a, axis=z),
    "diff": lambda m, a, n, z, e: m.diff(a, n, axis=z),
    "take": lambda m, a, n, z, e: m.take(a, n),
    "take2": lambda m, a, n, z, e: m.take(a.reshape(2, 3), n, axis=n - 1),
    "split": lambda m, a, n, z, e: m.split(a, n),
    "clip": lambda m, a, n, z, e: m.clip(a, z, n),
    "round": lambda m, a, n, z, e: m.round(a, n),
    "eye": lambda m, a, n, z, e: m.eye(n),
    "eye2": lambda m, a, n, z, e: m.eye(n, k=z),
    "tri": lambda m, a, n, z, e: m.tri(n),
    "tril": lambda m, a, n, z, e: m.tril(a.reshape(2, 3), z),
    "diag": lambda m, a, n, z, e: m.diag(a, n),
    "bc": lambda m, a, n, z, e: m.broadcast_to(a, (n, 6)),
    "pad": lambda m, a, n, z, e: m.pad(a, n),
    "pct": lambda m, a, n, z, e: m.percentile(a, n * 10),
    "hist": lambda m, a, n, z, e: m.histogram(a, n),
    "where": lambda m, a, n, z, e: m.where(a > n, a, z),
    "mp": lambda m, a, n, z, e: m.linalg.matrix_power(a[:4].reshape(2, 2), n),
    "norm": lambda m, a, n, z, e: m.linalg.norm(a, n),
    "fft": lambda m, a, n, z, e: m.abs(m.fft.fft(a, n)),
    "td": lambda m, a, n, z, e: m.tensordot(a.reshape(2, 3), a.reshape(3, 2), n - 1),
    "searchs": lambda m, a, n, z, e: m.searchsorted(a, n),
    "full_like": lambda m, a, n, z, e: m.full_like(a, n),
    "set": lambda m, a, n, z, e: (a.__setitem__(n, n), a)[1:],
    "set2": lambda m, a, n, z, e: (a.__setitem__(slice(z, n), n), a)[1:],
    "range": lambda m, a, n, z, e: list(range(n)),
    "pow": lambda m, a, n, z, e: a**n,
    "rot": lambda m, a, n, z, e: m.rot90(a.reshape(2, 3), n),
    "insert": lambda m, a, n, z, e: m.insert(a, n, z),
    "delete": lambda m, a, n, z, e: m.delete(a, n),
    "arsplit": lambda m, a, n, z, e: m.array_split(a, n + 2),
    "indices": lambda m, a, n, z, e: m.indices((n, n)),
    "rand": lambda m, a, n, z, e: m.random.RandomState(0).rand(n),
    "rng": lambda m, a, n, z, e: m.random.default_rng(m.int64(3)).normal(size=(n, n)),
    "bincount": lambda m, a, n, z, e: m.bincount(a.astype(int), minlength=n * 4),
    "conv": lambda m, a, n, z, e: m.convolve(a, a),
    "vander": lambda m, a, n, z, e: m.vander(a, n),
    "cs": lambda m, a, n, z, e: m.cumulative_sum(a, axis=z),
    "prod": lambda m, a, n, z, e: a.prod(z),
    "amin": lambda m, a, n, z, e: a.min(z),
    "item": lambda m, a, n, z, e: a.item(n),
    "resize": lambda m, a, n, z, e: m.resize(a, (n, n)),
    "ravel": lambda m, a, n, z, e: m.unravel_index(n, (n, n)),
    "svw": lambda m, a, n, z, e: m.lib.stride_tricks.sliding_window_view(a, n),
}


@pytest.mark.parametrize("name", CALLS)
def test_scalar_argument(name: str):
    """The result of NumPy's, on a tensor."""

    def body(np: Any) -> Any:
        return CALLS[name](np, np.arange(6.0), np.int64(2), np.int64(0), np.int64(-1))

    ours = compare(body, rtol=ROUNDING, atol=1e-15, kind=False, allow_numpy=True)
    for result in ours if isinstance(ours, (tuple, list)) else (ours,):
        if isinstance(result, numpy_shim.ndarray):
            assert type(result.tensor) is torch.Tensor


BOOLS: dict[str, Callable[..., Any]] = {
    "zeros": lambda np, a: np.zeros(True),
    "ones": lambda np, a: np.ones((True, 2)),
    "sum": lambda np, a: np.sum(a, axis=True),
    "sum2": lambda np, a: np.sum(a, axis=(True,)),
    "take": lambda np, a: np.take(a, [0], False),
    "squeeze": lambda np, a: np.squeeze(a, True),
    "concatenate": lambda np, a: np.concatenate([a], True),
    "repeat": lambda np, a: np.repeat(a, 2, True),
    "cumsum": lambda np, a: np.cumsum(a, True),
    "reduce": lambda np, a: np.add.reduce(a, True),
    "moveaxis": lambda np, a: np.moveaxis(a, True, 0),
    "expand_dims": lambda np, a: np.expand_dims(a, True),
    "sort": lambda np, a: np.sort(a, True),
}


@pytest.mark.parametrize("name", BOOLS)
def test_bools_for_axes_and_sizes(name: str):
    """No size is a bool, and an axis only where NumPy's function is written in Python."""
    compare(lambda np: BOOLS[name](np, np.array([[3], [1]])))
