"""``python -m benchmarks.scipy_native``: our functions in SciPy's place over SciPy's time, CPU.

With ``--jit`` ours are compiled by ``numpy_shim.jit(compiler="torch")``, and a line says how many
graphs a call has; none are left where it is run as it is.

The same statement runs with ``scipy`` and with ``numpy_shim.scipy``, whose functions of ours are
taken first; a call that SciPy would compute is refused. Arrays have a million elements. The calls
take turns; a ratio is the fastest turn of ours over SciPy's fastest. Results are compared first.

In the statements ``x``, ``y`` are normal, ``p``, ``q`` positive and ``u``, ``v`` between 0 and 1;
``im`` is an image, ``binary`` one of blobs, ``m`` a matrix that is well conditioned, ``s``
symmetric and positive, ``g`` a sorted grid of a thousand, ``k`` a kernel of 101 elements.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import sys
import time
import timeit
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy
import scipy
import torch
import torch._dynamo

import numpy_shim
import numpy_shim.scipy
from numpy_shim.scipy import _bridge

BOUND = 2.0
"""The geometric mean of all calls."""

CALLS: dict[str, list[str]] = {
    "special": [
        "erf(x)", "erfinv(v)", "ndtri(v)", "gammaln(p)", "psi(p)", "gammainc(p, q)",
        "betainc(p, q, v)", "j0(p)", "jv(1.5, p)", "kv(0.5, p)", "i0e(x)", "expi(p)", "ellipk(v)",
        "zeta(1 + p, q)", "xlogy(p, q)", "expit(x)", "logsumexp(x)", "stdtr(3.0, x)",
    ],
    "ndimage": [
        "gaussian_filter(im, 2.0)", "uniform_filter(im, 5)", "median_filter(im, 3)",
        "maximum_filter(im, 5)", "sobel(im)", "correlate(im, k[:25].reshape(5, 5))",
        "rotate(im, 30.0)", "zoom(im, 1.5)", "shift(im, (3.5, -2.5))", "spline_filter(im)",
        "map_coordinates(im, [1000 * u, 1000 * v], order=1)", "binary_erosion(binary)",
        "binary_fill_holes(binary)", "label(binary)", "distance_transform_edt(binary)",
        "distance_transform_cdt(binary)", "mean(im, labels, labels.max())",
        "grey_dilation(im, 3)",
    ],
    "signal": [
        "lfilter(k[:5], [1.0, -0.5, 0.1], x)", "sosfilt(sos, x)", "filtfilt(k[:3], [1.0, -0.5], x)",
        "fftconvolve(x, k)", "oaconvolve(x, k)", "convolve2d(im, k[:25].reshape(5, 5))",
        "resample_poly(x, 3, 2)", "medfilt(x, 5)", "savgol_filter(x, 11, 3)", "hilbert(x)",
        "find_peaks(x)", "welch(x)", "detrend(x)", "decimate(x, 4)",
    ],
    "fft": ["fft(x)", "rfft(x)", "fft2(im)", "dct(x)", "dst(x, 1)", "fftshift(x)", "idctn(im)"],
    "linalg": [
        "solve(m, x[:1000])", "inv(m)", "lu(m)", "cholesky(s)", "qr(m)", "det(m)", "expm(m / 1000)",
        "eigvalsh(s)", "svdvals(m)", "toeplitz(x[:1000])", "solve_triangular(m, x[:1000])",
        "norm(m)", "lstsq(m[:, :100], x[:1000])",
    ],
    "stats": [
        "zscore(x)", "skew(x)", "describe(x)", "rankdata(x)", "pearsonr(x, y)", "ttest_ind(x, y)",
        "mannwhitneyu(x, y)", "norm.pdf(x)", "norm.cdf(x)", "gamma.cdf(p, 2.5)",
        "t.logpdf(x, 4.0)", "entropy(p)", "gmean(p)", "iqr(x)",
    ],
    "interpolate": [
        "CubicSpline(g, g**2)(v)", "PchipInterpolator(g, g**2)(v)", "interp1d(g, g**2)(v)",
        "make_interp_spline(g, g**2)(v)", "RegularGridInterpolator((g, g), im)(uv)",
    ],
    "integrate": [
        "trapezoid(x)", "simpson(x)", "cumulative_trapezoid(x)",
        "solve_ivp(lambda t, z: -z, (0, 1), x)",
    ],
    "optimize": [
        "rosen(x)", "rosen_der(x)",
        "minimize(lambda z: (z**2).sum(), x, method='CG', jac=lambda z: 2 * z)",
    ],
    "spatial": [
        "distance.cdist(im[:, :3], im[:, 3:6])", "distance.pdist(im[:, :50], 'cityblock')",
        "distance.squareform(x[:499500])",
    ],
    "cluster": ["vq.vq(im[:, :10], im[:16, 10:20])", "vq.whiten(im)"],
}  # fmt: skip
"""By sub-package, what follows its name."""


def operands(namespace: Any, size: int) -> dict[str, Any]:
    """The arrays that the statements name, with the same values in both."""
    rng = numpy.random.default_rng(0)
    side = round(size**0.5)
    x, y = rng.standard_normal((2, size))
    im = rng.standard_normal((side, side))
    binary = scipy.ndimage.gaussian_filter(im, 3.0) > 0
    arrays = {
        "x": x, "y": y, "p": rng.gamma(2.0, size=size) + 0.1, "q": rng.gamma(3.0, size=size) + 0.1,
        "u": rng.uniform(0.01, 0.99, size), "v": rng.uniform(0.01, 0.99, size), "im": im,
        "binary": binary, "labels": scipy.ndimage.label(binary)[0],
        "m": im + side**0.5 * 3 * numpy.eye(side), "s": im @ im.T + side * numpy.eye(side),
        "g": numpy.linspace(0.0, 1.0, side), "k": scipy.signal.windows.hann(101),
        "uv": rng.uniform(0, 1, (size, 2)), "sos": scipy.signal.butter(6, 0.2, output="sos"),
    }  # fmt: skip
    return {name: namespace.asarray(value) for name, value in arrays.items()}


@contextlib.contextmanager
def refused_to_the_host() -> Iterator[None]:
    """A call that would be SciPy's is an error."""

    def refuse(name: str, *_: Any) -> Any:
        raise RuntimeError(f"{name}: SciPy computes it")

    with mock.patch.object(_bridge, "HostCall", refuse):
        yield


