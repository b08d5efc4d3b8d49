"""Public functions and operators that torch has too, for calls on ten elements.

Each is called as torch has it and as the namespace has it; ``benchmarks.surface --size 10`` times
both. The names of the operands are those of ``benchmarks.cases``.
"""

from __future__ import annotations

import timeit
from typing import Any, NamedTuple

import numpy
import torch

import numpy_shim
import xp_torch
from benchmarks.cases import Case

BOUNDS = {"numpy_shim": (1.40, 2.5), "xp_torch": (1.25, 2.0)}
"""The geometric mean and the worst that a call of each may take over torch's."""
OVER_NUMPY = (3.0, 8.0)
"""The same over NumPy's time."""


def _named(names: str, call: str, by_hand: str = "") -> list[Case]:
    """A case per name, ``numpy_name=torch_name`` where they differ; ``F`` stands for it."""
    cases = []
    for pair in names.split():
        name, _, torchs = pair.partition("=")
        hand = (by_hand or call).replace("F(", f"torch.{torchs or name}(")
        cases.append(Case(name, hand, call.replace("F(", f"xp.{name}(")))
    return cases


CASES: list[Case] = [
    *_named(
        "abs exp expm1 log log1p log2 log10 sqrt square sin cos tan sinh cosh tanh asin acos atan "
        "asinh atanh floor ceil trunc round sign negative=neg positive reciprocal isnan isinf "
        "isfinite signbit logical_not exp2 deg2rad rad2deg sinc=special.sinc",
        "F(t)",
    ),
    *_named("acosh", "F(j)"),
    *_named("bitwise_invert=bitwise_not", "F(i)"),
    *_named(
        "add subtract=sub multiply=mul divide=div pow maximum minimum fmax fmin hypot atan2 "
        "copysign nextafter logaddexp logaddexp2 remainder floor_divide fmod equal=eq not_equal=ne "
        "less=lt less_equal=le greater=gt greater_equal=ge logical_and logical_or logical_xor "
        "heaviside",
        "F(t, u)",
    ),
    *_named("gcd lcm bitwise_and bitwise_or bitwise_xor", "F(i, j)"),
    *_named("bitwise_left_shift bitwise_right_shift", "F(i, j)"),
    *_named("sum prod mean max=amax min=amin any all argmax argmin count_nonzero", "F(t)"),
    *_named("sum mean max=amax min=amin", "F(m, axis=0)", "F(m, 0)"),
    *_named("argmax argmin", "F(m, axis=0)", "F(m, 0)"),
    *_named("std var", "F(t)", "F(t, correction=0)"),
    *_named("nansum nanmean nanmedian median", "F(t)"),
    *_named("cumsum cumprod", "F(t)", "F(t, 0)"),
    *_named("cumulative_sum=cumsum cumulative_prod=cumprod", "F(t)", "F(t, 0)"),
    *_named("sort argsort", "F(t)", "F(t, stable=True)"),
    *_named("unique_values=unique", "F(t)"),
    Case("unique", "torch.unique(t)", "xp.unique(t)"),
    *_named("nonzero", "F(t)", "F(t, as_tuple=True)"),
    Case("searchsorted", "torch.searchsorted(u, t)", "xp.searchsorted(u, t)"),
    Case("where", "torch.where(k, t, u)", "xp.where(k, t, u)"),
    Case("clip", "torch.clamp(t, 0.25, 0.75)", "xp.clip(t, 0.25, 0.75)"),
    Case("isclose", "torch.isclose(t, u)", "xp.isclose(t, u)"),
    Case("allclose", "torch.allclose(t, t)", "xp.allclose(t, t)"),
    Case("array_equal", "torch.equal(t, t)", "xp.array_equal(t, t)"),
    Case("isin", "torch.isin(i, n)", "xp.isin(i, n)"),
    Case("diff", "torch.diff(t)", "xp.diff(t)"),
    Case("trapezoid", "torch.trapezoid(t)", "xp.trapezoid(t)"),
    Case("nan_to_num", "torch.nan_to_num(t)", "xp.nan_to_num(t)"),
    Case("bincount", "torch.bincount(i)", "xp.bincount(i)"),
    Case("reshape", "torch.reshape(t, (2, 5))", "xp.reshape(t, (2, 5))"),
    Case("ravel", "torch.ravel(m)", "xp.ravel(m)"),
    Case("transpose", "m.T", "xp.transpose(m)"),
    Case("permute_dims", "torch.permute(m, (1, 0))", "xp.permute_dims(m, (1, 0))"),
    Case("moveaxis", "torch.moveaxis(m, 0, 1)", "xp.moveaxis(m, 0, 1)"),
    Case("swapaxes", "torch.swapaxes(m, 0, 1)", "xp.swapaxes(m, 0, 1)"),
    Case("expand_dims", "torch.unsqueeze(t, 0)", "xp.expand_dims(t, axis=0)"),
    Case("squeeze", "torch.squeeze(t[None], 0)", "xp.squeeze(t[None], axis=0)"),
    Case("broadcast_to", "torch.broadcast_to(t, (2, 10))", "xp.broadcast_to(t, (2, 10))"),
    Case("broadcast_arrays", "torch.broadcast_tensors(t, u)", "xp.broadcast_arrays(t, u)"),
    Case("atleast_2d", "torch.atleast_2d(t)", "xp.atleast_2d(t)"),
    Case("concat", "torch.cat([t, u])", "xp.concat([t, u])"),
    *_named("stack hstack vstack dstack column_stack", "F([t, u])"),
    Case("split", "torch.tensor_split(t, 2)", "xp.split(t, 2)"),
    Case("unstack", "torch.unbind(m)", "xp.unstack(m)"),
    *_named("flip", "F(t)", "F(t, (0,))"),
    *_named("roll", "F(t, 2)"),
    *_named("fliplr flipud rot90", "F(m)"),
    Case("repeat", "torch.repeat_interleave(t, 2)", "xp.repeat(t, 2)"),
    Case("tile", "torch.tile(t, (2,))", "xp.tile(t, (2,))"),
    Case("take", "torch.index_select(t, 0, n)", "xp.take(t, n)"),
    Case("take_along_axis", "torch.gather(m, 1, i.view(2, 5) % 5)",
         "xp.take_along_axis(m, xp.reshape(i, (2, 5)) % 5, axis=1)"),
    *_named("tril triu", "F(s)"),
    Case("diagonal", "torch.diagonal(s)", "xp.diagonal(s)"),
    Case("diag", "torch.diag(t)", "xp.diag(t)"),
    Case("trace", "torch.trace(s)", "xp.trace(s)"),
    Case("meshgrid", "torch.meshgrid(t, u, indexing='xy')", "xp.meshgrid(t, u)"),
    Case("zeros", "torch.zeros(10, dtype=torch.float64)", "xp.zeros(10)"),
    Case("ones", "torch.ones(10, dtype=torch.float64)", "xp.ones(10)"),
    Case("full", "torch.full((10,), 1.5, dtype=torch.float64)", "xp.full((10,), 1.5)"),
    Case("eye", "torch.eye(3, dtype=torch.float64)", "xp.eye(3)"),
    *_named("zeros_like ones_like empty_like", "F(t)"),
    Case("full_like", "torch.full_like(t, 1.5)", "xp.full_like(t, 1.5)"),
    Case("arange", "torch.arange(10)", "xp.arange(10)"),
    Case("linspace", "torch.linspace(0, 1, 10, dtype=torch.float64)", "xp.linspace(0, 1, 10)"),
    Case("astype", "t.to(torch.float32)", "xp.astype(t, xp.float32)"),
    Case("copy", "t.clone()", "xp.copy(t)"),
    Case("matmul", "torch.matmul(m, m.mT)", "xp.matmul(m, m.mT)"),
    Case("dot", "torch.dot(t, u)", "xp.dot(t, u)"),
    Case("vdot", "torch.vdot(t, u)", "xp.vdot(t, u)"),
    Case("vecdot", "torch.linalg.vecdot(t, u)", "xp.vecdot(t, u)"),
    Case("inner", "torch.inner(t, u)", "xp.inner(t, u)"),
    Case("outer", "torch.outer(t, u)", "xp.outer(t, u)"),
    Case("kron", "torch.kron(s, s)", "xp.kron(s, s)"),
    Case("tensordot", "torch.tensordot(t, u, 1)", "xp.tensordot(t, u, axes=1)"),
    Case("einsum", "torch.einsum('i,i->', t, u)", "xp.einsum('i,i->', t, u)"),
    Case("cross", "torch.linalg.cross(s[0], s[1])", "xp.linalg.cross(s[0], s[1])"),
    *_named("linalg.det linalg.inv linalg.cholesky linalg.eigh linalg.eigvalsh linalg.qr "
            "linalg.slogdet linalg.matrix_rank linalg.pinv", "F(s)"),
    Case("linalg.svd", "torch.linalg.svd(s)", "xp.linalg.svd(s)"),
    Case("linalg.solve", "torch.linalg.solve(s, s)", "xp.linalg.solve(s, s)"),
    Case("linalg.norm", "torch.linalg.vector_norm(t)", "xp.linalg.norm(t)"),
    Case("linalg.vector_norm", "torch.linalg.vector_norm(t)", "xp.linalg.vector_norm(t)"),
    Case("linalg.matrix_norm", "torch.linalg.matrix_norm(s)", "xp.linalg.matrix_norm(s)"),
    Case("linalg.matrix_power", "torch.linalg.matrix_power(s, 3)", "xp.linalg.matrix_power(s, 3)"),
    *_named("fft.fft fft.ifft fft.rfft fft.fftshift fft.ifftshift", "F(t)"),
    Case("fft.fftfreq", "torch.fft.fftfreq(10, dtype=torch.float64)", "xp.fft.fftfreq(10)"),
    Case("a + b", "t + u", "t + u"),
    Case("a * 2.0", "t * 2.0", "t * 2.0"),
    Case("2.0 - a", "2.0 - t", "2.0 - t"),
    Case("a / b", "t / u", "t / u"),
    Case("a // b", "t // u", "t // u"),
    Case("a % b", "t % u", "t % u"),
    Case("a ** 2", "t ** 2", "t ** 2"),
    Case("a > 0.5", "t > 0.5", "t > 0.5"),
    Case("a == b", "t == u", "t == u"),
    Case("a @ b", "m @ m.mT", "m @ m.mT"),
    Case("-a", "-t", "-t"),
    Case("abs(a)", "abs(t)", "abs(t)"),
    Case("~i", "~i", "~i"),
    Case("i & j", "i & j", "i & j"),
    Case("a[2:7]", "t[2:7]", "t[2:7]"),
    Case("a[mask]", "t[k]", "t[k]"),
    Case("a[ints]", "t[n]", "t[n]"),
    Case("a[1:4] = 0.5", "v[1:4] = 0.5", "v[1:4] = 0.5"),
]  # fmt: skip


