"""Methods of distributions where the arrays are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import scipy.stats
from scipy.stats._distn_infrastructure import rv_frozen, rv_generic

from ..._numpys.names import on_its_device
from .._text import _provided

_NEEDS = {
    "pdf": ("_pdf", "_logpdf"), "logpdf": ("_pdf", "_logpdf"), "cdf": ("_cdf",),
    "logcdf": ("_cdf", "_logcdf"), "sf": ("_cdf", "_sf"), "logsf": ("_cdf", "_sf", "_logsf"),
    "ppf": ("_ppf",), "isf": ("_ppf", "_isf"), "median": ("_ppf",), "interval": ("_ppf",),
    "pmf": ("_pmf",), "logpmf": ("_pmf", "_logpmf"), "mean": ("_stats",), "var": ("_stats",),
    "std": ("_stats",), "stats": ("_stats",), "entropy": ("_entropy",),
}  # fmt: skip
"""By method, what a distribution defines itself if it is a formula: others go on to a root finder,
or to an integral, element by element."""

_ON_THE_HOST = frozenset({
    "genhyperbolic", "geninvgauss", "levy_stable", "logser", "studentized_range",
})  # fmt: skip
"""Distributions that SciPy integrates in C, or for which a function of ours has too few digits."""

_FREEZING = ("__call__", "freeze")


def method_of(real: Any, name: str) -> Callable[..., Any] | None:
    """The method of our counterpart of one of SciPy's distributions; ``None`` if it has none."""
    if isinstance(real, rv_frozen):
        if name not in _NEEDS or method_of(real.dist, name) is None:
            return None
        freeze = method_of(real.dist, "freeze")
        assert freeze is not None
        return on_its_device(
            lambda *args, **kwargs: getattr(freeze(*real.args, **real.kwds), name)(*args, **kwargs)
        )
    if not isinstance(real, rv_generic) or real.name in _ON_THE_HOST:
        return None
    theirs: Any = getattr(scipy.stats, str(real.name), None)  # frozen are copies
    if type(theirs) is not type(real) or theirs._updated_ctor_param() != real._updated_ctor_param():
        return None  # the program's own
    ours = getattr(_provided("scipy.stats.distributions"), real.name)
    if name not in _FREEZING and not any(_defines(ours, n) for n in _NEEDS.get(name, ())):
        return None
    return on_its_device(getattr(ours, name))


def _defines(distribution: Any, name: str) -> bool:
    """Whether a distribution has a method of its own, and not that of all distributions."""
    owners = [base.__name__ for base in type(distribution).__mro__ if name in vars(base)]
    return bool(owners) and not owners[0].startswith("rv_")
