"""``scipy.stats`` where the arrays are: SciPy's own Python code, over kernels of ours.

The installed SciPy's modules are executed with our functions in the place of NumPy's, our modules
in the place of SciPy's, and with the modules of this folder in the place of SciPy's compiled ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

from ..._host.frames import pass_over
from ...special._of_counts import OF_COUNTS
from .. import _optimize
from .._text import functions, place_methods
from .methods import method_of

_OBJECTS = "it takes or gives a distribution, an object of SciPy's"

SCIPYS = {
    "_censored_data": "",
    "_common": "",
    "_constants": "",
    "_distr_params": "",
    "_distribution_infrastructure": _OBJECTS,
    "_finite_differences": "",
    "_levy_stable": "",
    "_mstats_basic": "",
    "_new_distributions": "",
    "_probability_distribution": "",
    "_qmvnt": "",
    "_rcont": "",
    "_warnings_errors": "",
    "qmc": "",
}
"""The modules that are SciPy's own in this chapter, with what is said of their functions."""

_DISCRETE = "the distribution of counts that it needs is SciPy's code in C++"
_KOLMOGOROV = "the distribution of its statistic is computed with long doubles"
_LOOPS = "its loop is SciPy's code in C"
_PROGRAMS = "it calls a function of the program for each sample"
_TABLES = "its tables of critical values are on the host"

ON_THE_HOST = {
    "anderson": _TABLES,
    "anderson_ksamp": _TABLES,
    "barnard_exact": _DISCRETE,
    "binomtest": _DISCRETE,
    "bootstrap": _PROGRAMS,
    "boschloo_exact": _DISCRETE,
    "dunnett": "it needs an integral of several variables, SciPy's code in Fortran",
    "ecdf": "its result is an object of SciPy's",
    "fisher_exact": _DISCRETE,
    "fit": "it takes or gives a distribution, an object of SciPy's",
    "goodness_of_fit": "it takes or gives a distribution, an object of SciPy's",
    "ks_1samp": _KOLMOGOROV,
    "kstest": _KOLMOGOROV,
    "logrank": "it needs ecdf",
    "monte_carlo_test": _PROGRAMS,
    "multiscale_graphcorr": _LOOPS,
    "mvsdist": "it takes or gives a distribution, an object of SciPy's",
    "percentileofscore": "it masks elements as an array of numpy.ma",
    "poisson_means_test": _DISCRETE,
    "power": _PROGRAMS,
    "quantile_test": _DISCRETE,
    "shapiro": _LOOPS,
    "sobol_indices": _PROGRAMS,
    "somersd": "it needs a table of objects",
    "tukey_hsd": "it needs an integral, SciPy's code in C",
    "wasserstein_distance_nd": "it needs linprog",
    "weightedtau": _LOOPS,
}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

__all__ = ["FUNCTIONS", "INSIDE", "ON_THE_HOST", "SCIPYS", "method_of"]

FUNCTIONS = functions(__name__, ON_THE_HOST)


def _anew(function: Callable[..., Any], state: Any) -> Callable[..., Any]:
    """A function without what it keeps from call to call: arrays of another device, maybe."""

    @wraps(function)
    @pass_over
    def call(*args: Any, **kwargs: Any) -> Any:
        vars(state).clear()
        return function(*args, **kwargs)

    return call


_OF_RANKS: Any = import_module(f"{__name__}._mannwhitneyu")
FUNCTIONS["mannwhitneyu"] = _anew(FUNCTIONS["mannwhitneyu"], _OF_RANKS._mwu_state)
_COUNTS: Any = import_module(f"{__name__}._discrete_distns")
_COUNTS.poisson_gen._ppf = lambda self, q, mu: OF_COUNTS["_poisson_ppf"](q, mu)
_COUNTS.poisson_gen._isf = lambda self, q, mu: OF_COUNTS["_poisson_isf"](q, mu)
_TEXT: Any = import_module(f"{__name__}._stats_py")


def _attempt_exact_2kssamp(n1: int, n2: int, g: Any, d: Any, alternative: str) -> Any:
    """The probability of a distance of two samples: SciPy's loops over numbers, on the host."""
    counted = import_module("scipy.stats._stats_py")._attempt_exact_2kssamp
    return counted(n1, n2, int(g), float(d), alternative)


_TEXT._attempt_exact_2kssamp = _attempt_exact_2kssamp
_INFRASTRUCTURE: Any = import_module(f"{__name__}._distn_infrastructure")
for _frozen in ("rv_frozen", "rv_continuous_frozen", "rv_discrete_frozen"):
    place_methods(getattr(_INFRASTRUCTURE, _frozen))
_RESAMPLING: Any = import_module(f"{__name__}._resampling")
INSIDE = {**FUNCTIONS, "permutation_test": _RESAMPLING.permutation_test}
"""What the text finds in ``scipy.stats``."""