class Cost(NamedTuple):
    """The times of one call: torch's microseconds, and the ratios to it and to NumPy's time."""

    call: str
    torch_us: float
    over_torch: dict[str, float]
    over_numpy: float | None


def measured(rounds: int = 15, number: int = 200) -> list[Cost]:
    """A row per call: the shortest turns, the contestants one after the other."""
    from benchmarks.__main__ import tensors, works

    costs = []
    for case in CASES:
        raw = tensors(10, "cpu")
        timers = {"torch": timeit.Timer(case.torch, globals={**raw, "torch": torch})}
        for name, namespace in (
            ("numpy", numpy), ("numpy_shim", numpy_shim), ("xp_torch", xp_torch),
        ):  # fmt: skip
            convert: Any = (lambda x: x.numpy().copy()) if namespace is numpy else namespace.asarray
            arrays = {key: convert(x) for key, x in tensors(10, "cpu").items()}
            timer = timeit.Timer(case.xp, globals={**arrays, "xp": namespace})
            if name == "numpy_shim" or works(timer):
                timers[name] = timer
        for timer in timers.values():
            timer.timeit(number // 4)
        turns = [{n: t.timeit(number) / number for n, t in timers.items()} for _ in range(rounds)]
        best = {name: min(turn[name] for turn in turns) for name in timers}
        over = {name: best[name] / best["torch"] for name in BOUNDS if name in best}
        beside = best["numpy_shim"] / best["numpy"] if "numpy" in best else None
        costs.append(Cost(case.label, best["torch"] * 1e6, over, beside))
    return costs
