"""Manipulation functions."""

from __future__ import annotations

from tests.surface import DATA_DEPENDENT, Case

from .indexing import MATRIX, VECTOR

NO_ARRAY = "it takes shapes"

CASES = [
    Case(
        "broadcast_arrays", lambda xp, a, b: xp.broadcast_arrays(a, b), (*MATRIX, [1.0, 2.0, 3.0])
    ),
    Case("broadcast_shapes", lambda xp: xp.zeros(xp.broadcast_shapes((2, 1), (3,))), grad=NO_ARRAY),
    Case("broadcast_to", lambda xp, a: xp.broadcast_to(a, (2, 4)), VECTOR, nodes=1),
    Case("concat", lambda xp, a, b: xp.concat([a, b]), (*MATRIX, *MATRIX), nodes=1),
    Case("concat", lambda xp, a, b: xp.concat([a, b], axis=None), (*MATRIX, *VECTOR)),
    Case("expand_dims", lambda xp, a: xp.expand_dims(a, axis=1), VECTOR, nodes=1),
    Case("expand_dims", lambda xp, a: xp.expand_dims(a, axis=(0, 2)), VECTOR, nodes=2),
    Case("flip", lambda xp, a: xp.flip(a), MATRIX, nodes=1),
    Case("flip", lambda xp, a: xp.flip(a, axis=(1,)), MATRIX, nodes=1),
    Case("moveaxis", lambda xp, a: xp.moveaxis(a, 0, 1), MATRIX, nodes=1),
    Case("permute_dims", lambda xp, a: xp.permute_dims(a, (1, 0)), MATRIX, nodes=1),
    Case("repeat", lambda xp, a: xp.repeat(a, 2), MATRIX, nodes=1),
    Case("repeat", lambda xp, a: xp.repeat(a, 2, axis=1), MATRIX, nodes=1),
    Case(
        "repeat",
        lambda xp, a: xp.repeat(a, xp.asarray([1, 0, 2]), axis=1),
        MATRIX,
        trace=DATA_DEPENDENT,
    ),
    Case("reshape", lambda xp, a: xp.reshape(a, (3, -1)), MATRIX, nodes=1),
    Case("reshape", lambda xp, a: xp.reshape(a, (3, 2), copy=True), MATRIX, nodes=2),
    Case("reshape", lambda xp, a: xp.reshape(a, (3, 2), copy=False), MATRIX, nodes=1),
    Case("roll", lambda xp, a: xp.roll(a, 1), MATRIX, nodes=1),
    Case("roll", lambda xp, a: xp.roll(a, (1, 2), axis=(0, 1)), MATRIX, nodes=1),
    Case("squeeze", lambda xp, a: xp.squeeze(a, axis=0), ([[1.0, 2.0]],), nodes=1),
    Case("stack", lambda xp, a, b: xp.stack([a, b], axis=-1), (*VECTOR, *VECTOR), nodes=1),
    Case("tile", lambda xp, a: xp.tile(a, (2, 1, 2)), MATRIX, nodes=1),
    Case("unstack", lambda xp, a: xp.unstack(a, axis=1), MATRIX),
]
