"""Arrays from data."""

from __future__ import annotations

from tests.surface import DATA_DEPENDENT, NO_INPUT, PIECEWISE_CONSTANT, Case

ROW = ([0.3, 0.6, 0.9],)
PAIR = ([0.3, 0.6, 0.9], [1.4, 1.5, 1.8])
MATRIX = ([[0.3, 0.6], [0.9, 0.1]],)
MEMORY = "it reads memory that torch does not know"

CASES = [
    Case("array", lambda np, a: np.array(a), ROW, nodes=1),
    Case("array", lambda np: np.array([[1, 2.5], [3, 4]]), grad=NO_INPUT),
    Case("array", lambda np, a, b: np.array([a, b]), PAIR, nodes=1),
    Case("array", lambda np, a, b: np.array([a, b, [1, 2, 3]], dtype=complex), PAIR),
    Case("array", lambda np, a: np.array([a.sum(), 2.0]), ROW),
    Case("array", lambda np, a: np.array(a, dtype=int), ROW, grad=PIECEWISE_CONSTANT, nodes=1),
    Case("array", lambda np, a: np.array(a, order="F", ndmin=3), MATRIX),
    Case("asarray", lambda np, a: np.asarray(a), ROW, nodes=0),
    Case("asarray", lambda np: np.asarray([1, 2, 3]), grad=NO_INPUT),
    Case("asarray", lambda np, a: np.asarray(a._tensor), ROW, nodes=0),
    Case("asanyarray", lambda np, a: np.asanyarray(a), ROW, nodes=0),
    Case("ascontiguousarray", lambda np, a: np.ascontiguousarray(a.T), MATRIX),
    Case("asfortranarray", lambda np, a: np.asfortranarray(a), MATRIX),
    Case("asarray_chkfinite", lambda np, a: np.asarray_chkfinite(a), ROW, trace=DATA_DEPENDENT),
    Case("require", lambda np, a: np.require(a, requirements="F"), MATRIX),
    Case("copy", lambda np, a: np.copy(a), ROW, nodes=1),
    Case("frombuffer", lambda np: np.frombuffer(b"12345678"), trace=MEMORY, grad=NO_INPUT),
    Case("fromiter", lambda np: np.fromiter(range(3), int), grad=NO_INPUT),
    Case("fromstring", lambda np: np.fromstring("1 2", sep=" "), grad=NO_INPUT),
    Case("fromfunction", lambda np, a: np.fromfunction(lambda i: i * a, (3,)), ROW),
    Case("from_dlpack", lambda np, a: np.from_dlpack(a), ROW),
]
