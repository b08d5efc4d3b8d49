"""The scalar types, NumPy's own: their constructors, and what scalars do beyond arrays."""

from __future__ import annotations

from typing import Any

from tests.numpy_shim.surface.ndarray import VALUES_READ, read
from tests.surface import Case

ONE = ([0.3, 0.6, 0.9],)
INTEGERS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
SHORT = ["float16", "float32", "complex64"]
ABSTRACT = ["generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact",
            "floating", "complexfloating"]  # fmt: skip


def made(name: str) -> Any:
    """A body that makes a scalar of the first element."""
    return lambda np, a: getattr(np, name)(a[0])


CASES = [
    *[Case(name, made(name), ONE, grad=VALUES_READ) for name in INTEGERS],
    *[Case(name, made(name), ONE, dtype="float16", grad=VALUES_READ) for name in SHORT],
    *[Case(name, made(name), ONE, grad=VALUES_READ) for name in ("float64", "complex128")],
    Case("float64", lambda np, a: a * np.float64(2.5), ONE),
    Case("float64", lambda np, a: a[0] * a[1] + 2, ONE),
    *[
        read(name, lambda np, a, n=name: isinstance(a[0], getattr(np, n)), inputs=ONE)
        for name in ABSTRACT
    ],
    read("float64.is_integer", lambda np, a: a[0].is_integer(), inputs=ONE),
    read("float64.as_integer_ratio", lambda np, a: a[0].as_integer_ratio(), VALUES_READ, ONE),
    read("float64.hex", lambda np, a: a[0].hex(), VALUES_READ, ONE),
    read("float64.__hash__", lambda np, a: hash(a[0]), VALUES_READ, ONE),
    read("float64.__round__", lambda np, a: round(a[0]), inputs=ONE),
    Case("float64.__getitem__", lambda np, a: np.asarray(a[0][...]), ONE),
]
