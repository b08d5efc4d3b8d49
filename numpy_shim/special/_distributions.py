"""Distribution functions of statistics and their inverses."""

from __future__ import annotations

from xp_torch._kernels.special import (
    distributions as _distributions,
)

from ._calls import declare

__all__ = [
    "bdtr",
    "bdtrc",
    "bdtri",
    "chdtr",
    "chdtrc",
    "chdtri",
    "fdtr",
    "fdtrc",
    "fdtri",
    "gdtr",
    "gdtrc",
    "gdtria",
    "gdtrix",
    "kolmogi",
    "kolmogorov",
    "nbdtr",
    "nbdtrc",
    "nbdtri",
    "nrdtrimn",
    "nrdtrisd",
    "pdtr",
    "pdtrc",
    "pdtri",
    "stdtr",
    "stdtrit",
]

bdtr = declare(
    _distributions.bdtr,
    "k n p",
    "The binomial distribution function.",
    ("np.special.bdtr(2, 5, 0.5).round(6)", "np.float64(0.5)"),
    integers=(1,),
)
bdtrc = declare(
    _distributions.bdtrc,
    "k n p",
    "The upper tail of the binomial distribution.",
    ("np.special.bdtrc(2, 5, 0.5).round(6)", "np.float64(0.5)"),
    integers=(1,),
)
bdtri = declare(
    _distributions.bdtri,
    "k n y",
    "The probability ``p`` with ``bdtr(k, n, p) == y``.",
    ("np.special.bdtri(2, 5, 0.5).round(6)", "np.float64(0.5)"),
    integers=(1,),
)
nbdtr = declare(
    _distributions.nbdtr,
    "k n p",
    "The negative binomial distribution function.",
    ("np.special.nbdtr(2, 5, 0.5).round(4)", "np.float64(0.2266)"),
    integers=(0, 1),
)
nbdtrc = declare(
    _distributions.nbdtrc,
    "k n p",
    "The upper tail of the negative binomial distribution.",
    ("np.special.nbdtrc(2, 5, 0.5).round(4)", "np.float64(0.7734)"),
    integers=(0, 1),
)
nbdtri = declare(
    _distributions.nbdtri,
    "k n y",
    "The probability ``p`` with ``nbdtr(k, n, p) == y``.",
    ("np.special.nbdtri(2, 5, 0.5).round(6)", "np.float64(0.635884)"),
    integers=(0, 1),
)
pdtr = declare(
    _distributions.pdtr,
    "k m",
    "The Poisson distribution function.",
    ("np.special.pdtr(2, [1.0, 3.0]).round(6)", "array([0.919699, 0.42319 ])"),
)
pdtrc = declare(
    _distributions.pdtrc,
    "k m",
    "The upper tail of the Poisson distribution.",
    ("np.special.pdtrc(2, [1.0, 3.0]).round(6)", "array([0.080301, 0.57681 ])"),
)
pdtri = declare(
    _distributions.pdtri,
    "k y",
    "The mean ``m`` with ``pdtr(k, m) == y``.",
    ("np.special.pdtri(2, [0.1, 0.5]).round(6)", "array([5.32232, 2.67406])"),
    integers=(0,),
)
chdtr = declare(
    _distributions.chdtr,
    "v x",
    "The distribution function of chi-square.",
    ("np.special.chdtr(2.0, [1.0, 3.0]).round(6)", "array([0.393469, 0.77687 ])"),
)
chdtrc = declare(
    _distributions.chdtrc,
    "v x",
    "The upper tail of chi-square.",
    ("np.special.chdtrc(2.0, [1.0, 3.0]).round(6)", "array([0.606531, 0.22313 ])"),
)
chdtri = declare(
    _distributions.chdtri,
    "v p",
    "The ``x`` with ``chdtrc(v, x) == p``.",
    ("np.special.chdtri(2.0, [0.1, 0.5]).round(6)", "array([4.60517 , 1.386294])"),
)
fdtr = declare(
    _distributions.fdtr,
    "dfn dfd x",
    "The distribution function of the F distribution.",
    ("np.special.fdtr(2.0, 5.0, [1.0, 3.0]).round(6)", "array([0.568799, 0.860703])"),
)
fdtrc = declare(
    _distributions.fdtrc,
    "dfn dfd x",
    "The upper tail of the F distribution.",
    ("np.special.fdtrc(2.0, 5.0, [1.0, 3.0]).round(6)", "array([0.431201, 0.139297])"),
)
fdtri = declare(
    _distributions.fdtri,
    "dfn dfd p",
    "The quantiles of the F distribution.",
    ("np.special.fdtri(2.0, 5.0, [0.1, 0.5]).round(6)", "array([0.107612, 0.79877 ])"),
)
gdtr = declare(
    _distributions.gdtr,
    "a b x",
    "The distribution function of the gamma distribution.",
    ("np.special.gdtr(2.0, 3.0, [1.0, 3.0]).round(6)", "array([0.323324, 0.938031])"),
)
gdtrc = declare(
    _distributions.gdtrc,
    "a b x",
    "The upper tail of the gamma distribution.",
    ("np.special.gdtrc(2.0, 3.0, [1.0, 3.0]).round(6)", "array([0.676676, 0.061969])"),
)
gdtrix = declare(
    _distributions.gdtrix,
    "a b p",
    "The quantiles of the gamma distribution.",
    ("np.special.gdtrix(2.0, 3.0, [0.1, 0.5]).round(6)", "array([0.551033, 1.33703 ])"),
)
gdtria = declare(
    _distributions.gdtria,
    "p b x",
    "The rate ``a`` with ``gdtr(a, b, x) == p``.",
    ("np.special.gdtria(0.5, 3.0, [1.0, 2.0]).round(6)", "array([2.67406, 1.33703])"),
)
stdtr = declare(
    _distributions.stdtr,
    "df t",
    "The distribution function of Student's t.",
    ("np.special.stdtr(3.0, [0.0, 2.0]).round(6)", "array([0.5     , 0.930337])"),
)
stdtrit = declare(
    _distributions.stdtrit,
    "df p",
    "The quantiles of Student's t.",
    ("np.special.stdtrit(3.0, [0.5, 0.975]).round(6)", "array([0.      , 3.182446])"),
)
nrdtrimn = declare(
    _distributions.nrdtrimn,
    "p std x",
    "The mean of a normal distribution, given the probability below ``x``.",
    ("np.special.nrdtrimn(0.975, 1.0, 2.0).round(6)", "np.float64(0.040036)"),
)
nrdtrisd = declare(
    _distributions.nrdtrisd,
    "mn p x",
    "The standard deviation of a normal distribution, given the probability below ``x``.",
    ("np.special.nrdtrisd(0.0, 0.975, 2.0).round(6)", "np.float64(1.020427)"),
)
kolmogorov = declare(
    _distributions.kolmogorov,
    "y",
    "The upper tail of Kolmogorov's distribution.",
    ("np.special.kolmogorov([0.5, 1.0]).round(6)", "array([0.963945, 0.27    ])"),
)
kolmogi = declare(
    _distributions.kolmogi,
    "p",
    "The inverse of ``kolmogorov``.",
    ("np.special.kolmogi([0.1, 0.5]).round(6)", "array([1.223848, 0.827574])"),
)
