"""Creation: filled arrays, ranges, grids, diagonals."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, NO_INPUT, PIECEWISE_CONSTANT, Case

ROW = ([0.3, 0.6, 0.9],)
PAIR = ([0.3, 0.6, 0.9], [1.4, 1.5, 1.8])
MATRIX = ([[0.3, 0.6], [0.9, 0.1]],)

CASES = [
    Case("empty", lambda np: np.empty((2, 3)), grad=NO_INPUT, nodes=1),
    Case("zeros", lambda np: np.zeros((2, 3)), grad=NO_INPUT, nodes=1),
    Case("zeros", lambda np: np.zeros([2], np.int32, "F"), grad=NO_INPUT),
    Case("ones", lambda np: np.ones(3, dtype="f4"), grad=NO_INPUT, nodes=1),
    Case("full", lambda np: np.full((2, 3), 2.5), grad=NO_INPUT, nodes=1),
    Case("full", lambda np, a: np.full((2, 3), a), ROW),
    Case("empty_like", lambda np, a: np.empty_like(a), ROW, grad=PIECEWISE_CONSTANT, nodes=1),
    Case("zeros_like", lambda np, a: np.zeros_like(a), ROW, grad=PIECEWISE_CONSTANT, nodes=1),
    Case("ones_like", lambda np, a: np.ones_like(a), ROW, grad=PIECEWISE_CONSTANT, nodes=1),
    Case("ones_like", lambda np, a: np.ones_like(a.T), MATRIX, grad=PIECEWISE_CONSTANT),
    Case("full_like", lambda np, a: np.full_like(a, 2), ROW, grad=PIECEWISE_CONSTANT),
    Case("full_like", lambda np, a, b: np.full_like(a, b), PAIR),
    Case("eye", lambda np: np.eye(2, 3, 1), grad=NO_INPUT),
    Case("identity", lambda np: np.identity(3), grad=NO_INPUT, nodes=1),
    Case("diag", lambda np, a: np.diag(a, 1), ROW),
    Case("diag", lambda np, a: np.diag(a), MATRIX),
    Case("diagflat", lambda np, a: np.diagflat(a), MATRIX),
    Case("tri", lambda np: np.tri(3, k=1), grad=NO_INPUT),
    Case("tril", lambda np, a: np.tril(a), MATRIX, nodes=1),
    Case("triu", lambda np, a: np.triu(a, 1), MATRIX, nodes=1),
    Case("vander", lambda np, a: np.vander(a), ROW),
    Case("arange", lambda np: np.arange(5), grad=NO_INPUT, nodes=1),
    Case("arange", lambda np: np.arange(0.5, 3, 0.25), grad=NO_INPUT),
    Case("arange", lambda np: np.arange(1, 9, 3, dtype=np.float32), grad=NO_INPUT),
    Case("linspace", lambda np: np.linspace(0, 1, 5), grad=NO_INPUT),
    Case("linspace", lambda np, a, b: np.linspace(a, b, 4, axis=1), PAIR),
    Case("linspace", lambda np, a, b: np.linspace(a, b, 4, endpoint=False, retstep=True), PAIR),
    Case("logspace", lambda np, a, b: np.logspace(a, b, 3), PAIR),
    Case("logspace", lambda np, a, b: np.logspace(0, a, 3, base=b), PAIR),
    Case("geomspace", lambda np, a, b: np.geomspace(a, b, 3), PAIR),
    Case("meshgrid", lambda np, a, b: np.meshgrid(a, b), PAIR),
    Case("meshgrid", lambda np, a, b: np.meshgrid(a, b, sparse=True, indexing="ij"), PAIR),
    Case("tril", lambda np, a: np.tril(a) > 0, MATRIX, grad=INTEGER_RESULT),
]
