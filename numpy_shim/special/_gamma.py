"""Gamma, beta and zeta functions."""

from __future__ import annotations

from xp_torch._kernels.special import (
    gamma as _gamma,
)
from xp_torch._kernels.special import (
    incomplete_beta as _incomplete_beta,
)
from xp_torch._kernels.special import (
    incomplete_gamma as _incomplete_gamma,
)
from xp_torch._kernels.special import (
    zeta as _zeta,
)

from ._calls import declare

__all__ = [
    "beta",
    "betainc",
    "betaincc",
    "betainccinv",
    "betaincinv",
    "betaln",
    "binom",
    "digamma",
    "gamma",
    "gammainc",
    "gammaincc",
    "gammainccinv",
    "gammaincinv",
    "gammaln",
    "gammasgn",
    "loggamma",
    "poch",
    "psi",
    "rgamma",
    "zetac",
]

gamma = declare(
    _gamma.gamma,
    "x",
    "The gamma function; NaN at negative integers.",
    ("np.special.gamma([0.5, 5.0]).round(6)", "array([ 1.772454, 24.      ])"),
    loops="double",
)
gammaln = declare(
    _gamma.gammaln,
    "x",
    "The logarithm of the absolute value of the gamma function.",
    ("np.special.gammaln([0.5, 100.0]).round(6)", "array([  0.572365, 359.134205])"),
    loops="double",
)
loggamma = declare(
    _gamma.loggamma,
    "x",
    "The principal branch of the logarithm of the gamma function; NaN for negative numbers.",
    ("np.special.loggamma([0.5, 100.0]).round(6)", "array([  0.572365, 359.134205])"),
    loops="double",
)
rgamma = declare(
    _gamma.rgamma,
    "x",
    "The reciprocal of the gamma function, which is 0 at its poles.",
    ("np.special.rgamma([-1.0, 3.0]).round(6)", "array([0. , 0.5])"),
    loops="double",
)
gammasgn = declare(
    _gamma.gammasgn,
    "x",
    "The sign of the gamma function.",
    ("np.special.gammasgn([-0.5, 2.0]).round(6)", "array([-1.,  1.])"),
    loops="double",
)
digamma = declare(
    _gamma.digamma,
    "x",
    "The logarithmic derivative of the gamma function.",
    ("np.special.digamma([1.0, 2.0]).round(6)", "array([-0.577216,  0.422784])"),
    loops="double",
)
psi = declare(
    _gamma.digamma,
    "x",
    "The logarithmic derivative of the gamma function; another name of ``digamma``.",
    ("np.special.psi([1.0, 2.0]).round(6)", "array([-0.577216,  0.422784])"),
    loops="double",
    name="psi",
)
beta = declare(
    _gamma.beta,
    "a b",
    "The beta function.",
    ("np.special.beta(2.0, [0.5, 3.0]).round(6)", "array([1.333333, 0.083333])"),
    loops="double",
)
betaln = declare(
    _gamma.betaln,
    "a b",
    "The logarithm of the absolute value of the beta function.",
    ("np.special.betaln(2.0, [0.5, 3.0]).round(6)", "array([ 0.287682, -2.484907])"),
    loops="double",
)
poch = declare(
    _gamma.poch,
    "z m",
    "The Pochhammer symbol ``gamma(z + m) / gamma(z)``.",
    ("np.special.poch(3.0, [1.0, 2.0]).round(6)", "array([ 3., 12.])"),
)
binom = declare(
    _gamma.binom,
    "x y",
    "The binomial coefficient of real numbers.",
    ("np.special.binom(5.0, [2.0, 2.5]).round(6)", "array([10.      , 10.864977])"),
)
gammainc = declare(
    _incomplete_gamma.gammainc,
    "a x",
    "The regularized lower incomplete gamma function.",
    ("np.special.gammainc(2.0, [0.5, 3.0]).round(6)", "array([0.090204, 0.800852])"),
    loops="double",
)
gammaincc = declare(
    _incomplete_gamma.gammaincc,
    "a x",
    "The regularized upper incomplete gamma function.",
    ("np.special.gammaincc(2.0, [0.5, 3.0]).round(6)", "array([0.909796, 0.199148])"),
    loops="double",
)
gammaincinv = declare(
    _incomplete_gamma.gammaincinv,
    "a y",
    "The ``x`` with ``gammainc(a, x) == y``.",
    ("np.special.gammaincinv(2.0, [0.1, 0.5]).round(6)", "array([0.531812, 1.678347])"),
    loops="double",
)
gammainccinv = declare(
    _incomplete_gamma.gammainccinv,
    "a y",
    "The ``x`` with ``gammaincc(a, x) == y``.",
    ("np.special.gammainccinv(2.0, [0.1, 0.5]).round(6)", "array([3.88972 , 1.678347])"),
    loops="double",
)
betainc = declare(
    _incomplete_beta.betainc,
    "a b x",
    "The regularized incomplete beta function.",
    ("np.special.betainc(2.0, 3.0, [0.1, 0.5]).round(6)", "array([0.0523, 0.6875])"),
)
betaincc = declare(
    _incomplete_beta.betaincc,
    "a b x",
    "The complement of the regularized incomplete beta function.",
    ("np.special.betaincc(2.0, 3.0, [0.1, 0.5]).round(6)", "array([0.9477, 0.3125])"),
)
betaincinv = declare(
    _incomplete_beta.betaincinv,
    "a b y",
    "The ``x`` with ``betainc(a, b, x) == y``.",
    ("np.special.betaincinv(2.0, 3.0, [0.1, 0.5]).round(6)", "array([0.142559, 0.385728])"),
)
betainccinv = declare(
    _incomplete_beta.betainccinv,
    "a b y",
    "The ``x`` with ``betaincc(a, b, x) == y``.",
    ("np.special.betainccinv(2.0, 3.0, [0.1, 0.5]).round(6)", "array([0.679539, 0.385728])"),
)
zetac = declare(
    _zeta.zetac,
    "x",
    "Riemann's zeta function less 1.",
    ("np.special.zetac([-1.0, 2.0]).round(6)", "array([-1.083333,  0.644934])"),
    loops="double",
)
