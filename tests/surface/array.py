"""Attributes, conversions and protocols of the array; its operators are in ``operators.py``."""

from __future__ import annotations

from tests.surface import INTEGER_RESULT, Case

VALUES = ([[1.0, 2.0], [3.0, 4.0]],)
PYTHON_VALUE = "it returns a Python object"
READS_VALUE = "it reads the value into Python"

CASES = [
    Case("Array.dtype", lambda xp, a: a.dtype == xp.float64, VALUES, grad=PYTHON_VALUE),
    Case("Array.shape", lambda xp, a: a.shape, VALUES, grad=PYTHON_VALUE),
    Case("Array.ndim", lambda xp, a: a.ndim, VALUES, grad=PYTHON_VALUE),
    Case("Array.size", lambda xp, a: a.size, VALUES, grad=PYTHON_VALUE),
    Case("Array.device", lambda xp, a: a.device, VALUES, grad=PYTHON_VALUE),
    Case("Array.T", lambda xp, a: a.T, VALUES, nodes=1),
    Case("Array.mT", lambda xp, a: a.mT, VALUES, nodes=1),
    Case("Array.to_device", lambda xp, a: a.to_device(a.device), VALUES),
    Case("Array.__array_namespace__", lambda xp, a: a.__array_namespace__().sin(a), VALUES),
    Case("Array.__bool__", lambda xp, a: bool(a), (1.0,), grad=PYTHON_VALUE),
    Case("Array.__int__", lambda xp, a: int(a), (2.0,), grad=PYTHON_VALUE),
    Case("Array.__float__", lambda xp, a: float(a), (2.0,), grad=PYTHON_VALUE),
    Case(
        "Array.__complex__", lambda xp, a: complex(a), (2.0,), trace=READS_VALUE, grad=PYTHON_VALUE
    ),
    Case(
        "Array.__index__",
        lambda xp, a: [10, 20, 30][a],
        (2,),
        dtype="int64",
        grad=INTEGER_RESULT,
    ),
    Case("Array.__iter__", lambda xp, a: tuple(a), ([1.0, 2.0],)),
    Case("Array.__repr__", lambda xp, a: repr(a), VALUES, trace=READS_VALUE, grad=PYTHON_VALUE),
    Case("Array.__array__", lambda xp, a: a.__array__(), VALUES, grad=PYTHON_VALUE),
    Case(
        "Array.__dlpack__",
        lambda xp, a: a.__dlpack__(),
        VALUES,
        trace="it hands out the memory, and a trace has none",
        grad=PYTHON_VALUE,
    ),
    Case("Array.__dlpack_device__", lambda xp, a: a.__dlpack_device__(), VALUES, grad=PYTHON_VALUE),
]
