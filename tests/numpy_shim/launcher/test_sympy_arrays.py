"""Launched programs give SymPy arrays and scalars where they gave it NumPy's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.numpy_shim.launcher.launching import check_output

CALLS = """
    import numpy as np
    import sympy
    from sympy import Eq, Float, Integer, Matrix, Rational, S, exp, lambdify, pi, sqrt, symbols

    x, y = symbols("x y")
    a, f = np.arange(3), np.linspace(0.0, 1.0, 3)
    i, g, h, z = a[1], f[1], f.astype("f4")[1], (1j * f)[1]
    bit, whole, half = (a > 0)[1], np.array(2), np.array(0.5)
    print(x * a, a * x, x + f, f - x, x**a, pi * f, x * whole, half * x, x + half)
    print(x * i, i * x, g * x, x / g, x**i, (x + 1) ** i, x * z, x + h)
    print(x == i, i == x, x != g, g < x, x >= i, g.__lt__(x), divmod(g, x), g % x, g // x)
    print(S(i), S(g), S(h), S(z), S(bit), S(a), S(a > 1), S(whole), S(f))
    print(Rational(i, 3), Integer(i), Float(g), exp(i), sqrt(a[2]), Eq(x, i), (x**2).subs(x, i))
    print((x**2).evalf(subs={x: g}), sympy.Sum(x, (x, 1, i)).doit(), sympy.Interval(a[0], i))
    print(sympy.interpolate([(k, k**2) for k in a], x), sympy.binomial(a[2], 1), sympy.N(i))
    print(Matrix([[i, g], [g, i]]), Matrix(a) * x, Matrix(2, 2, lambda p, q: a[p] * a[q]))
    print(np.prod([x**k for k in a]), sympy.Point(a[0], a[1]), sympy.FiniteSet(*a))
    print(lambdify(x, x**2 + 1)(f), lambdify((x, y), Matrix([[x, y]]))(g, i))
"""


@pytest.mark.parametrize("where", ["cpu", "npy"])
def test_symbols_beside_arrays(tmp_path: Path, where: str) -> None:
    pytest.importorskip("sympy")
    check_output(tmp_path, CALLS, where)
