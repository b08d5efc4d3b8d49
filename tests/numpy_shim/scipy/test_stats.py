"""``scipy.stats`` where the arrays are, beside SciPy: values, dtypes, shapes and errors."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from types import FunctionType
from typing import Any

import numpy
import pytest
import scipy.stats
import torch
from scipy.stats._distr_params import distcont, distdiscrete

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device
from numpy_shim.scipy import stats
from numpy_shim.scipy._stats import FUNCTIONS, ON_THE_HOST
from numpy_shim.scipy._stats.methods import method_of
from tests.slow import one_in

from .beside import check_names, compare_calls, compare_values, moved
from .stats_calls import ALL, POS, X, Y

OBJECTS = {
    name
    for name in scipy.stats.__all__
    if callable(value := getattr(scipy.stats, name)) and not isinstance(value, FunctionType)
}
SOME_ORDER = ("trim1", "trimboth")
"""What a partition leaves in the middle has no order."""
SEARCHED = ("boxcox_normmax", "boxcox", "expectile", "ppcc_max", "yeojohnson", "yeojohnson_normmax")
"""Where the minimum lies is found to the root of the last digit."""


def test_every_public_name_runs_here_or_says_why_not():
    check_names(scipy.stats, FUNCTIONS, ON_THE_HOST, OBJECTS)
    assert {name for name, *_ in ALL} == set(FUNCTIONS)


def sorted_by(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        found = function(*args, **kwargs)
        return numpy.sort(found) if type(found) is numpy.ndarray else np.sort(found)

    return call


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_calls(name: str, where: str):
    """On the device an array that would cross to the host is an error."""
    ours, theirs = FUNCTIONS[name], getattr(scipy.stats, name)
    if name in SOME_ORDER:
        ours, theirs = sorted_by(ours), sorted_by(theirs)
    eps = 2.0**32 if name in SEARCHED else 4096
    for other, *args in ALL:
        if other == name:
            kwargs = args.pop() if args and isinstance(args[-1], dict) else {}
            compare_calls(ours, theirs, args, kwargs, where, eps)


METHODS = ("pdf", "logpdf", "pmf", "logpmf", "cdf", "logcdf", "sf", "logsf", "ppf", "isf")
DISTRIBUTIONS = {name: args for name, args in distcont + distdiscrete if isinstance(name, str)}
PLACES = numpy.linspace(0.05, 0.95, 7)
ON_DEVICE = 86  # of the distributions, whose density and cdf, or more, do not cross to the host


@pytest.mark.parametrize("name", one_in(8, sorted(DISTRIBUTIONS)))
def test_distributions(name: str):
    """A method of ours gives SciPy's values; one that SciPy computes in C goes to the host."""
    theirs, args = getattr(scipy.stats, name), DISTRIBUTIONS[name]
    x = PLACES if method_of(theirs, "ppf") is None else theirs.ppf(PLACES, *args)
    for method in METHODS:
        if method_of(theirs, method) is None:
            continue
        values = PLACES if method in ("ppf", "isf") else x
        expected = getattr(theirs, method)(values, *args)
        with np.allow_implicit_host_copy():
            found = getattr(getattr(stats, name), method)(np.asarray(values, device="npy"), *args)
        compare_values(found, expected, (name, method), "npy", 2.0**16)


def test_most_distributions_do_not_cross():
    done = set()
    for name, args in DISTRIBUTIONS.items():
        theirs = getattr(scipy.stats, name)
        if method_of(theirs, "cdf") is not None:
            x = np.asarray(PLACES, device="npy")
            density = "pdf" if hasattr(theirs, "pdf") else "pmf"
            try:
                getattr(getattr(stats, name), density)(x, *args)
                getattr(stats, name).cdf(x, *args)
            except TypeError:
                continue
            done.add(name)
    assert len(done) >= ON_DEVICE, sorted(DISTRIBUTIONS.keys() - done)


COUNTED: list[tuple[str, tuple[Any, ...]]] = [
    ("binom", (51, 0.5)), ("binom", (10, 0.3)), ("binom", (3, 0.999)), ("binom", (10**6, 0.02)),
    ("binom", (5, 0.0)), ("binom", (5, 1.0)), ("binom", (0, 0.5)), ("binom", (5, 2.0)),
    ("binom", (numpy.array([[1], [40]]), numpy.linspace(0.01, 0.99, 40))),
    ("nbinom", (51, 0.5)), ("nbinom", (2.5, 1e-4)), ("nbinom", (7, 1.0)), ("nbinom", (0, 0.5)),
    ("poisson", (25.5,)), ("poisson", (1e-3,)), ("poisson", (1e6,)), ("poisson", (0,)),
    ("bernoulli", (0.3,)),
]  # fmt: skip
LEVELS = numpy.array(
    [0, 1e-9, 0.001, *numpy.linspace(0.011, 0.989, 30), 0.999, 1, -1, 2, numpy.nan]
)
LEVELS = LEVELS[:, None, None]


