"""``python -m benchmarks.surface``: calls of NumPy's surface on large arrays, over NumPy's time.

Every statement runs with NumPy and with numpy_shim in turns, in one process, on one thread by
default, and their results are compared. A ratio is that of the shortest turns by the clock of the
thread, which other work on the machine changes little. ``--calls`` times what a call of ten
elements costs instead, over torch's own call; ``--page`` takes the figures of the page, which
are those of four sizes and of ``benchmarks.memory``.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import time
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy
import torch
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import numpy_shim
from benchmarks import surface_calls

BOUNDS = (1.0, 2.0)
"""The geometric mean and the worst that a statement may take over NumPy's time at a million."""

SIZES = (1_000, 100_000, 1_000_000)
"""The sizes of the page, besides ten elements."""

REASONS = {
    "np.cbrt(f4)": "torch has no cube root; its logarithm and exponential take NumPy's whole time",
    "np.cbrt(f)": "torch has no cube root; its logarithm and exponential take NumPy's whole time",
    "np.sinh(f4)": "torch.sinh takes 3.5 times NumPy's time, and overflows too early",
    "np.abs(c)": "torch.abs takes 8 times NumPy's time; torch reads the parts one by one",
    "np.arcsinh(f)": "torch.asinh takes 8 times NumPy's time, torch.log1p alone 0.9 times",
    "f > 0": "torch's comparison with a number takes 2.3 times NumPy's time",
    "np.exp(h)": "torch.exp takes 1.9 times NumPy's time",
    "np.dot(f, g)": "torch.dot itself, which took NumPy's time in other runs",
    "np.linalg.norm(f)": "torch.linalg.vector_norm itself, which took 1.2 times in other runs",
    "np.pad(F, 3)": "most of it is the first write to new memory",
}
"""Why statements take more than ``BOUNDS``: what torch itself takes."""

STATEMENTS: dict[str, tuple[str, ...]] = {
    "elementwise": (
        "f > 0", "f + g", "f * 2", "i + j", "f ** 2", "i << 2", "i // 7", "i % 7", "f % 1.5",
        "u4 // 3", "u4 < 1000", "u8 % 1000", "u8 > v8", "~b", "c * c", "np.power(g, 2.5)",
        "np.sin(f)", "np.exp(f)", "np.exp(h)", "np.exp(c)", "np.log(g)", "np.sqrt(g)",
        "np.sqrt(j)", "np.cbrt(f)", "np.cbrt(f4)", "np.sinh(f4)", "np.tanh(f4)", "np.arcsinh(f)",
        "np.hypot(f, g)", "np.arctan2(f, g)", "np.abs(c)", "np.angle(c)", "np.conj(c)",
        "np.isfinite(f)", "np.isnan(f)", "np.signbit(f)", "np.trunc(f)", "np.floor(f)",
        "np.rint(f)", "np.round(f, 2)", "np.sign(f)", "np.maximum(f, g)", "np.clip(f, -1, 1)",
        "np.fmod(f, 1.5)", "np.bitwise_count(i)", "np.bitwise_and(i, j)", "np.logical_and(b, b)",
        "np.heaviside(f, 0.5)", "np.sinc(f)", "np.where(b, f, g)", "np.nan_to_num(n)",
        "np.isclose(f, g)", "f.astype(int)", "i.astype(float)",
    ),
    "reductions": (
        "np.sum(f)", "np.sum(i)", "np.sum(c)", "np.sum(F, axis=0)", "np.mean(F, axis=0)",
        "np.max(f)", "np.min(I, axis=0)", "np.var(f)", "np.var(F, axis=0)", "np.std(F, axis=0)",
        "np.nansum(n)", "np.nanmax(n)", "np.nanmean(n)", "np.argmax(f)", "np.argmax(c)",
        "np.argmax(F, axis=-1)", "np.argmin(I, axis=0)", "np.any(f)", "np.all(g)",
        "np.count_nonzero(b)", "np.median(f)", "np.percentile(f, 90)", "np.ptp(f)",
        "np.average(f, weights=g)", "np.linalg.norm(f)", "np.linalg.norm(F, axis=1)",
        "np.cumsum(f)", "np.cumprod(g)", "np.allclose(f, f)", "np.array_equal(f, f)",
        "np.trapezoid(f)",
    ),
    "methods of ufuncs": (
        "np.subtract.accumulate(f)", "np.bitwise_xor.accumulate(i)", "np.bitwise_xor.reduce(i)",
        "np.gcd.reduce(i)", "np.logical_or.reduceat(b, s)", "np.maximum.reduceat(f, s)",
        "np.minimum.reduceat(i, s)", "np.add.reduceat(f, s)", "np.divide.at(w, few, 1.5)",
        "np.add.at(w, few, 1.0)", "np.minimum.at(w, few, 0.0)", "np.bitwise_or.at(k, few, 1)",
    ),
    "searching and sorting": (
        "np.sort(f)", "np.sort(f4)", "np.sort(i)", "np.sort(u)", "np.sort(rows, axis=1)",
        "np.argsort(f)", "np.argsort(i, kind='stable')", "np.argsort(rows)",
        "np.partition(F, 10, axis=1)[:, 10]",
        "np.lexsort((f, i))", "np.unique(small)", "np.unique(n)", "np.intersect1d(i, j)",
        "np.setdiff1d(i, j)", "np.isin(i, j[:100])", "np.searchsorted(t, f)",
        "np.digitize(f, e)", "np.nonzero(b)", "np.flatnonzero(b)", "np.compress(b, f)",
        "np.extract(b, f)", "np.histogram(f, 50)", "np.histogram(i, 50)",
        "np.histogram(f, bins=e)", "np.histogram2d(f, g, 20)", "np.bincount(small)",
        "np.interp(f, t, g)",
    ),
    "indexing and moving": (
        "f[p]", "f[b]", "x3[:, [2, 0, 1]]", "np.take(f, p)", "w.__setitem__(q, f)",
        "np.put(w, q, f)", "np.putmask(w, b, f)", "np.copyto(w, f, where=b)",
        "np.place(w, b, [1.0, 2.0])", "np.delete(f, slice(10, 100))", "np.delete(f, few)",
        "np.insert(f, few, 1.0)", "np.repeat(f, times)", "np.tile(F, (2, 2))", "np.roll(f, 5)",
        "f[::-1].copy()", "F.T.copy()", "np.flip(f).copy()", "np.concatenate([f, g])",
        "np.pad(F, 3)", "np.triu(F)", "f.byteswap()", "np.packbits(u)", "np.unpackbits(u)",
        "np.choose(small % 2, [f, g])", "np.select([b, ~b], [f, g])", "np.diff(f)",
        "np.gradient(f)", "f.tolist()",
    ),
    "products": (
        "np.dot(f, g)", "F @ F", "np.einsum('ij,ij->', F, F)", "np.outer(f[:1000], g[:1000])",
        "np.convolve(f, e)", "np.correlate(f, e)", "np.cross(x3, x3)", "np.cov(F[:100])",
        "np.fft.fft(f)", "np.fft.rfft(f)", "np.polyval([1.0, 2, 3], f)",
    ),
}  # fmt: skip
"""What is timed, by kind; ``operands`` has the arrays."""


