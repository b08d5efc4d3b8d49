"""Exponential, logarithmic, trigonometric and hyperbolic functions."""

from __future__ import annotations

from tests.surface import Case

INSIDE = ([-0.7, -0.1, 0.3, 0.9],)
POSITIVE = ([0.1, 0.9, 1.5, 20.0],)
ABOVE_ONE = ([1.1, 1.5, 3.0, 20.0],)

CASES = [
    Case("exp", lambda xp, a: xp.exp(a), INSIDE, nodes=1),
    Case("expm1", lambda xp, a: xp.expm1(a), INSIDE, nodes=1),
    Case("log", lambda xp, a: xp.log(a), POSITIVE, nodes=1),
    Case("log1p", lambda xp, a: xp.log1p(a), POSITIVE, nodes=1),
    Case("log2", lambda xp, a: xp.log2(a), POSITIVE, nodes=1),
    Case("log10", lambda xp, a: xp.log10(a), POSITIVE, nodes=1),
    Case("sqrt", lambda xp, a: xp.sqrt(a), POSITIVE, nodes=1),
    Case("sin", lambda xp, a: xp.sin(a), INSIDE, nodes=1),
    Case("cos", lambda xp, a: xp.cos(a), INSIDE, nodes=1),
    Case("tan", lambda xp, a: xp.tan(a), INSIDE, nodes=1),
    Case("asin", lambda xp, a: xp.asin(a), INSIDE, nodes=1),
    Case("acos", lambda xp, a: xp.acos(a), INSIDE, nodes=1),
    Case("atan", lambda xp, a: xp.atan(a), INSIDE, nodes=1),
    Case("sinh", lambda xp, a: xp.sinh(a), INSIDE, nodes=1),
    Case("cosh", lambda xp, a: xp.cosh(a), INSIDE, nodes=1),
    Case("tanh", lambda xp, a: xp.tanh(a), INSIDE, nodes=1),
    Case("asinh", lambda xp, a: xp.asinh(a), INSIDE, nodes=1),
    Case("acosh", lambda xp, a: xp.acosh(a), ABOVE_ONE, nodes=1),
    Case("atanh", lambda xp, a: xp.atanh(a), INSIDE, nodes=1),
]