@pytest.mark.parametrize(("name", "args"), COUNTED)
def test_quantiles_of_counts(name: str, args: Any, where: str):
    """They do not cross to the host, and find the counts again, from SciPy's cdf too."""
    ours, theirs = getattr(stats, name), getattr(scipy.stats, name)
    levels = np.asarray(LEVELS, device=where)
    for method in ("ppf", "isf"):
        expected = getattr(theirs, method)(LEVELS, *args)
        compare_values(getattr(ours, method)(levels, *args), expected, (name, method), where)
    k = theirs.ppf(0.5, *args) + numpy.arange(-2, 4)[:, None, None]
    for method, inverse in (("cdf", "ppf"), ("sf", "isf")) if where != "cpu" else ():
        for q in (
            np.asarray(getattr(theirs, method)(k, *args), device=where),
            getattr(ours, method)(np.asarray(k, device=where), *args),
        ):
            found = numpy.asarray(getattr(ours, inverse)(q, *args).to_device("cpu"))
            q = numpy.asarray(q.to_device("cpu"))
            assert numpy.all((found == k) | ~((q > 0) & (q < 1))), (name, method)


def test_quantiles_of_counts_far_out():
    """SciPy's upper ones are n there; beside whole numbers."""
    n, levels = 300, [1e-29, 1e-60, 1e-97]
    parts = [math.comb(n, k) * 3 ** (n - k) for k in range(n + 1)]
    expected = [
        next(k for k in range(n) if Fraction(sum(parts[k + 1 :]), 4**n) <= q) for q in levels
    ]
    found = stats.binom.isf(np.asarray(levels, device="npy"), n, 0.25)
    assert found.tolist() == expected


def test_quantiles_of_counts_have_no_slope():
    p = torch.tensor([0.3, 0.4], dtype=torch.float64, device="npy", requires_grad=True)
    found = stats.binom.ppf(0.5, 9, np.asarray(p))
    (slope,) = torch.autograd.grad(found.tensor.sum(), p)
    assert (found.tolist(), slope.tolist()) == ([3, 4], [0, 0])


def test_frozen_distributions():
    x = np.asarray(X, device="npy")
    made = stats.norm(loc=x)
    compare_values(made.cdf(0.5), scipy.stats.norm(loc=X).cdf(0.5), "cdf", "npy")
    compare_values(stats.t(5).sf(x), scipy.stats.t(5).sf(X), "sf", "npy")
    theirs, ours = scipy.stats.gamma(2.0, scale=3.0), stats.gamma(2.0, scale=3.0)
    compare_values(ours.ppf(q=np.asarray(PLACES, device="npy")), theirs.ppf(PLACES), "ppf", "npy")
    levels = np.asarray(PLACES, device="npy")
    compare_values(ours.interval(levels), theirs.interval(PLACES), "interval", "npy")
    assert pickle.loads(pickle.dumps(made)).mean().device.type == "npy"


def test_a_distribution_of_the_program_is_scipys():
    class Mine(stats.rv_continuous):
        def _pdf(self, x: Any) -> Any:
            return np.exp(-abs(x)) / 2

    mine = Mine(name="norm")  # a name of SciPy's
    with np.allow_implicit_host_copy():
        found = mine.pdf(np.asarray([0.0, 1.0], device="npy"))
    assert found.tolist() == pytest.approx([0.5, 0.5 / numpy.e])


GRADIENTS: list[Callable[[Any], Any]] = [
    lambda x: np.sum(stats.zscore(x) ** 3),
    lambda x: stats.pearsonr(x, np.asarray(Y)).statistic,
    lambda x: stats.ttest_ind(x, np.asarray(Y)).pvalue,
    lambda x: stats.linregress(x, np.asarray(Y)).slope,
    lambda x: stats.skew(x) + stats.kurtosis(x),
    lambda x: np.sum(stats.norm.logpdf(x)),
    lambda x: np.sum(stats.gamma.cdf(x**2 + 0.1, 2.5)),
    lambda x: np.sum(stats.t(4).logsf(x)),
]


@pytest.mark.parametrize("function", GRADIENTS)
def test_gradients(function: Callable[[Any], Any]):
    def of_tensor(t: torch.Tensor) -> torch.Tensor:
        return function(np.asarray(t)).tensor  # type: ignore[no-any-return]

    assert torch.autograd.gradcheck(of_tensor, torch.tensor(X, requires_grad=True))


def test_discordant_pairs_of_many_ties():
    """Kendall's statistic counts pairs by merging sorted parts."""
    rng = numpy.random.default_rng(1)
    for n in (2, 3, 7, 64, 65, 300):
        x, y = rng.integers(0, 5, size=(2, n))
        if len(set(x)) > 1 < len(set(y)):
            compare_calls(FUNCTIONS["kendalltau"], scipy.stats.kendalltau, [x, y], {}, "npy")


def test_a_compiled_function_calls_a_distribution():
    """Dynamo ends its graph there; it guarded a dictionary that the object does not have."""
    torch._dynamo.reset()
    compiled = torch.compile(lambda x: stats.norm.pdf(x) * 2, backend="eager")
    compare_values(compiled(np.asarray(POS)), scipy.stats.norm.pdf(POS) * 2, "pdf", "cpu")


def test_errors():
    for args in ([X, Y[:3]], [X[:1], Y[:1]], [X]):
        with pytest.raises((TypeError, ValueError)) as theirs:
            scipy.stats.pearsonr(*args)
        with pytest.raises(theirs.type, match=str(theirs.value).split("(")[0][:20]):
            stats.pearsonr(*[moved(x, "npy") for x in args])
