"""Data type functions."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

VALUES = ([1.0, 2.5],)
NOT_AN_ARRAY = "the result is not an array"

CASES = [
    Case("astype", lambda xp, a: xp.astype(a, xp.float64), VALUES, nodes=1),
    Case("astype", lambda xp, a: xp.astype(a, xp.complex128), VALUES, nodes=1),
    Case("astype", lambda xp, a: xp.astype(a, xp.float64, copy=False), VALUES, nodes=0),
    Case("astype", lambda xp, a: xp.astype(a, xp.uint16), VALUES, grad=INTEGER_RESULT, nodes=1),
    Case("can_cast", lambda xp, a: xp.can_cast(a, xp.float32), VALUES, grad=NOT_AN_ARRAY, nodes=0),
    Case("finfo", lambda xp, a: a * xp.finfo(a).eps, VALUES, nodes=1),
    Case("iinfo", lambda xp, a: a * xp.iinfo(xp.int8).max, VALUES, nodes=1),
    Case("isdtype", lambda xp, a: a * 2 if xp.isdtype(a.dtype, "numeric") else a, VALUES, nodes=1),
    Case("result_type", lambda xp, a: xp.astype(a, xp.result_type(a, 1j)), VALUES, nodes=1),
]
