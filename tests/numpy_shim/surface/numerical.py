"""Limiting, repairing, interpolating and unwrapping; parts of numbers; special functions."""

from __future__ import annotations

from tests.surface import NO_INPUT, Case

ONE = ([0.3, 0.6, 0.9, 2.5],)
TWO = ([0.3, 0.6, 0.9], [0.4, 0.5, 0.8])
COMPLEX = ([0.3 + 1j, 0.6 - 2j, -1 + 0.5j],)
MATRIX = ([[0.3, 0.6, 0.9], [1.2, -0.7, 2.0], [1.0, 3.0, 0.5]],)

CASES = [
    Case("clip", lambda np, a: np.clip(a, 0.5, 1), ONE, nodes=1),
    Case("clip", lambda np, a, b: np.clip(a, None, b), TWO),
    Case("clip", lambda np, a, b: np.clip(a, b, b + 0.05, out=np.zeros(3)), TWO),
    Case("nan_to_num", lambda np, a: np.nan_to_num(a), ONE),
    Case("nan_to_num", lambda np, a: np.nan_to_num(a, nan=1), COMPLEX, dtype="complex128"),
    Case("interp", lambda np, a, b: np.interp(a, [0.0, 0.55, 1.0], b), TWO),
    Case("interp", lambda np, a: np.interp(a, [0.0, 1.0], [2.0, 3.0], period=1.7), ONE),
    Case("unwrap", lambda np, a: np.unwrap(a, period=1.3), ONE),
    Case("real", lambda np, a: np.real(a), COMPLEX, dtype="complex128"),
    Case("imag", lambda np, a: np.imag(a), COMPLEX, dtype="complex128"),
    Case("angle", lambda np, a: np.angle(a, True), COMPLEX, dtype="complex128"),
    Case(
        "real_if_close", lambda np, a: np.real_if_close(a), COMPLEX, dtype="complex128",
        trace="the dtype of the result depends on the values",
    ),
    Case("i0", lambda np, a: np.i0(a), ONE),
    Case("sinc", lambda np, a: np.sinc(a), ONE),
    Case("hanning", lambda np: np.hanning(5), grad=NO_INPUT),
    Case("hamming", lambda np: np.hamming(5), grad=NO_INPUT),
    Case("blackman", lambda np: np.blackman(5), grad=NO_INPUT),
    Case("bartlett", lambda np: np.bartlett(5), grad=NO_INPUT),
    Case("kaiser", lambda np: np.kaiser(5, 3.0), grad=NO_INPUT),
    Case("gradient", lambda np, a: np.gradient(a), MATRIX),
    Case("gradient", lambda np, a: np.gradient(a, [0.0, 1.0, 3.0], 2, edge_order=2), MATRIX),
    Case("trapezoid", lambda np, a: np.trapezoid(a, [0.0, 1.0, 3.0]), MATRIX),
    Case("trapezoid", lambda np, a: np.trapezoid(a, dx=0.5, axis=0), MATRIX),
    Case("cross", lambda np, a: np.cross(a, a + 1), MATRIX),
]  # fmt: skip
