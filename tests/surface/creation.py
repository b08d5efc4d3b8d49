"""Creation functions, and the conversion functions to and from torch."""

from __future__ import annotations

from tests.surface import NO_INPUT, Case

MATRIX = ([[1.0, 2.0], [3.0, 4.0]],)
VECTORS = ([1.0, 2.0], [3.0, 4.0, 5.0])
CONSTANT = "the values of the result do not depend on the input"

CASES = [
    Case("arange", lambda xp: xp.arange(5), grad=NO_INPUT, nodes=1),
    Case("arange", lambda xp: xp.arange(0.0, 1.0, 0.25), grad=NO_INPUT, nodes=1),
    Case("arange", lambda xp: xp.arange(5, 0, -2, dtype=xp.uint16), grad=NO_INPUT),
    Case("asarray", lambda xp, a: xp.asarray(a), MATRIX, nodes=0),
    Case("asarray", lambda xp, a: xp.asarray(a, copy=True), MATRIX, nodes=1),
    Case("asarray", lambda xp, a: xp.asarray(a, dtype=xp.float64), MATRIX, nodes=0),
    Case("asarray", lambda xp: xp.asarray(2.5), grad=NO_INPUT, nodes=1),
    Case("asarray", lambda xp: xp.asarray([[1, 2], [3, 4]]), grad=NO_INPUT),
    Case("asarray", lambda xp: xp.asarray([[1, 2.5]], dtype=xp.float32), grad=NO_INPUT),
    Case("empty", lambda xp: xp.empty((2, 3)), grad=NO_INPUT, nodes=1),
    Case("empty_like", lambda xp, a: xp.empty_like(a), MATRIX, grad=CONSTANT, nodes=1),
    Case("eye", lambda xp: xp.eye(3), grad=NO_INPUT, nodes=1),
    Case("eye", lambda xp: xp.eye(3, 4, k=1), grad=NO_INPUT),
    Case("from_dlpack", lambda xp, a: xp.from_dlpack(a), MATRIX, nodes=0),
    Case("full", lambda xp: xp.full((2, 3), 1.5), grad=NO_INPUT, nodes=1),
    Case("full", lambda xp: xp.full(2, 2**63, dtype=xp.uint64), grad=NO_INPUT),
    Case("full_like", lambda xp, a: xp.full_like(a, 3), MATRIX, grad=CONSTANT, nodes=1),
    Case("linspace", lambda xp: xp.linspace(0, 1, 5), grad=NO_INPUT, nodes=1),
    Case("linspace", lambda xp: xp.linspace(0, 1, 5, endpoint=False), grad=NO_INPUT, nodes=2),
    Case("meshgrid", lambda xp, a, b: xp.meshgrid(a, b), VECTORS),
    Case("meshgrid", lambda xp, a, b: xp.meshgrid(a, b, indexing="ij"), VECTORS),
    Case("ones", lambda xp: xp.ones((2, 3)), grad=NO_INPUT, nodes=1),
    Case("ones_like", lambda xp, a: xp.ones_like(a), MATRIX, grad=CONSTANT, nodes=1),
    Case("to_torch", lambda xp, a: xp.asarray(xp.to_torch(a) * 2), MATRIX, nodes=1),
    Case("tril", lambda xp, a: xp.tril(a), MATRIX, nodes=1),
    Case("triu", lambda xp, a: xp.triu(a, k=1), MATRIX, nodes=1),
    Case("zeros", lambda xp: xp.zeros((2, 3)), grad=NO_INPUT, nodes=1),
    Case("zeros_like", lambda xp, a: xp.zeros_like(a), MATRIX, grad=CONSTANT, nodes=1),
]