def flat(x: Any) -> list[Any]:
    """The arrays and numbers of a result."""
    if isinstance(x, dict):
        return [v for key in sorted(x) for v in flat(x[key])]
    if isinstance(x, (tuple, list)):
        return [v for item in x for v in flat(item)]
    return [numpy.asarray(x)] if isinstance(x, (int, float)) or hasattr(x, "shape") else []


def distance(ours: Any, theirs: Any) -> float:
    """The largest difference of two results over the largest value."""
    pairs = list(zip(flat(ours), flat(theirs), strict=True))
    most = 0.0
    for a, b in ((numpy.asarray(a), numpy.asarray(b)) for a, b in pairs):
        if a.shape != b.shape or a.dtype != b.dtype:
            raise AssertionError(f"{a.dtype}{a.shape} for {b.dtype}{b.shape}")
        if b.size and b.dtype.kind in "fciu":
            scale = max(float(numpy.abs(numpy.nan_to_num(b)).max()), 1e-300)
            apart = numpy.abs(numpy.nan_to_num(a) - numpy.nan_to_num(b)).max()
            most = max(most, float(apart) / scale)
        elif b.size:
            most = max(most, float((a != b).any()))
    return most


def function(statement: str, room: dict[str, Any]) -> tuple[Callable[..., Any], list[Any]]:
    """A function of the operands that a statement names, and the operands."""
    package = statement.partition(".")[0]
    code = compile(statement, "<statement>", "eval")
    names = [name for name in code.co_names if name in room and name != package]
    made = {package: room[package]}
    exec(f"def call({', '.join(names)}):\n    return {statement}\n", made)
    return made["call"], [room[name] for name in names]


