"""Orthogonal polynomials of integer orders."""

from __future__ import annotations

from xp_torch._kernels.special import (
    polynomials as _polynomials,
)

from ._calls import declare

__all__ = [
    "eval_chebyc",
    "eval_chebys",
    "eval_chebyt",
    "eval_chebyu",
    "eval_gegenbauer",
    "eval_genlaguerre",
    "eval_jacobi",
    "eval_laguerre",
    "eval_legendre",
    "eval_sh_chebyt",
    "eval_sh_chebyu",
    "eval_sh_jacobi",
    "eval_sh_legendre",
]

_ORDERS = (
    "Orders are integers from 0 on, and the highest is read: others are a ``NotImplementedError``."
)

eval_chebyt = declare(
    _polynomials.eval_chebyt,
    "n x",
    "The Chebyshev polynomial of the first kind.",
    ("float(np.special.eval_chebyt(3, 0.5).round(6))", "-1.0"),
    integers=(0,),
    more=_ORDERS,
)
eval_chebyu = declare(
    _polynomials.eval_chebyu,
    "n x",
    "The Chebyshev polynomial of the second kind.",
    ("float(np.special.eval_chebyu(3, 0.25).round(6))", "-0.875"),
    integers=(0,),
    more=_ORDERS,
)
eval_chebyc = declare(
    _polynomials.eval_chebyc,
    "n x",
    "The Chebyshev polynomial of the first kind on [-2, 2].",
    ("float(np.special.eval_chebyc(3, 0.5).round(6))", "-1.375"),
    integers=(0,),
    more=_ORDERS,
)
eval_chebys = declare(
    _polynomials.eval_chebys,
    "n x",
    "The Chebyshev polynomial of the second kind on [-2, 2].",
    ("float(np.special.eval_chebys(3, 0.5).round(6))", "-0.875"),
    integers=(0,),
    more=_ORDERS,
)
eval_sh_chebyt = declare(
    _polynomials.eval_sh_chebyt,
    "n x",
    "The Chebyshev polynomial of the first kind on [0, 1].",
    ("float(np.special.eval_sh_chebyt(3, 0.25).round(6))", "1.0"),
    integers=(0,),
    more=_ORDERS,
)
eval_sh_chebyu = declare(
    _polynomials.eval_sh_chebyu,
    "n x",
    "The Chebyshev polynomial of the second kind on [0, 1].",
    ("float(np.special.eval_sh_chebyu(3, 0.75).round(6))", "-1.0"),
    integers=(0,),
    more=_ORDERS,
)
eval_legendre = declare(
    _polynomials.eval_legendre,
    "n x",
    "The Legendre polynomial.",
    ("float(np.special.eval_legendre(3, 0.5).round(6))", "-0.4375"),
    integers=(0,),
    more=_ORDERS,
)
eval_sh_legendre = declare(
    _polynomials.eval_sh_legendre,
    "n x",
    "The Legendre polynomial on [0, 1].",
    ("float(np.special.eval_sh_legendre(3, 0.75).round(6))", "-0.4375"),
    integers=(0,),
    more=_ORDERS,
)
eval_laguerre = declare(
    _polynomials.eval_laguerre,
    "n x",
    "The Laguerre polynomial.",
    ("float(np.special.eval_laguerre(3, 1.0).round(6))", "-0.666667"),
    integers=(0,),
    more=_ORDERS,
)
eval_genlaguerre = declare(
    _polynomials.eval_genlaguerre,
    "n alpha x",
    "The generalized Laguerre polynomial.",
    ("float(np.special.eval_genlaguerre(3, 0.5, 1.0).round(6))", "-0.604167"),
    integers=(0,),
    more=_ORDERS,
)
eval_gegenbauer = declare(
    _polynomials.eval_gegenbauer,
    "n alpha x",
    "The Gegenbauer polynomial.",
    ("float(np.special.eval_gegenbauer(3, 0.5, 0.5).round(6))", "-0.4375"),
    integers=(0,),
    more=_ORDERS,
)
eval_jacobi = declare(
    _polynomials.eval_jacobi,
    "n alpha beta x",
    "The Jacobi polynomial.",
    ("float(np.special.eval_jacobi(3, 0.5, 1.5, 0.5).round(6))", "-0.65625"),
    integers=(0,),
    more=_ORDERS,
)
eval_sh_jacobi = declare(
    _polynomials.eval_sh_jacobi,
    "n p q x",
    "The shifted Jacobi polynomial.",
    ("float(np.special.eval_sh_jacobi(3, 2.0, 1.5, 0.5).round(6))", "0.0"),
    integers=(0,),
    more=_ORDERS,
)
