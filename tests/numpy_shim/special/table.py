"""One row per special function: where it is compared with SciPy, how closely, and its gradient.

The tests read the table, and ``docs/generate_special.py`` writes it into ``docs/special.md``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

EDGES = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 1e-300, -1e-300, 1e300, -1e300]


class Row(NamedTuple):
    """One function."""

    name: str
    grids: tuple[Sequence[float], ...]
    """The values of each operand; all combinations are compared."""
    rtol: float = 1e-13
    points: tuple[Sequence[float], ...] = ()
    """Operands at which the gradient is compared with finite differences; none: no gradient."""
    by: tuple[int, ...] | None = None
    """The operands that have a derivative; all if None."""
    second: bool = True
    atol: float = 0.0
    integers: tuple[int, ...] = ()
    """Operands that are given as integers."""
    floor: float = 1e-290
    """What is below this in size is compared as if it were 0."""


def _logs(low: float, high: float, count: int) -> list[float]:
    return [float(x) for x in np.logspace(low, high, count)]


def _line(low: float, high: float, count: int) -> list[float]:
    return [float(x) for x in np.linspace(low, high, count)]


_REAL = _line(-30.03, 30.07, 121) + _line(-3.01, 3.02, 61) + _logs(-12, 6, 37) + EDGES
_POSITIVE = [*_logs(-10, 2.8, 60), 0.0, 1.0, 2.0, 10.0, math.inf, math.nan]
_UNIT = [*_line(0, 1, 41), *_logs(-200, -2, 20), 1 - 1e-10, math.nan, -0.1, 1.1]
_SHAPES = [*_logs(-3, 3.5, 14), 0.5, 1.0, 2.0, 20.0]
_SHAPE_EDGES = [*_SHAPES, 0.0, -1.0, math.nan]
_MODULI = [*_line(-3, 0.95, 20), 1 - 1e-9, -1e4, 0.0]
_PLAIN = [*_line(-2.9, 20.3, 24), *_logs(-5, 3, 9), 0.0, 1.0]
_INTEGERS = [float(n) for n in range(8)] + [50.0]
_ORDERS = [float(n) for n in range(-4, 9)] + [0.25, 0.5, 1.5, 7.3, 33.3, 100.0, 500.0, -0.3, -2.6]
_ARGUMENTS = _logs(-8, 3, 34) + _line(0.5, 40, 40)
_DEGREES = [*map(float, range(8)), 20.0, 51.0]
_INSIDE = [*_line(-1, 1, 41), 1e-9, math.nan]
_INSIDE2 = [2 * x for x in _INSIDE]
_SHARE = [(x + 1) / 2 for x in _INSIDE]
_HALF_LINE = [*_line(0, 12, 25), 1e-9, math.nan]
_PARAMETERS = [0.5, 1.0, 2.3]
_CARLSON = [*_logs(-4, 4, 7), 1.0]

ONE = ([0.3, 0.52, 0.7],)
TWO = ([0.3, 0.52, 0.7], [0.2, 0.9, 0.6])
THREE = ([0.3, 0.52, 0.7], [0.2, 0.9, 0.6], [0.4, 0.8, 0.3])
FOUR = (*THREE, [0.8, 1.02, 1.2])
_DISCRETE = ([2.0, 3.0, 1.0], [5.0, 6.0, 4.0], [0.4, 0.8, 0.3])

TABLE = [
    # gamma, beta and zeta
    Row("gamma", ([*_REAL, 170.5, -150.3, 5.0],), 2e-14, ONE),
    Row("rgamma", ([*_REAL, 150.5, -150.3],), 2e-14, ONE),
    Row("gammaln", ([*_REAL, 170.5],), 1e-12, ONE),
    Row("loggamma", ([*_REAL, 170.5],), 1e-12, ONE),
    Row("gammasgn", (_REAL,), 0.0, ONE),
    Row("digamma", (_REAL,), 1e-12, ONE),
    Row("psi", (_REAL,), 1e-12, ONE),
    Row("polygamma", (_INTEGERS, _POSITIVE[:-2]), 1e-14, ([1.0, 2.0, 5.0], [0.6, 2.2, 0.9]), (1,),
        integers=(0,)),
    Row("beta", (_SHAPE_EDGES, _SHAPES), 1e-11, TWO),
    Row("betaln", (_SHAPE_EDGES, _SHAPES), 1e-11, TWO, atol=1e-12),
    Row("poch", (_SHAPES, _SHAPES), 1e-11, TWO),
    Row("binom", (_INTEGERS, _INTEGERS), 1e-13, TWO),
    Row("zeta", ([*_line(1.0, 30, 30), math.nan], [*_logs(-2, 3, 20), 1.0, math.nan]), 1e-14, (
        [1.3, 2.5, 4.0], [0.2, 0.9, 3.3]), second=False),
    Row("zetac", ([*_line(-20.03, 30, 61), 1.0, 0.0, 0.5, math.nan],), 1e-12, ([-1.3, 0.4, 3.3],)),
    # the incomplete functions
    Row("gammainc", (_SHAPE_EDGES, [*_POSITIVE, -1.0]), 1e-12, TWO, second=False),
    Row("gammaincc", (_SHAPE_EDGES, [*_POSITIVE, -1.0]), 1e-11, TWO, second=False),
    Row("gammaincinv", (_SHAPES, _UNIT[:-2]), 1e-12, TWO, (1,)),
    Row("gammainccinv", (_SHAPES, _UNIT[:-2]), 1e-12, TWO, (1,)),
    Row("betainc", (_SHAPES[4:], _SHAPES[4:], [*_line(0.01, 0.99, 29), 0.0, 1.0, -1.0, math.nan]),
        1e-11,
        THREE, second=False, floor=1e-150),
    Row("betaincc", (_SHAPES[4:], _SHAPES[4:], [*_line(0.01, 0.99, 29), 0.0, 1.0, -1.0,
        math.nan]), 1e-11,
        THREE, second=False, floor=1e-150),
    Row("betaincinv", (_SHAPES[5:], _SHAPES[5:], [*_line(0.02, 0.98, 17), 0.0, 1.0]), 1e-11,
        THREE, (2,)),
    Row("betainccinv", (_SHAPES[5:], _SHAPES[5:], [*_line(0.02, 0.98, 17), 0.0, 1.0]), 1e-11,
        THREE, (2,)),
    # elementary
    Row("expit", (_REAL,), 1e-15, ONE),
    Row("logit", ([*_UNIT, 0.5001],), 1e-14, ONE),
    Row("log_expit", (_REAL,), 1e-14, ONE),
    Row("entr", (_REAL,), 1e-15, ONE),
    Row("rel_entr", (_REAL[::3], _REAL[::4]), 1e-14, TWO),
    Row("kl_div", (_REAL[::3], _REAL[::4]), 1e-14, TWO),
    Row("xlogy", (_REAL[::3], _REAL[::4]), 1e-14, TWO),
    Row("xlog1py", (_REAL[::3], _REAL[::4]), 1e-14, TWO),
    Row("huber", (_REAL[::3], _REAL[::4]), 1e-15, ([1.1, 0.4, 0.5], [0.7, -0.9, 0.3])),
    Row("pseudo_huber", (_PLAIN, _PLAIN), 1e-13, ([1.1, 0.4, 0.5], [0.7, -0.9, 0.3])),
    Row("boxcox", ([x for x in _PLAIN if x >= 0], [-2.0, -0.5, -1e-9, 0.0, 1e-9, 0.5, 3.0]),
        1e-13, TWO),
    Row("boxcox1p", ([x for x in _PLAIN if x >= -1], [-2.0, -0.5, -1e-9, 0.0, 1e-9, 0.5, 3.0]),
        1e-13, TWO),
    Row("inv_boxcox", (_PLAIN, [-2.0, -0.5, -1e-9, 0.0, 1e-9, 0.5, 3.0]), 1e-13, TWO),
    Row("inv_boxcox1p", (_PLAIN, [-2.0, -0.5, -1e-9, 0.0, 1e-9, 0.5, 3.0]), 1e-13, TWO),
    Row("cosm1", ([*_line(-3, 3, 61), *_logs(-9, 0, 20), 0.0, math.nan],), 1e-14, ONE),
    Row("expm1", (_REAL,), 1e-15, ONE),
    Row("log1p", (_REAL,), 1e-15, ONE),
    Row("exprel", (_REAL,), 1e-15, ONE),
    Row("exp2", (_REAL,), 1e-15, ONE),
    Row("exp10", (_REAL,), 1e-15, ONE),
    Row("cbrt", (_REAL,), 1e-15, ONE),
    Row("powm1", ([x for x in _PLAIN if x > 0], _PLAIN), 1e-13, TWO),
    Row("sindg", ([*_line(-720, 720, 97), 1e-5, 1e16, math.nan],), 1e-12, ONE, atol=1e-15),
    Row("cosdg", ([*_line(-720, 720, 97), 1e-5, 1e16, math.nan],), 1e-12, ONE, atol=1e-15),
    Row("tandg", ([*_line(-85, 85, 69), 180.0, 1e16, math.nan],), 1e-12, ONE, atol=1e-15),
    Row("cotdg", ([*_line(5, 175, 69), -45.0, math.nan],), 1e-12, ONE, atol=1e-15),
    Row("radian", (_PLAIN[::4], _PLAIN[::4], _PLAIN[::4]), 1e-14, THREE, second=False, atol=1e-17),
    Row("agm", (_PLAIN[::2], _PLAIN), 1e-14, ([0.3, 0.5, 2.0], [0.4, 1.5, 0.6]), second=False),
    Row("round", ([*_REAL, 0.5, 1.5, 2.5],), 0.0),
    Row("softplus", (_REAL,), 1e-15, ONE),
    Row("sinc", ([*_line(-5, 5, 51), 0.0],), 1e-13, ONE, atol=1e-16),
    # error functions
    Row("erf", (_REAL,), 1e-15, ONE),
    Row("erfc", (_REAL,), 1e-13, ONE),
    Row("erfcx", (_REAL,), 1e-14, ONE),
    Row("erfi", (_REAL,), 1e-14, ONE),
    Row("erfinv", ([*_line(-1, 1, 61), *_logs(-30, -1, 20), 2.0, math.nan],), 1e-14, ONE),
    Row("erfcinv", ([*_line(0, 2, 61), *_logs(-200, -1, 20), 3.0, math.nan],), 1e-14, ONE),
    Row("ndtr", (_REAL,), 1e-12, ONE),
    Row("ndtri", (_UNIT,), 1e-14, ONE),
    Row("ndtri_exp", ([*(-np.logspace(-15, 8, 60)), 0.0, -math.inf],), 1e-12, ([-0.3, -2.5,
        -40.0],)),
    Row("log_ndtr", (_REAL,), 1e-12, ONE),
    Row("dawsn", (_REAL,), 1e-14, ONE),
    Row("voigt_profile", (_PLAIN, [0.5, 2.0, 0.0], [0.3, 1.5, 0.0]), 1e-12, THREE, floor=1e-200),
    Row("fresnel", ([*_line(-12, 12, 121), *_logs(-8, 4, 30), math.nan],), 1e-14, ONE, atol=1e-16),
    Row("owens_t", (_PLAIN, _PLAIN), 1e-11, TWO, floor=1e-200),
    # integrals
    Row("expi", ([*_line(-30.03, 38.07, 121), 500.0, 0.0, 0.3725, math.nan],), 1e-12, ONE),
    Row("exp1", ([*_POSITIVE, -1.0],), 1e-14, ONE),
    Row("expn", (_INTEGERS, [*_POSITIVE, -1.0]), 1e-13, ([2.0, 3.0, 7.0], [0.2, 0.9, 4.0]), (1,),
        integers=(0,)),
    Row("shichi", ([*_line(-30.03, 30.07, 121), 0.0, math.nan],), 1e-13, ONE),
    Row("sici", ([*_REAL, 100.0],), 1e-13, ONE, atol=1e-15),
    Row("spence", ([*_POSITIVE[:-2], 0.0, -1.0, math.nan],), 1e-13, ONE, atol=1e-16),
    Row("ellipk", ([*_MODULI, 1.0, 2.0, math.nan],), 1e-14, ONE),
    Row("ellipkm1", ([*_logs(-20, 3, 40), 0.0, -1.0, math.nan],), 1e-13, ONE),
    Row("ellipe", ([*_MODULI, 1.0, 2.0, math.nan],), 1e-14, ONE),
    Row("ellipkinc", (_line(-5.01, 5, 41), _MODULI), 1e-13, TWO, second=False),
    Row("ellipeinc", (_line(-5.01, 5, 41), _MODULI), 1e-13, TWO, second=False),
    Row("ellipj", (_line(-5, 5, 41), [*_line(0, 0.95, 20), 1.0, -0.1, 1.1]), 1e-12, TWO,
        second=False,
        atol=1e-14),
    Row("elliprf", (_CARLSON, _CARLSON, [0.0, *_CARLSON]), 1e-14, THREE),
    Row("elliprd", (_CARLSON, [0.0, *_CARLSON], _CARLSON), 1e-14, THREE, second=False),
    Row("elliprc", (_CARLSON, [*_CARLSON, -1.0, -30.0]), 1e-12, TWO),
    Row("elliprg", (_CARLSON, _CARLSON, [0.0, *_CARLSON]), 1e-14, THREE, second=False),
    Row("elliprj", (_CARLSON[:5], _CARLSON[:5], [0.0, *_CARLSON[:5]], _CARLSON[1:5]), 1e-11, FOUR,
        second=False),
    # distributions
    Row("bdtr", (_INTEGERS, _INTEGERS, _line(0, 1, 11)), 1e-12, _DISCRETE, (2,), integers=(1,),
        second=False),
    Row("bdtrc", (_INTEGERS, _INTEGERS, _line(0, 1, 11)), 1e-12, _DISCRETE, (2,), integers=(1,),
        second=False),
    Row("bdtri", (_INTEGERS[:6], _INTEGERS, _line(0.1, 0.9, 9)), 1e-12, _DISCRETE, (2,),
        integers=(1,)),
    Row("nbdtr", (_INTEGERS, _INTEGERS[1:], _line(0, 1, 11)), 1e-12, _DISCRETE, (2,), integers=(0,
        1),
        second=False),
    Row("nbdtrc", (_INTEGERS, _INTEGERS[1:], _line(0, 1, 11)), 1e-12, _DISCRETE, (2,),
        integers=(0, 1),
        second=False),
    Row("nbdtri", (_INTEGERS, _INTEGERS[1:], _line(0.1, 0.9, 9)), 1e-12, _DISCRETE, (2,),
        integers=(0, 1)),
    Row("pdtr", (_INTEGERS, [*_POSITIVE, -1.0]), 1e-12, ([2.0, 3.0, 1.0], [0.2, 0.9, 4.0]), (1,),
        second=False),
    Row("pdtrc", (_INTEGERS, [*_POSITIVE, -1.0]), 1e-12, ([2.0, 3.0, 1.0], [0.2, 0.9, 4.0]), (1,),
        second=False),
    Row("pdtri", (_INTEGERS, _line(0.02, 0.98, 17)), 1e-12, ([2.0, 3.0, 1.0], [0.2, 0.9, 0.4]),
        (1,),
        integers=(0,)),
    Row("chdtr", (_SHAPES, [*_POSITIVE, -1.0]), 1e-11, TWO, second=False),
    Row("chdtrc", (_SHAPES, [*_POSITIVE, -1.0]), 1e-11, TWO, second=False),
    Row("chdtri", (_SHAPES, _line(0.02, 0.98, 17)), 1e-12, TWO, (1,)),
    Row("fdtr", (_SHAPES[6:], _SHAPES[6:], [*_logs(-1.5, 1.5, 13), 0.0, -1.0]), 1e-11, THREE,
        second=False,
        floor=1e-150),
    Row("fdtrc", (_SHAPES[6:], _SHAPES[6:], [*_logs(-1.5, 1.5, 13), 0.0, -1.0]), 1e-11, THREE,
        second=False,
        floor=1e-150),
    Row("fdtri", (_SHAPES[6:], _SHAPES[6:], _line(0.05, 0.95, 9)), 1e-10, THREE, (2,)),
    Row("gdtr", (_SHAPES[4:], _SHAPES[4:], [*_POSITIVE[::4], -1.0]), 1e-11, THREE, second=False),
    Row("gdtrc", (_SHAPES[4:], _SHAPES[4:], [*_POSITIVE[::4], -1.0]), 1e-11, THREE, second=False),
    Row("gdtrix", (_SHAPES[4:], _SHAPES[4:], _line(0.05, 0.95, 9)), 1e-12, THREE, (0, 2)),
    Row("gdtria", (_line(0.05, 0.95, 9), _SHAPES[4:], _SHAPES[4:]), 1e-12, THREE, (0, 2)),
    Row("stdtr", (_SHAPES[4:], [*_line(-30, 30, 41), math.inf, -math.inf]), 1e-12, TWO, (1,),
        floor=1e-150),
    Row("stdtrit", (_SHAPES[7:], _line(0.02, 0.98, 23)), 1e-11, TWO, (1,), atol=1e-15),
    Row("nrdtrimn", (_line(0.05, 0.95, 9), _PLAIN[::3], _PLAIN[::3]), 1e-12, THREE, atol=1e-13),
    Row("nrdtrisd", (_PLAIN[::3], [0.1, 0.3, 0.8], _PLAIN[::3]), 1e-12, THREE, atol=1e-13),
    Row("kolmogorov", ([*_line(-1, 5, 61), math.inf, math.nan],), 1e-13, ONE),
    Row("kolmogi", ([*_line(0, 1, 41), *_logs(-100, -2, 10), math.nan],), 1e-13, ONE),
    # Bessel functions; near their zeros J and Y are as exact as their amplitude
    Row("j0", ([*_line(-60, 60, 241), *_logs(-10, 3, 30), 0.0, math.nan],), 1e-13, ONE, atol=1e-14),
    Row("j1", ([*_line(-60, 60, 241), *_logs(-10, 3, 30), 0.0, math.nan],), 1e-13, ONE, atol=1e-14),
    Row("y0", ([*_line(-1, 60, 183), *_logs(-10, 3, 30), 0.0, math.nan],), 1e-13, ONE, atol=1e-14),
    Row("y1", ([*_line(-1, 60, 183), *_logs(-10, 3, 30), 0.0, math.nan],), 1e-13, ONE, atol=1e-14),
    Row("i0", (_REAL,), 1e-14, ONE),
    Row("i1", (_REAL,), 1e-14, ONE),
    Row("i0e", (_REAL,), 1e-14, ONE),
    Row("i1e", (_REAL,), 1e-14, ONE),
    Row("k0", ([*_POSITIVE, -1.0],), 1e-14, ONE),
    Row("k1", ([*_POSITIVE, -1.0],), 1e-14, ONE),
    Row("k0e", ([*_POSITIVE, -1.0],), 1e-14, ONE),
    Row("k1e", ([*_POSITIVE, -1.0],), 1e-14, ONE),
    Row("jv", (_ORDERS, _ARGUMENTS), 1e-11, ([0.3, 1.2, 2.5], [0.7, 3.4, 9.1]), atol=1e-13,
        second=False),
    Row("jn", (_ORDERS, _ARGUMENTS[::3]), 1e-11, ([0.3, 1.2, 2.5], [0.7, 3.4, 9.1]), (1,),
        atol=1e-13, second=False),
    Row("yv", (_ORDERS, _ARGUMENTS), 1e-11, ([0.3, 1.2, 2.5], [0.7, 3.4, 9.1]), atol=1e-13,
        second=False),
    Row("yn", (_INTEGERS, _ARGUMENTS[::3]), 1e-11, ([1.0, 2.0, 2.0], [0.7, 3.4, 9.1]), (1,),
        atol=1e-13,
        integers=(0,), second=False),
    Row("iv", (_ORDERS, _ARGUMENTS), 1e-12, ([0.3, 1.2, 2.5], [0.7, 3.4, 9.1]), second=False),
    Row("ive", (_ORDERS, _ARGUMENTS), 1e-12, ([0.3, 1.2, 2.5], [0.7, 3.4, 9.1]), second=False),
    Row("jve", (_ORDERS[::2], _ARGUMENTS[::3]), 1e-11, ([0.3, 1.2, 2.5], [0.7, 3.4, 9.1]),
        atol=1e-13, second=False),
    # SciPy's yve of high orders overflows to +inf, its yv to -inf
    Row("yve", (_ORDERS[:18:2], _ARGUMENTS[::3]), 1e-11, ([0.3, 1.2, 2.5], [0.7, 3.4, 9.1]),
        atol=1e-13, second=False),
    Row("kv", (_ORDERS, _ARGUMENTS), 1e-12, ([0.3, 1.2, 2.5], [0.7, 3.4, 9.1]), second=False),
    Row("kn", (_INTEGERS, _ARGUMENTS[::3]), 1e-12, ([1.0, 2.0, 2.0], [0.7, 3.4, 9.1]), (1,),
        integers=(0,),
        second=False),
    Row("kve", (_ORDERS, _ARGUMENTS), 1e-12, ([0.3, 1.2, 2.5], [0.7, 3.4, 9.1]), second=False),
    Row("airy", ([*_line(-30, 15, 91), 0.0, math.nan],), 1e-12, ONE, second=False, atol=2e-14),
    Row("airye", ([*_line(-30, 30, 91), 0.0, math.nan],), 1e-12, ONE, second=False, atol=2e-14),
    Row("spherical_jn", (_INTEGERS, _ARGUMENTS[::3]), 1e-11, ([1.0, 2.0, 0.0], [0.7, 3.4, 9.1]),
        (1,), atol=1e-14,
        integers=(0,), second=False),
    Row("spherical_yn", (_INTEGERS, _ARGUMENTS[::3]), 1e-11, ([1.0, 2.0, 0.0], [0.7, 3.4, 9.1]),
        (1,), atol=1e-14,
        integers=(0,), second=False),
    Row("spherical_in", (_INTEGERS, _ARGUMENTS[::3]), 1e-12, ([1.0, 2.0, 0.0], [0.7, 3.4, 9.1]),
        (1,), integers=(0,),
        second=False),
    Row("spherical_kn", (_INTEGERS, _ARGUMENTS[::3]), 1e-12, ([1.0, 2.0, 0.0], [0.7, 3.4, 9.1]),
        (1,), integers=(0,),
        second=False),
    # polynomials
    Row("eval_chebyt", (_DEGREES, _INSIDE), 1e-12,
        ([2.0, 3.0, 5.0], [0.3, -0.2, 0.7]), (1,),
        integers=(0,), atol=1e-12),
    Row("eval_chebyu", (_DEGREES, _INSIDE), 1e-12,
        ([2.0, 3.0, 5.0], [0.3, -0.2, 0.7]), (1,),
        integers=(0,), atol=1e-12),
    Row("eval_chebyc", (_DEGREES, _INSIDE2), 1e-12,
        ([2.0, 3.0, 5.0], [0.3, -0.2, 0.7]), (1,),
        integers=(0,), atol=1e-12),
    Row("eval_chebys", (_DEGREES, _INSIDE2), 1e-12,
        ([2.0, 3.0, 5.0], [0.3, -0.2, 0.7]), (1,),
        integers=(0,), atol=1e-12),
    Row("eval_sh_chebyt", (_DEGREES, _SHARE), 1e-12,
        ([2.0, 3.0, 5.0], [0.3, -0.2, 0.7]), (1,),
        integers=(0,), atol=1e-12),
    Row("eval_sh_chebyu", (_DEGREES, _SHARE), 1e-12,
        ([2.0, 3.0, 5.0], [0.3, -0.2, 0.7]), (1,),
        integers=(0,), atol=1e-12),
    Row("eval_legendre", (_DEGREES, _INSIDE), 1e-12,
        ([2.0, 3.0, 5.0], [0.3, -0.2, 0.7]), (1,),
        integers=(0,), atol=1e-12),
    Row("eval_sh_legendre", (_DEGREES, _SHARE), 1e-12,
        ([2.0, 3.0, 5.0], [0.3, -0.2, 0.7]), (1,),
        integers=(0,), atol=1e-12),
    Row("eval_laguerre", (_DEGREES, _HALF_LINE), 1e-12,
        ([2.0, 3.0, 5.0], [0.3, -0.2, 0.7]), (1,),
        integers=(0,), atol=1e-12),
    Row("eval_genlaguerre", (_DEGREES, _PARAMETERS, _HALF_LINE), 1e-12,
        ([2.0, 3.0, 5.0], [0.7, 1.2, 0.4], [0.3, 0.2, 0.7]), (1, 2),
        integers=(0,), atol=1e-12),
    Row("eval_gegenbauer", (_DEGREES, _PARAMETERS, _INSIDE), 1e-12,
        ([2.0, 3.0, 5.0], [0.7, 1.2, 0.4], [0.3, 0.2, 0.7]), (1, 2),
        integers=(0,), atol=1e-12),
    Row("eval_jacobi", (_DEGREES, _PARAMETERS, [0.5, 1.5], _INSIDE), 1e-12,
        ([2.0, 3.0, 5.0], [1.7, 1.2, 2.4], [0.7, 0.9, 1.4], [0.3, 0.2, 0.7]), (1, 2, 3),
        integers=(0,), atol=1e-12),
    Row("eval_sh_jacobi", (_DEGREES, _PARAMETERS, [0.5, 1.5], _SHARE), 1e-12,
        ([2.0, 3.0, 5.0], [1.7, 1.2, 2.4], [0.7, 0.9, 1.4], [0.3, 0.2, 0.7]), (1, 2, 3),
        integers=(0,), atol=1e-12),
    Row("comb", (_INTEGERS, _INTEGERS), 1e-14, TWO),
    Row("perm", (_INTEGERS, _INTEGERS), 1e-13, ([3.3, 4.5, 7.0], [0.2, 0.9, 2.6])),
    Row("factorial", ([*_INTEGERS, 2.5, -1.0, 200.0, math.nan],), 1e-14, ONE),
]  # fmt: skip

WITH_AXES = {"logsumexp", "softmax", "log_softmax", "multigammaln", "wofz"}
"""Functions with tests of their own: those along axes, of an integer, of complex numbers."""

COMPLEX = {"xlogy", "xlog1py", "erf", "erfc", "erfcx", "erfi", "dawsn", "wofz", "sinc"}
"""Functions that take complex numbers."""