def measured(
    package: str, call: str, size: int, seconds: float, jit: bool = False
) -> dict[str, Any]:
    """The figures of one call."""
    statement = f"{package}.{call}"
    calls = []
    for namespace, root in ((numpy_shim, numpy_shim.scipy), (numpy, scipy)):
        room = {package: getattr(root, package), **operands(namespace, size)}
        calls.append(function(statement, room))
    (ours, arrays), (theirs, originals) = calls
    graphs = {}
    if jit:
        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        ours = numpy_shim.jit(ours, compiler="torch")
    apart = distance(ours(*arrays), theirs(*originals))
    if jit:
        graphs["graphs"] = torch._dynamo.utils.counters["stats"]["unique_graphs"]
    timers = [timeit.Timer(lambda: ours(*arrays)), timeit.Timer(lambda: theirs(*originals))]
    turns: list[list[float]] = []
    begin = time.perf_counter()
    least = 6 if jit else 2  # the first calls may compile more
    while len(turns) < least or (len(turns) < 15 and time.perf_counter() - begin < seconds):
        turns.append([timer.timeit(1) for timer in timers])
    mine, scipys = (min(turn[i] for turn in turns) for i in (0, 1))
    return {"scipy_ms": 1e3 * scipys, "ratio": mine / scipys, "apart": apart, **graphs}


def main() -> int:
    """Measure, print, and say whether the bound holds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scipy_native")
    parser.add_argument("--threads", type=int, default=1, help="of torch and of SciPy's BLAS")
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=1.0, help="for which a call takes turns")
    parser.add_argument("--only", default="", help="only the calls whose text contains this")
    parser.add_argument("--jit", action="store_true", help="compile ours")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--check", action="store_true", help="exit status 1 when it is passed")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    warnings.simplefilter("ignore")
    _bridge.NATIVE_FIRST = True
    rows: dict[str, dict[str, Any]] = {}
    with refused_to_the_host(), limits(given.threads):
        for package, calls in CALLS.items():
            for call in calls:
                statement = f"{package}.{call}"
                if given.only not in statement:
                    continue
                row = rows[statement] = measured(
                    package, call, given.size, given.seconds, given.jit
                )
                figures = f"{row['scipy_ms']:10.2f} ms {row['ratio']:8.2f} {row['apart']:9.1e}"
                graphs = f" {row['graphs']} graphs" if given.jit else ""
                print(f"{figures}{graphs} {statement}", flush=True)
    mean = statistics.geometric_mean(row["ratio"] for row in rows.values())
    for package, (of_package, worst, ratio) in summary(rows).items():
        print(f"{package:12} geometric mean {of_package:6.2f}, worst {ratio:6.2f}: {worst}")
    print(f"{len(rows)} calls: geometric mean {mean:.2f} (bound {BOUND:g})")
    if given.json:
        given.json.write_text(json.dumps({"threads": given.threads, "rows": rows}, indent=1) + "\n")
    return int(given.check and mean > BOUND)


def limits(threads: int) -> Any:
    """SciPy's BLAS with so many threads, where threadpoolctl is installed."""
    try:
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
    except ModuleNotFoundError:
        return contextlib.nullcontext()
    return threadpool_limits(threads)


def summary(rows: dict[str, dict[str, Any]]) -> dict[str, tuple[float, str, float]]:
    """By sub-package the geometric mean, and the worst call with its ratio."""
    found = {}
    for package in dict.fromkeys(statement.partition(".")[0] for statement in rows):
        here = {k: row["ratio"] for k, row in rows.items() if k.partition(".")[0] == package}
        worst = max(here, key=lambda k: here[k])
        found[package] = (statistics.geometric_mean(here.values()), worst, here[worst])
    return found


if __name__ == "__main__":
    sys.exit(main())