def operands(namespace: Any, size: int) -> dict[str, Any]:
    """The arrays that the statements name, with the same values in every namespace."""
    rng = numpy.random.default_rng(0)
    f = rng.standard_normal(size)
    side = math.isqrt(size)
    integers = rng.integers(-1000, 1000, size)
    made = {
        "f": f, "g": numpy.abs(rng.standard_normal(size)) + 1, "w": f.copy(),
        "f4": f.astype(numpy.float32), "h": f.astype(numpy.float16), "c": f + 1j * f[::-1],
        "n": numpy.where(rng.random(size) < 0.1, numpy.nan, f), "i": integers,
        "j": rng.integers(1, 1000, size), "k": integers.copy(), "u": integers.astype(numpy.uint8),
        "u4": rng.integers(0, 2**32, size, dtype=numpy.uint32),
        "u8": rng.integers(0, 2**63, size, dtype=numpy.uint64),
        "v8": rng.integers(0, 2**63, size, dtype=numpy.uint64),
        "b": rng.random(size) < 0.5, "F": f[: side * side].reshape(side, side).copy(),
        "I": integers[: side * side].reshape(side, side).copy(),
        "rows": f[: size // 8 * 8].reshape(-1, 8).copy(),
        "x3": f[: size // 3 * 3].reshape(-1, 3).copy(),
        "small": rng.integers(0, 255, size), "p": rng.integers(0, size, size),
        "q": rng.permutation(size), "few": rng.integers(0, size, size // 10),
        "s": numpy.sort(rng.choice(size, size // 10, replace=False)),
        "times": rng.integers(0, 3, size), "e": numpy.linspace(-4, 4, 31), "t": numpy.sort(f),
    }  # fmt: skip
    return {"np": namespace, **{name: namespace.array(x) for name, x in made.items()}}


class Row(NamedTuple):
    """One statement at one size: NumPy's microseconds, and ours over NumPy's."""

    kind: str
    statement: str
    numpy_us: float
    ratio: float
    same: bool


def agree(a: Any, b: Any) -> bool:
    """Whether two results are equal, but for the last digits of what is rounded."""
    if isinstance(b, (tuple, list)):
        return len(a) == len(b) and (
            not b or not isinstance(b[0], numpy.ndarray) or all(map(agree, a, b))
        )
    if b is None:
        return a is None
    x, y = numpy.asarray(a), numpy.asarray(b)
    if x.dtype != y.dtype or x.shape != y.shape:
        return False
    if x.dtype.kind not in "fc":
        return bool((x == y).all())
    rtol = 1e3 * float(numpy.finfo(y.dtype).eps)
    scale = numpy.abs(y[numpy.isfinite(y)]).max(initial=0)
    return bool(numpy.allclose(x, y, rtol, rtol * scale, equal_nan=True))


def shortest(code: Any, names: dict[str, Any], seconds: float = 0.4) -> float:
    """The shortest turn of a statement, by the clock of the thread."""
    turns: list[float] = []
    while len(turns) < 2 or (len(turns) < 25 and sum(turns) < seconds / 4) or (
        len(turns) < 7 and sum(turns) < seconds
    ):  # fmt: skip
        started = time.thread_time()
        eval(code, names)
        turns.append(time.thread_time() - started)
    return min(turns)


def measured(size: int, kinds: Sequence[str]) -> list[Row]:
    """A row per statement of some kinds."""
    theirs, ours = operands(numpy, size), operands(numpy_shim, size)
    rows = []
    for kind in kinds:
        for statement in STATEMENTS[kind]:
            code = compile(statement, statement, "eval")
            same = agree(eval(code, ours), eval(code, theirs))
            turns = [(shortest(code, theirs), shortest(code, ours)) for _ in range(2)]
            fastest, mine = (min(turn[i] for turn in turns) for i in (0, 1))
            rows.append(Row(kind, statement, fastest * 1e6, mine / fastest, same))
    return rows


def mean(rows: Sequence[Row]) -> float:
    """The geometric mean of the ratios."""
    return math.exp(sum(math.log(row.ratio) for row in rows) / len(rows))


def print_calls(costs: Sequence[surface_calls.Cost]) -> int:
    """Print the calls of ten elements, the worst first; 1 if they are above the bounds."""
    table = Table("call", "torch, us", "numpy_shim", "xp_torch", "numpy_shim over NumPy",
                  title="ten elements, over torch's time")  # fmt: skip
    for cost in sorted(costs, key=lambda cost: -cost.over_torch["numpy_shim"]):
        over = [f"{cost.over_torch[n]:.2f}" if n in cost.over_torch else "" for n in BOTH]
        beside = "" if cost.over_numpy is None else f"{cost.over_numpy:.1f}"
        table.add_row(escape(cost.call), f"{cost.torch_us:.2f}", *over, beside)
    console = Console()
    console.print(table)
    holds = True
    for name, (of_all, worst) in surface_calls.BOUNDS.items():
        found = [cost.over_torch[name] for cost in costs if name in cost.over_torch]
        middle = math.exp(sum(map(math.log, found)) / len(found))
        console.print(f"{name}: mean {middle:.2f} (bound {of_all}), worst {max(found):.2f}")
        holds &= middle <= of_all and max(found) <= worst
    return int(not holds)


BOTH = tuple(surface_calls.BOUNDS)


def write_page(path: str) -> int:
    """Measure what the page of the surface shows, and write it to a file; it takes minutes."""
    from benchmarks import memory

    figures: dict[str, Any] = {
        "torch": torch.__version__, "numpy": numpy.__version__, "sizes": {},
    }  # fmt: skip
    statements = [s for kind in STATEMENTS.values() for s in kind] + list(memory.OTHERS)
    figures["memory"] = [row._asdict() for row in memory.measured(10_000_000, statements)]
    for size in SIZES:
        figures["sizes"][str(size)] = [row._asdict() for row in measured(size, [*STATEMENTS])]
    figures["calls"] = [cost._asdict() for cost in surface_calls.measured()]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1)
    return int(not all(row["same"] for rows in figures["sizes"].values() for row in rows))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the ratios; 1 if a result differed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.surface", description=__doc__)
    parser.add_argument("--size", type=float, default=1e6, help="elements (default: 1e6)")
    parser.add_argument("--kind", choices=[*STATEMENTS], nargs="*", default=[*STATEMENTS])
    parser.add_argument("--threads", type=int, default=1, help="torch's threads (default: 1)")
    parser.add_argument("--calls", action="store_true", help="calls of ten elements, over torch's")
    parser.add_argument("--page", metavar="FILE", help="write the figures of the page")
    parser.add_argument("--torch-only", action="store_true", help="without NumPy's kernels")
    parser.add_argument("--json", metavar="FILE", help="write the figures to a file")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    warnings.simplefilter("ignore")
    if options.page:
        return write_page(options.page)
    if options.calls:
        return print_calls(surface_calls.measured())
    with numpy_shim.set_host_kernels(not options.torch_only):
        rows = measured(int(options.size), options.kind)
    console = Console()
    table = Table("statement", "NumPy, us", "ratio", "", title=f"{int(options.size):,} elements")
    for row in sorted(rows, key=lambda row: -row.ratio):
        table.add_row(escape(row.statement), f"{row.numpy_us:.0f}", f"{row.ratio:.2f}",
                      "" if row.same else "DIFFERS")  # fmt: skip
    console.print(table)
    for kind in options.kind:
        console.print(f"{kind}: {mean([row for row in rows if row.kind == kind]):.2f}")
    above = sum(row.ratio > 2 for row in rows)
    console.print(f"all {len(rows)}: geometric mean {mean(rows):.2f}, {above} above 2")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({
                "torch": torch.__version__, "numpy": numpy.__version__, "size": int(options.size),
                "threads": options.threads, "processor": platform.processor(),
                "mean": mean(rows), "rows": [row._asdict() for row in rows],
            }, file, indent=1)  # fmt: skip
    return int(not all(row.same for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
