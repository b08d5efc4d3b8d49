"""Calls as NumPy programs write them, and as a torch program would have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

import numpy_shim as np


class Case(NamedTuple):
    """A call on our arrays, the same call on tensors, and the operands of both."""

    shim: Callable[..., Any]
    torch: Callable[..., Any]
    operands: str
    """Names of ``OPERANDS``, a letter each."""


OPERANDS: dict[str, Callable[[], torch.Tensor]] = {
    "x": lambda: torch.linspace(0.1, 0.9, 12).double().reshape(3, 4),
    "y": lambda: torch.linspace(0.9, 0.2, 12).double().reshape(3, 4),
    "v": lambda: torch.linspace(0.1, 0.9, 16).double(),
    "w": lambda: torch.linspace(0.3, 0.7, 16).double(),
    "f": lambda: torch.linspace(0.1, 0.9, 12).reshape(3, 4),
    "q": lambda: torch.eye(4).double() * 2 + 1,
    "s": lambda: torch.eye(4).double() * 4 + 1,
    "i": lambda: torch.arange(1, 13).reshape(3, 4),
    "j": lambda: torch.arange(13, 1, -1).reshape(3, 4),
    "k": lambda: torch.tensor([3, 1, 7]),
    "e": lambda: torch.tensor([0.5, 0.25, 1.5]).double(),
    "b": lambda: torch.arange(12).reshape(3, 4) % 2 == 0,
    "c": lambda: torch.linspace(0.1, 0.9, 8).to(torch.complex128),
}


def _into(x: Any, key: Any, value: Any) -> Any:
    x[key] = value
    return x


def _added(x: Any, y: Any) -> Any:
    x += y
    return x


CASES: dict[str, Case] = {
    # arithmetic
    "x + y": Case(lambda x, y: x + y, lambda x, y: x + y, "xy"),
    "x - y": Case(lambda x, y: x - y, lambda x, y: x - y, "xy"),
    "x * 2.5": Case(lambda x: x * 2.5, lambda x: x * 2.5, "x"),
    "2.5 - x": Case(lambda x: 2.5 - x, lambda x: 2.5 - x, "x"),
    "1 / x": Case(lambda x: 1 / x, lambda x: 1 / x, "x"),
    "x / y": Case(lambda x, y: x / y, lambda x, y: x / y, "xy"),
    "i / j": Case(lambda i, j: i / j, lambda i, j: i / j, "ij"),
    "-x": Case(lambda x: -x, lambda x: -x, "x"),
    "x ** 2": Case(lambda x: x**2, lambda x: x**2, "x"),
    "x ** y": Case(lambda x, y: x**y, lambda x, y: x**y, "xy"),
    "x // y": Case(lambda x, y: x // y, lambda x, y: x // y, "xy"),
    "x % y": Case(lambda x, y: x % y, lambda x, y: x % y, "xy"),
    "x // 2.0": Case(lambda x: x // 2.0, lambda x: x // 2.0, "x"),
    "x % 2.0": Case(lambda x: x % 2.0, lambda x: x % 2.0, "x"),
    "i + j": Case(lambda i, j: i + j, lambda i, j: i + j, "ij"),
    "i // j": Case(lambda i, j: i // j, lambda i, j: i // j, "ij"),
    "i % j": Case(lambda i, j: i % j, lambda i, j: i % j, "ij"),
    "i // 3": Case(lambda i: i // 3, lambda i: i // 3, "i"),
    "i % 3": Case(lambda i: i % 3, lambda i: i % 3, "i"),
    "i << 2": Case(lambda i: i << 2, lambda i: i << 2, "i"),
    "i & j": Case(lambda i, j: i & j, lambda i, j: i & j, "ij"),
    "x + f": Case(lambda x, f: x + f, lambda x, f: x + f, "xf"),
    "x * i": Case(lambda x, i: x * i, lambda x, i: x * i, "xi"),
    "f * i": Case(lambda f, i: f * i, lambda f, i: f.double() * i, "fi"),
    "x * b": Case(lambda x, b: x * b, lambda x, b: x * b, "xb"),
    "x += y": Case(_added, _added, "xy"),
    "x @ q": Case(lambda x, q: x @ q, lambda x, q: x @ q, "xq"),
    "c * c": Case(lambda c: c * c, lambda c: c * c, "c"),
    "abs of complex": Case(lambda c: abs(c), lambda c: c.abs(), "c"),
    # comparisons
    "x < y": Case(lambda x, y: x < y, lambda x, y: x < y, "xy"),
    "x == 0.5": Case(lambda x: x == 0.5, lambda x: x == 0.5, "x"),
    "i != j": Case(lambda i, j: i != j, lambda i, j: i != j, "ij"),
    "b & b": Case(lambda b: b & b, lambda b: b & b, "b"),
    "~b": Case(lambda b: ~b, lambda b: ~b, "b"),
    # functions of elements
    "sin": Case(np.sin, torch.sin, "x"),
    "exp": Case(np.exp, torch.exp, "x"),
    "log": Case(np.log, torch.log, "x"),
    "log1p": Case(np.log1p, torch.log1p, "x"),
    "sqrt": Case(np.sqrt, torch.sqrt, "x"),
    "tanh": Case(np.tanh, torch.tanh, "x"),
    "floor": Case(np.floor, torch.floor, "x"),
    "rint": Case(np.rint, torch.round, "x"),
    "sign": Case(np.sign, torch.sign, "x"),
    "square": Case(np.square, torch.square, "x"),
    "isnan": Case(np.isnan, torch.isnan, "x"),
    "isfinite": Case(np.isfinite, torch.isfinite, "x"),
    "arctan2": Case(np.arctan2, torch.atan2, "xy"),
    "hypot": Case(np.hypot, torch.hypot, "xy"),
    "maximum": Case(np.maximum, torch.maximum, "xy"),
    "fmin": Case(np.fmin, torch.fmin, "xy"),
    "logaddexp": Case(np.logaddexp, torch.logaddexp, "xy"),
    "where": Case(np.where, torch.where, "bxy"),
    "clip": Case(lambda x: np.clip(x, 0.2, 0.8), lambda x: torch.clamp(x, 0.2, 0.8), "x"),
    "maximum of a number": Case(lambda x: np.maximum(x, 0.0), lambda x: x.clamp(min=0.0), "x"),
    "sin of integers": Case(np.sin, lambda i: i.double().sin(), "i"),
    "round": Case(lambda x: np.round(x, 2), lambda x: torch.round(x, decimals=2), "x"),
    "nan_to_num": Case(np.nan_to_num, torch.nan_to_num, "x"),
    # reductions
    "sum": Case(np.sum, torch.sum, "x"),
    "sum of an axis": Case(lambda x: np.sum(x, axis=0), lambda x: x.sum(0), "x"),
    "mean": Case(np.mean, torch.mean, "x"),
    "mean, keepdims": Case(
        lambda x: x.mean(-1, keepdims=True), lambda x: x.mean(-1, keepdim=True), "x"),
    "max": Case(lambda x: x.max(), lambda x: x.max(), "x"),
    "max of an axis": Case(lambda x: x.max(1), lambda x: x.amax(1), "x"),
    "argmax": Case(lambda x: np.argmax(x, axis=1), lambda x: x.argmax(1), "x"),
    "prod": Case(np.prod, torch.prod, "x"),
    "any": Case(np.any, torch.any, "b"),
    "all of an axis": Case(lambda b: b.all(axis=0), lambda b: b.all(0), "b"),
    "std": Case(np.std, lambda x: torch.std(x, correction=0), "x"),
    "var of an axis": Case(
        lambda x: np.var(x, axis=0), lambda x: torch.var(x, 0, correction=0), "x"),
    "cumsum": Case(lambda x: np.cumsum(x, axis=1), lambda x: x.cumsum(1), "x"),
    "diff": Case(np.diff, torch.diff, "v"),
    "median": Case(np.median, lambda v: torch.quantile(v, 0.5), "v"),
    "count_nonzero": Case(np.count_nonzero, torch.count_nonzero, "b"),
    "norm": Case(np.linalg.norm, torch.linalg.vector_norm, "v"),
    # shapes
    "reshape": Case(lambda x: x.reshape(4, 3), lambda x: x.reshape(4, 3), "x"),
    # Dynamo takes x.mT of an input outside of the graph, which then has no operator.
    "x.T": Case(lambda x: x.T, lambda x: x.transpose(0, 1), "x"),
    "ravel": Case(lambda x: x.T.ravel(), lambda x: x.mT.reshape(-1), "x"),
    "concatenate": Case(lambda x, y: np.concatenate([x, y]), lambda x, y: torch.cat([x, y]), "xy"),
    "stack": Case(lambda x, y: np.stack([x, y]), lambda x, y: torch.stack([x, y]), "xy"),
    "x[None]": Case(lambda x: x[None], lambda x: x[None], "x"),
    "broadcast_to": Case(
        lambda w: np.broadcast_to(w, (3, 16)), lambda w: w.expand(3, 16), "w"),
    "roll": Case(lambda v: np.roll(v, 2), lambda v: v.roll(2), "v"),
    "flip": Case(lambda x: np.flip(x, 0) + 1, lambda x: x.flip(0) + 1, "x"),
    "tile": Case(lambda v: np.tile(v, 2), lambda v: v.tile(2), "v"),
    "repeat": Case(lambda v: np.repeat(v, 2), lambda v: v.repeat_interleave(2), "v"),
    "outer": Case(np.outer, torch.outer, "vw"),
    "astype": Case(lambda x: x.astype(np.float32), lambda x: x.float(), "x"),
    "copy": Case(lambda x: x.copy(), lambda x: x.clone(), "x"),
    "zeros_like": Case(np.zeros_like, torch.zeros_like, "x"),
    "arange": Case(
        lambda x: np.arange(4) + x, lambda x: torch.arange(4) + x, "x"),
    "full": Case(
        lambda x: np.full((3, 4), 2.0) + x,
        lambda x: torch.full((3, 4), 2.0, dtype=torch.float64) + x, "x"),
    # indexing
    "x[1]": Case(lambda x: x[1], lambda x: x[1], "x"),
    "x[1:, ::2]": Case(lambda x: x[1:, ::2], lambda x: x[1:, ::2], "x"),
    "v[k]": Case(lambda v, k: v[k], lambda v, k: v[k], "vk"),
    "take": Case(lambda v, k: np.take(v, k), lambda v, k: torch.take(v, k), "vk"),
    "v[1:] = w[1:]": Case(
        lambda v, w: _into(v, slice(1, None), w[1:] * 2),
        lambda v, w: _into(v, slice(1, None), w[1:] * 2), "vw"),
    "x[0] = 1.5": Case(lambda x: _into(x, 0, 1.5), lambda x: _into(x, 0, 1.5), "x"),
    "v[k] = e": Case(_into, _into, "vke"),
    "x[b] = 0.0": Case(lambda x, b: _into(x, b, 0.0), lambda x, b: x.masked_fill_(b, 0.0), "xb"),
    # sorting and searching
    "sort": Case(np.sort, lambda v: v.sort().values, "v"),
    "argsort": Case(np.argsort, lambda v: v.argsort(), "v"),
    "searchsorted": Case(np.searchsorted, torch.searchsorted, "vw"),
    "interp": Case(
        lambda w, v: np.interp(w, v, v * 2), lambda w, v: _interpolated(w, v, v * 2), "wv"),
    # products and linear algebra
    "dot": Case(np.dot, torch.dot, "vw"),
    "matmul": Case(np.matmul, torch.matmul, "xq"),
    "einsum": Case(
        lambda x, y: np.einsum("ij,kj->ik", x, y), lambda x, y: torch.einsum("ij,kj->ik", x, y),
        "xy"),
    "tensordot": Case(
        lambda x, y: np.tensordot(x, y), lambda x, y: torch.tensordot(x, y, 2), "xy"),
    "solve": Case(lambda s, q: np.linalg.solve(s, q), lambda s, q: torch.linalg.solve(s, q), "sq"),
    "inv": Case(np.linalg.inv, torch.linalg.inv, "s"),
    "cholesky": Case(np.linalg.cholesky, torch.linalg.cholesky, "s"),
    "det": Case(np.linalg.det, torch.linalg.det, "s"),
    "fft": Case(np.fft.fft, torch.fft.fft, "c"),
    "rfft": Case(np.fft.rfft, torch.fft.rfft, "v"),
    "convolve": Case(
        lambda v, e: np.convolve(v, e),
        lambda v, e: torch.nn.functional.conv1d(
            v[None, None], e.flip(0)[None, None], padding=2)[0, 0],
        "ve"),
}  # fmt: skip


def _interpolated(x: torch.Tensor, points: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    above = torch.searchsorted(points, x, right=True).clamp(1, points.shape[0] - 1)
    low, high = points[above - 1], points[above]
    left, right = values[above - 1], values[above]
    inside = left + (right - left) / (high - low) * (x - low)
    inside = torch.where(x < points[0], values[0], inside)
    return torch.where(x > points[-1], values[-1], inside)


MORE: dict[str, tuple[int, int, str]] = {
    "i / j": (1, 2, "torch divides integers to float32"),
    "i // j": (1, 7, "torch raises for a divisor of 0, and the smallest integer by -1 traps"),
    "i % j": (1, 5, "torch raises for a divisor of 0, and the smallest integer by -1 traps"),
    "x % y": (1, 6, "torch gives NaN where the quotient overflows, and a zero the wrong sign"),
    "x % 2.0": (1, 2, "torch gives a zero the sign of the dividend"),
    "sign": (1, 3, "torch gives 0 for NaN"),
    "round": (1, 3, "compiled, torch multiplies by 0.01 instead of dividing by 100"),
    "searchsorted": (1, 5, "torch finds a wrong place if the sorted values end in NaN"),
    "interp": (
        23, 41, "the formula gives NaN beside infinite values and points, and misses equal points"),
    "solve": (5, 6, "torch's matrices lie in columns; writing to views needs NumPy's rows"),
    "inv": (5, 6, "torch's matrices lie in columns; writing to views needs NumPy's rows"),
    "cholesky": (5, 6, "torch's matrices lie in columns; writing to views needs NumPy's rows"),
    "convolve": (8, 29, "torch multiplies infinities by the zeros of the padding: NaN at the ends"),
}  # fmt: skip
"""Calls with more operators than by hand: how many both have, and the value torch gets wrong."""
