"""Shapes and axes: views of the same elements."""

from __future__ import annotations

from tests.surface import NO_INPUT, Case

ROW = ([0.3, 0.6, 0.9, 0.2],)
MATRIX = ([[0.3, 0.6, 0.4], [0.9, 0.1, 0.7]],)
CUBE = ([[[0.3, 0.6], [0.4, 0.9]], [[0.1, 0.7], [0.2, 0.5]]],)
PAIR = ([0.3, 0.6, 0.9], [[1.4], [1.5]])

CASES = [
    Case("reshape", lambda np, a: np.reshape(a, (2, 2)), ROW, nodes=1),
    Case("reshape", lambda np, a: np.reshape(a, (3, -1), "F"), MATRIX),
    Case("reshape", lambda np, a: np.reshape(a.T, -1), MATRIX),
    Case("ravel", lambda np, a: np.ravel(a), MATRIX, nodes=1),
    Case("ravel", lambda np, a: np.ravel(a, "F"), MATRIX),
    Case("ravel", lambda np, a: np.ravel(a.T, "K"), MATRIX),
    Case("shape", lambda np, a: np.zeros(np.shape(a)), MATRIX, grad=NO_INPUT),
    Case("size", lambda np, a: np.zeros(np.size(a, 1)), MATRIX, grad=NO_INPUT),
    Case("ndim", lambda np, a: np.zeros(np.ndim(a)), MATRIX, grad=NO_INPUT),
    Case("transpose", lambda np, a: np.transpose(a), MATRIX, nodes=1),
    Case("transpose", lambda np, a: np.transpose(a, (1, 2, 0)), CUBE, nodes=1),
    Case("permute_dims", lambda np, a: np.permute_dims(a, (1, 0)), MATRIX, nodes=1),
    Case("matrix_transpose", lambda np, a: np.matrix_transpose(a), CUBE, nodes=1),
    Case("swapaxes", lambda np, a: np.swapaxes(a, 0, 2), CUBE, nodes=1),
    Case("moveaxis", lambda np, a: np.moveaxis(a, 0, -1), CUBE, nodes=1),
    Case("rollaxis", lambda np, a: np.rollaxis(a, 2), CUBE, nodes=1),
    Case("squeeze", lambda np, a: np.squeeze(a), ([[0.5, 0.6]],), nodes=1),
    Case("squeeze", lambda np, a: np.squeeze(a, 0), ([[0.5, 0.6]],)),
    Case("expand_dims", lambda np, a: np.expand_dims(a, 0), ROW, nodes=1),
    Case("expand_dims", lambda np, a: np.expand_dims(a, (0, -1)), ROW),
    Case("atleast_1d", lambda np, a: np.atleast_1d(a), ROW, nodes=0),
    Case("atleast_2d", lambda np, a: np.atleast_2d(a), ROW),
    Case("atleast_3d", lambda np, a: np.atleast_3d(a), ROW),
    Case("diagonal", lambda np, a: np.diagonal(a, 1), MATRIX, nodes=1),
    Case("broadcast_to", lambda np, a: np.broadcast_to(a, (2, 4)), ROW, nodes=1),
    Case("broadcast_arrays", lambda np, a, b: np.broadcast_arrays(a, b), PAIR, nodes=2),
    Case(
        "broadcast_shapes",
        lambda np, a, b: np.zeros(np.broadcast_shapes(a.shape, b.shape)),
        PAIR,
        grad=NO_INPUT,
    ),
    Case("split", lambda np, a: np.split(a, 2), ROW, nodes=2),
    Case("array_split", lambda np, a: np.array_split(a, 3), ROW),
    Case("hsplit", lambda np, a: np.hsplit(a, [1]), MATRIX),
    Case("vsplit", lambda np, a: np.vsplit(a, 2), MATRIX),
    Case("dsplit", lambda np, a: np.dsplit(a, 2), CUBE),
    Case("unstack", lambda np, a: np.unstack(a, axis=1), MATRIX),
    Case("unstack", lambda np, a: np.unstack(a), ROW),
]
