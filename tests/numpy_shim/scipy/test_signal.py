"""``scipy.signal`` where the arrays are, beside SciPy: values, dtypes, shapes and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
import scipy.signal
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import signal
from numpy_shim.scipy._signal import CLASSES, FUNCTIONS, ON_THE_HOST, WINDOWS

from .beside import check_names, compare_calls, compare_values
from .signal_calls import ALL, BANDS, GAPS, SMOOTHED, SOS, A, B, C, M, X

NAMES = sorted({name for name, *_ in ALL})


def compare(name: str, *args: Any, device: str = "cpu", **kwargs: Any) -> None:
    compare_calls(FUNCTIONS[name], getattr(scipy.signal, name), args, kwargs, device, 4096)


def test_every_public_name_runs_here_or_says_why_not():
    check_names(scipy.signal, FUNCTIONS, ON_THE_HOST, CLASSES)
    assert set(WINDOWS) == set(scipy.signal.windows.__all__)
    assert set(NAMES) == set(FUNCTIONS)


@pytest.mark.parametrize("where", ["cpu", "npy"])
@pytest.mark.parametrize("name", NAMES)
def test_calls(name: str, where: str):
    """On the device an array that would cross to the host is an error."""
    for other, *args in ALL:
        if other != name:
            continue
        kwargs = args.pop() if isinstance(args[-1], dict) else {}
        compare(name, *args, device=where, **kwargs)


@pytest.mark.skipif("whittaker_henderson" not in FUNCTIONS, reason="SciPy 1.18 has it")
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize(("weights", "where"), [(None, "cpu"), (None, "npy"), (GAPS, "cpu")])
def test_smoothing_of_the_likeliest_strength(weights: Any, where: str, order: int):
    """A minimizer finds it to the root of the last digit.

    With weights it tries systems that are not positive, of which npy tells by an error.
    """
    kwargs = {"order": order, "weights": weights}
    function, theirs = FUNCTIONS["whittaker_henderson"], scipy.signal.whittaker_henderson
    compare_calls(function, theirs, [SMOOTHED], kwargs, where, 2.0**32)


@pytest.mark.parametrize("name", sorted(set(WINDOWS) - {"get_window"}))
def test_windows(name: str, device: str):
    more: Any = {"kaiser": (3.0,), "gaussian": (2.0,), "general_gaussian": (1.5, 2.0),
                 "chebwin": (60.0,), "dpss": (2.5,), "kaiser_bessel_derived": (3.0,),
                 "general_cosine": ([0.5, 0.3],), "general_hamming": (0.6,),
                }.get(name, ())  # fmt: skip
    theirs = getattr(scipy.signal.windows, name)
    for n in (0, 1, 2, 8, 9):
        if name == "dpss" and n < 6:
            continue
        compare_calls(WINDOWS[name], theirs, (n, *more), {}, device, 4096)
        if name != "kaiser_bessel_derived":
            compare_calls(WINDOWS[name], theirs, (n, *more), {"sym": False}, device, 4096)


@pytest.mark.parametrize(
    "design", [(2, 0.1), (4, 0.01), (8, 0.2), (8, 0.05), (12, 0.1), (4, BANDS[1], "band")], ids=str
)
def test_long_signals_through_narrow_filters(design: Any):
    """The error is that of SciPy's recursion, sample by sample, or less."""
    b, a = scipy.signal.butter(*design)
    x = numpy.random.default_rng(0).normal(size=100_000)
    exact = scipy.signal.lfilter(*(v.astype(numpy.longdouble) for v in (b, a, x)))
    scale = abs(exact).max()
    theirs = abs(scipy.signal.lfilter(b, a, x) - exact).max() / scale
    ours = abs(numpy.asarray(FUNCTIONS["lfilter"](b, a, np.asarray(x))) - exact).max() / scale
    assert ours <= 2 * theirs + 1e-15


@pytest.mark.parametrize("width", [0.3, 0.05, 0.001])
@pytest.mark.parametrize("order", [2, 8, 12])
def test_long_signals_through_sections(order: int, width: float):
    """Sections that are computed as one filter have no larger error than one after the other."""
    sos = scipy.signal.butter(order, width, output="sos")
    x = numpy.random.default_rng(0).normal(size=50_000)
    exact = scipy.signal.sosfilt(sos.astype(numpy.longdouble), x.astype(numpy.longdouble))
    scale = abs(exact).max()
    theirs = abs(scipy.signal.sosfilt(sos, x) - exact).max() / scale
    ours = abs(numpy.asarray(FUNCTIONS["sosfilt"](sos, np.asarray(x))) - exact).max() / scale
    assert ours <= theirs + 1e-15


def test_nan_stays_where_it_comes():
    x = X.copy()
    x[70] = numpy.nan
    compare("lfilter", B, A, x)
    compare("sosfilt", SOS, x)
    x[70] = numpy.inf
    y = FUNCTIONS["lfilter"](B, A, np.asarray(x))
    assert np.isinf(y[70])
    assert not np.isfinite(y[70:]).any()
    assert np.isfinite(y[:70]).all()


