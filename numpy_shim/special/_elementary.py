"""Logarithms, exponentials and powers without cancellation, and losses."""

from __future__ import annotations

from xp_torch._kernels.special import (
    elementary as _elementary,
)

from ._calls import declare

__all__ = [
    "agm",
    "boxcox",
    "boxcox1p",
    "cbrt",
    "cosdg",
    "cosm1",
    "cotdg",
    "entr",
    "exp2",
    "exp10",
    "expit",
    "expm1",
    "exprel",
    "huber",
    "inv_boxcox",
    "inv_boxcox1p",
    "kl_div",
    "log1p",
    "log_expit",
    "logit",
    "powm1",
    "pseudo_huber",
    "radian",
    "rel_entr",
    "round",
    "sindg",
    "tandg",
    "xlog1py",
    "xlogy",
]

expit = declare(
    _elementary.expit,
    "x",
    "The logistic function ``1 / (1 + exp(-x))``.",
    ("np.special.expit([0.0, 2.0]).round(6)", "array([0.5     , 0.880797])"),
    loops="double",
)
logit = declare(
    _elementary.logit,
    "p",
    "The inverse of ``expit``.",
    ("np.special.logit([0.5, 0.9]).round(6)", "array([0.      , 2.197225])"),
    loops="double",
)
log_expit = declare(
    _elementary.log_expit,
    "x",
    "The logarithm of the logistic function.",
    ("np.special.log_expit([0.0, -50.0]).round(6)", "array([ -0.693147, -50.      ])"),
    loops="double",
)
entr = declare(
    _elementary.entr,
    "x",
    "The entropy of elements, ``-x log(x)``; 0 at 0 and -inf for negative numbers.",
    ("np.special.entr([0.0, 0.5]).round(6)", "array([0.      , 0.346574])"),
)
rel_entr = declare(
    _elementary.rel_entr,
    "x y",
    "The relative entropy of elements, ``x log(x / y)``.",
    ("np.special.rel_entr([0.5, 0.0], 0.25).round(6)", "array([0.346574, 0.      ])"),
)
kl_div = declare(
    _elementary.kl_div,
    "x y",
    "The divergence of Kullback and Leibler, ``x log(x / y) - x + y``.",
    ("np.special.kl_div([0.5, 0.0], 0.25).round(6)", "array([0.096574, 0.25    ])"),
)
xlogy = declare(
    _elementary.xlogy,
    "x y",
    "``x log(y)``, which is 0 where ``x`` is 0.",
    ("np.special.xlogy([0.0, 2.0], [0.0, 3.0]).round(6)", "array([0.      , 2.197225])"),
    loops="double",
    complexes=True,
)
xlog1py = declare(
    _elementary.xlog1py,
    "x y",
    "``x log(1 + y)``, which is 0 where ``x`` is 0.",
    (
        "np.array_str(np.special.xlog1py([0.0, 2.0], [-1.0, 1e-10]), precision=6)",
        "'[0.e+00 2.e-10]'",
    ),
    loops="double",
    complexes=True,
)
huber = declare(
    _elementary.huber,
    "delta r",
    "Huber's loss.",
    ("np.special.huber(1.0, [0.5, 3.0]).round(6)", "array([0.125, 2.5  ])"),
)
pseudo_huber = declare(
    _elementary.pseudo_huber,
    "delta r",
    "The smooth variant of Huber's loss.",
    ("np.special.pseudo_huber(1.0, [0.5, 3.0]).round(6)", "array([0.118034, 2.162278])"),
)
boxcox = declare(
    _elementary.boxcox,
    "x lmbda",
    "The transformation of Box and Cox, ``(x**lmbda - 1) / lmbda``.",
    ("np.special.boxcox([1.0, 4.0], 0.5).round(6)", "array([0., 2.])"),
)
boxcox1p = declare(
    _elementary.boxcox1p,
    "x lmbda",
    "The transformation of Box and Cox of ``1 + x``.",
    ("np.special.boxcox1p([1.0, 3.0], 0.5).round(6)", "array([0.828427, 2.      ])"),
)
inv_boxcox = declare(
    _elementary.inv_boxcox,
    "y lmbda",
    "The inverse of ``boxcox``.",
    ("np.special.inv_boxcox([0.0, 2.0], 0.5).round(6)", "array([1., 4.])"),
)
inv_boxcox1p = declare(
    _elementary.inv_boxcox1p,
    "x lmbda",
    "The inverse of ``boxcox1p``.",
    ("np.special.inv_boxcox1p([0.0, 2.0], 0.5).round(6)", "array([0., 3.])"),
)
cosm1 = declare(
    _elementary.cosm1,
    "x",
    "``cos(x) - 1`` without cancellation.",
    ("np.array_str(np.special.cosm1([0.0, 1e-5]), precision=6)", "'[ 0.e+00 -5.e-11]'"),
    loops="double",
)
expm1 = declare(
    _elementary.expm1,
    "x",
    "``exp(x) - 1`` without cancellation.",
    ("np.array_str(np.special.expm1([0.0, 1e-5]), precision=6)", "'[0.000000e+00 1.000005e-05]'"),
    loops="double",
)
log1p = declare(
    _elementary.log1p,
    "x",
    "``log(1 + x)`` without cancellation.",
    ("np.array_str(np.special.log1p([0.0, 1e-5]), precision=6)", "'[0.00000e+00 9.99995e-06]'"),
    loops="double",
)
exprel = declare(
    _elementary.exprel,
    "x",
    "``(exp(x) - 1) / x``, which is 1 at 0.",
    ("np.special.exprel([0.0, 1.0]).round(6)", "array([1.      , 1.718282])"),
    loops="double",
)
exp2 = declare(
    _elementary.exp2,
    "x",
    "``2**x``.",
    ("np.special.exp2([0.0, 3.0]).round(6)", "array([1., 8.])"),
    loops="double",
)
exp10 = declare(
    _elementary.exp10,
    "x",
    "``10**x``.",
    ("np.special.exp10([0.0, 3.0]).round(6)", "array([   1., 1000.])"),
    loops="double",
)
cbrt = declare(
    _elementary.cbrt,
    "x",
    "The real cube root.",
    ("np.special.cbrt([8.0, -27.0]).round(6)", "array([ 2., -3.])"),
    loops="double",
)
powm1 = declare(
    _elementary.powm1,
    "x y",
    "``x**y - 1`` without cancellation.",
    (
        "np.array_str(np.special.powm1(2.0, [3.0, 1e-10]), precision=6)",
        "'[7.000000e+00 6.931472e-11]'",
    ),
)
sindg = declare(
    _elementary.sindg,
    "x",
    "The sine of degrees, exact at multiples of 90.",
    ("np.special.sindg([30.0, 90.0]).round(6)", "array([0.5, 1. ])"),
    loops="double",
)
cosdg = declare(
    _elementary.cosdg,
    "x",
    "The cosine of degrees, exact at multiples of 90.",
    ("np.special.cosdg([60.0, 180.0]).round(6)", "array([ 0.5, -1. ])"),
    loops="double",
)
tandg = declare(
    _elementary.tandg,
    "x",
    "The tangent of degrees.",
    ("np.special.tandg([45.0, 180.0]).round(6)", "array([1., 0.])"),
    loops="double",
)
cotdg = declare(
    _elementary.cotdg,
    "x",
    "The cotangent of degrees.",
    ("np.special.cotdg([45.0, 90.0]).round(6)", "array([1., 0.])"),
    loops="double",
)
radian = declare(
    _elementary.radian,
    "d m s",
    "The radians of degrees, minutes and seconds.",
    ("np.special.radian(180.0, 0.0, 0.0).round(6)", "np.float64(3.141593)"),
    loops="double",
)
agm = declare(
    _elementary.agm,
    "a b",
    "The arithmetic-geometric mean.",
    ("np.special.agm(1.0, [2.0, 24.0]).round(6)", "array([1.456791, 8.256672])"),
)
round = declare(
    _elementary.round_half_even,
    "x",
    "The nearest integer, the even one of two.",
    ("np.special.round([0.5, 1.6]).round(6)", "array([0., 2.])"),
    name="round",
)
