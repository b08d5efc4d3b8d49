"""Exponential, trigonometric and elliptic integrals."""

from __future__ import annotations

from xp_torch._kernels.special import (
    elliptic as _elliptic,
)
from xp_torch._kernels.special import (
    exponential_integrals as _exponential_integrals,
)

from ._calls import declare

__all__ = [
    "ellipe",
    "ellipeinc",
    "ellipj",
    "ellipk",
    "ellipkinc",
    "ellipkm1",
    "elliprc",
    "elliprd",
    "elliprf",
    "elliprg",
    "elliprj",
    "exp1",
    "expi",
    "expn",
    "shichi",
    "sici",
    "spence",
]

expi = declare(
    _exponential_integrals.expi,
    "x",
    "The exponential integral Ei.",
    ("np.special.expi([-1.0, 1.0]).round(6)", "array([-0.219384,  1.895118])"),
)
exp1 = declare(
    _exponential_integrals.exp1,
    "z",
    "The exponential integral E1 of real numbers; NaN for negative ones.",
    ("np.special.exp1([0.5, 1.0]).round(6)", "array([0.559774, 0.219384])"),
)
expn = declare(
    _exponential_integrals.expn,
    "n x",
    "The generalized exponential integral of integer order.",
    ("np.special.expn(2, [0.5, 1.0]).round(6)", "array([0.326644, 0.148496])"),
    integers=(0,),
)
shichi = declare(
    _exponential_integrals.shichi,
    "x",
    "The hyperbolic sine and cosine integrals.",
    ("[float(v.round(6)) for v in np.special.shichi(1.0)]", "[1.057251, 0.837867]"),
    results=2,
)
sici = declare(
    _exponential_integrals.sici,
    "x",
    "The sine and cosine integrals.",
    ("[float(v.round(6)) for v in np.special.sici(1.0)]", "[0.946083, 0.337404]"),
    results=2,
)
spence = declare(
    _exponential_integrals.spence,
    "z",
    "Spence's function, the dilogarithm of ``1 - z``.",
    ("np.special.spence([0.0, 1.0]).round(6)", "array([1.644934, 0.      ])"),
)
ellipk = declare(
    _elliptic.ellipk,
    "m",
    "The complete elliptic integral of the first kind.",
    ("np.special.ellipk([0.0, 0.5]).round(6)", "array([1.570796, 1.854075])"),
    loops="double",
)
ellipkm1 = declare(
    _elliptic.ellipkm1,
    "p",
    "``ellipk(1 - p)``, exact for small ``p``.",
    ("np.special.ellipkm1([1e-20, 0.5]).round(6)", "array([24.412145,  1.854075])"),
    loops="double",
)
ellipe = declare(
    _elliptic.ellipe,
    "m",
    "The complete elliptic integral of the second kind.",
    ("np.special.ellipe([0.0, 0.5]).round(6)", "array([1.570796, 1.350644])"),
    loops="double",
)
ellipkinc = declare(
    _elliptic.ellipkinc,
    "phi m",
    "The incomplete elliptic integral of the first kind.",
    ("np.special.ellipkinc(1.0, [0.0, 0.5]).round(6)", "array([1.      , 1.083217])"),
    loops="double",
)
ellipeinc = declare(
    _elliptic.ellipeinc,
    "phi m",
    "The incomplete elliptic integral of the second kind.",
    ("np.special.ellipeinc(1.0, [0.0, 0.5]).round(6)", "array([1.     , 0.92733])"),
    loops="double",
)
ellipj = declare(
    _elliptic.ellipj,
    "u m",
    "Jacobi's elliptic functions sn, cn, dn and the amplitude.",
    (
        "[float(v.round(6)) for v in np.special.ellipj(0.5, 0.5)]",
        "[0.47075, 0.882266, 0.942972, 0.490141]",
    ),
    loops="double",
    results=4,
)
elliprf = declare(
    _elliptic.elliprf,
    "x y z",
    "Carlson's symmetric integral R_F.",
    ("np.special.elliprf(1.0, 2.0, 3.0).round(6)", "np.float64(0.726946)"),
)
elliprd = declare(
    _elliptic.elliprd,
    "x y z",
    "Carlson's symmetric integral R_D.",
    ("np.special.elliprd(1.0, 2.0, 3.0).round(6)", "np.float64(0.29046)"),
)
elliprc = declare(
    _elliptic.elliprc,
    "x y",
    "Carlson's integral R_C.",
    ("np.special.elliprc(1.0, [2.0, -2.0]).round(6)", "array([0.785398, 0.380173])"),
)
elliprg = declare(
    _elliptic.elliprg,
    "x y z",
    "Carlson's symmetric integral R_G.",
    ("np.special.elliprg(1.0, 2.0, 3.0).round(6)", "np.float64(1.401847)"),
)
elliprj = declare(
    _elliptic.elliprj,
    "x y z p",
    "Carlson's symmetric integral R_J; NaN for negative ``p``.",
    ("np.special.elliprj(1.0, 2.0, 3.0, 4.0).round(6)", "np.float64(0.239848)"),
)