def t(x: Any, *shape: int) -> torch.Tensor:
    return torch.tensor(numpy.asarray(x).reshape(-1)[: numpy.prod(shape)].reshape(shape))


def sections(s: Any) -> Any:
    """Sections whose leading denominators are 1, whatever the numbers that gradcheck tries."""
    return np.concatenate([s[:, :3], np.ones((len(s), 1)), s[:, 4:]], axis=1)


GRADIENTS: list[tuple[str, Callable[..., Any], tuple[torch.Tensor, ...]]] = [
    ("lfilter", lambda f, b, a, x, z: f(b, a, x, zi=z)[1],
     (t(B, 3), t(A, 3), t(M, 2, 70), t(X, 2, 2))),
    ("lfilter", lambda f, b, a, x: f(b, a, x), (t(B, 3), t(A, 3), t(C, 40))),
    ("lfilter", lambda f, b, x: f(b, [1.0], x), (t(B, 3), t(X, 20))),
    ("sosfilt", lambda f, s, x: f(sections(s), x), (t(SOS, 2, 6), t(M, 2, 20))),
    ("convolve", lambda f, x, y: f(x, y, "same", "direct"), (t(M, 4, 5), t(X, 2, 3))),
    ("fftconvolve", lambda f, x, y: f(x, y), (t(M, 4, 5), t(X, 2, 3))),
    ("oaconvolve", lambda f, x, y: f(x, y), (t(X, 30), t(B, 3))),
    ("correlate", lambda f, x, y: f(x, y, "full", "direct"), (t(C, 9), t(C, 4))),
    ("convolve2d", lambda f, x, y: f(x, y, "same", "symm"), (t(M, 4, 5), t(X, 2, 3))),
    ("upfirdn", lambda f, h, x: f(h, x, 3, 2), (t(X, 7), t(M, 2, 9))),
    ("resample", lambda f, x: f(x, 7), (t(X, 12),)),
    ("resample_poly", lambda f, x: f(x, 3, 2), (t(X, 12),)),
    ("medfilt", lambda f, x: f(x, 3), (t(X, 9),)),
    ("wiener", lambda f, x: f(x, 3), (t(X, 9),)),
    ("order_filter", lambda f, x: f(x, [1, 0, 1], 1), (t(X, 9),)),
    ("hilbert", lambda f, x: f(x), (t(X, 9),)),
    ("periodogram", lambda f, x: f(x)[1], (t(X, 16),)),
    ("welch", lambda f, x: f(x, nperseg=8)[1], (t(X, 20),)),
    ("csd", lambda f, x, y: f(x, y, nperseg=8)[1], (t(X, 20), t(M, 20))),
    ("stft", lambda f, x: f(x, nperseg=8)[2], (t(X, 20),)),
    ("spectrogram", lambda f, x: f(x, nperseg=8)[2], (t(X, 20),)),
    ("lombscargle", lambda f, x, y, w: f(x, y, w), (t(X, 9), t(M, 9), t([1.0, 2.0], 2))),
    ("czt", lambda f, x: f(x, 5), (t(X, 9),)),
    ("freqz", lambda f, b, a: f(b, a, 8)[1], (t(B, 3), t(A, 3))),
    ("freqz_sos", lambda f, s: f(sections(s), 8)[1], (t(SOS, 2, 6),)),
    ("cspline1d", lambda f, x: f(x), (t(X, 12),)),
    ("sepfir2d", lambda f, x, r, c: f(x, r, c), (t(M, 4, 5), t(B, 3), t(A, 3))),
    ("peak_prominences", lambda f, x: f(x, [3, 7])[0], (t(numpy.sin(numpy.arange(12.0) * 2), 12),)),
    ("chirp", lambda f, x: f(x, 1.0, 2.0, 3.0), (t(X, 9),)),
]  # fmt: skip


@pytest.mark.parametrize("case", GRADIENTS, ids=lambda case: case[0])
def test_gradients(case: Any):
    name, call, tensors = case

    def of_tensors(*values: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = call(FUNCTIONS[name], *[np.asarray(v) for v in values]).tensor
        return result

    assert torch.autograd.gradcheck(of_tensors, [v.clone().requires_grad_() for v in tensors])


@pytest.mark.parametrize(
    ("name", "args"),
    [("lfilter", (B, A)), ("sosfilt", (SOS,)), ("upfirdn", (B,))], ids=str,
)  # fmt: skip
def test_compiled(name: str, args: Any):
    torch.compiler.reset()
    function = getattr(signal, name)
    given = [np.asarray(v) for v in args]
    compiled = torch.compile(lambda x: function(*given, x + 1), backend="eager")
    theirs = getattr(scipy.signal, name)(*args, X + 1)
    compare_values(compiled(np.asarray(X)), theirs, name, "cpu", 4096)


def test_warnings_are_of_scipys_classes():
    with pytest.warns(scipy.signal.BadCoefficients):
        FUNCTIONS["tf2zpk"](np.asarray([1e-15, 1e-15]), np.asarray([1.0, 1.0]))
