"""Dtypes: their names, kinds and categories, and the standard's promotion table.

Every table here is keyed by ``torch.dtype`` objects, which are singletons: code compares
them with ``is`` and looks them up by identity, and Dynamo folds both away in a trace.

Source: the standard's chapters *Data types* and *Type promotion rules*.
"""

from __future__ import annotations

from typing import NamedTuple

import torch

BY_NAME: dict[str, torch.dtype] = {
    "bool": torch.bool,
    "int8": torch.int8,
    "int16": torch.int16,
    "int32": torch.int32,
    "int64": torch.int64,
    "uint8": torch.uint8,
    "uint16": torch.uint16,
    "uint32": torch.uint32,
    "uint64": torch.uint64,
    "float32": torch.float32,
    "float64": torch.float64,
    "complex64": torch.complex64,
    "complex128": torch.complex128,
}
"""The standard's dtypes by name, in its order."""

EXACT = 2**53
"""Integers up to this one are exact in float64; torch rounds larger ones in its own way."""


class Category(NamedTuple):
    """A set of dtypes that a function accepts, and its description in errors."""

    label: str
    dtypes: frozenset[torch.dtype]


_SIGNED = frozenset({torch.int8, torch.int16, torch.int32, torch.int64})
_UNSIGNED = frozenset({torch.uint8, torch.uint16, torch.uint32, torch.uint64})
_BOOL = frozenset({torch.bool})
_REAL = frozenset({torch.float32, torch.float64})
_COMPLEX = frozenset({torch.complex64, torch.complex128})

BOOLEAN = Category("boolean", _BOOL)
SIGNED = Category("signed integer", _SIGNED)
UNSIGNED = Category("unsigned integer", _UNSIGNED)
INTEGER = Category("integer", _SIGNED | _UNSIGNED)
INTEGER_OR_BOOLEAN = Category("integer or boolean", _SIGNED | _UNSIGNED | _BOOL)
REAL_FLOATING = Category("real floating-point", _REAL)
COMPLEX_FLOATING = Category("complex floating-point", _COMPLEX)
FLOATING = Category("floating-point", _REAL | _COMPLEX)
REAL_NUMERIC = Category("real numeric", _SIGNED | _UNSIGNED | _REAL)
NUMERIC = Category("numeric", _SIGNED | _UNSIGNED | _REAL | _COMPLEX)
ALL = Category("any", frozenset(BY_NAME.values()))

WIDE_UNSIGNED = frozenset({torch.uint16, torch.uint32, torch.uint64})
"""The unsigned dtypes for which torch lacks most kernels (``_kernels/unsigned.py``)."""

NATIVE_INTEGER = _SIGNED | {torch.uint8}
"""The integer dtypes for which torch has kernels."""

SIGNED_TWIN: dict[torch.dtype, torch.dtype] = {
    torch.uint8: torch.int8,
    torch.uint16: torch.int16,
    torch.uint32: torch.int32,
    torch.uint64: torch.int64,
}
"""The signed dtype of the same width, whose kernels work on the same bits."""

COMPLEX_OF: dict[torch.dtype, torch.dtype] = {
    torch.float32: torch.complex64,
    torch.float64: torch.complex128,
    torch.complex64: torch.complex64,
    torch.complex128: torch.complex128,
}
REAL_OF: dict[torch.dtype, torch.dtype] = {
    torch.complex64: torch.float32,
    torch.complex128: torch.float64,
    torch.float32: torch.float32,
    torch.float64: torch.float64,
}

BOUNDS: dict[torch.dtype, tuple[int, int]] = {
    d: (int(torch.iinfo(d).min), int(torch.iinfo(d).max))
    for d in (*_SIGNED, torch.uint8, *WIDE_UNSIGNED)
}
"""Smallest and largest value of each integer dtype."""

KINDS: dict[str, frozenset[torch.dtype]] = {
    "bool": _BOOL,
    "signed integer": _SIGNED,
    "unsigned integer": _UNSIGNED,
    "integral": _SIGNED | _UNSIGNED,
    "real floating": _REAL,
    "complex floating": _COMPLEX,
    "numeric": _SIGNED | _UNSIGNED | _REAL | _COMPLEX,
}
"""The kind names of ``isdtype`` and of ``__array_namespace_info__().dtypes``."""


def _standard_table() -> dict[tuple[torch.dtype, torch.dtype], torch.dtype]:
    """Promotion of two arrays: the wider dtype within a kind, and the mixed cases.

    Signed with unsigned gives the smallest signed dtype that holds both (none for uint64);
    real with complex gives the complex of the wider precision.
    """
    chains = [
        [torch.bool],
        [torch.int8, torch.int16, torch.int32, torch.int64],
        [torch.uint8, torch.uint16, torch.uint32, torch.uint64],
        [torch.float32, torch.float64],
        [torch.complex64, torch.complex128],
    ]
    table = {
        (a, b): chain[max(i, j)]
        for chain in chains
        for i, a in enumerate(chain)
        for j, b in enumerate(chain)
    }
    signed, unsigned = chains[1], chains[2]
    for i, s in enumerate(signed):
        for j, u in enumerate(unsigned[:-1]):
            table[s, u] = table[u, s] = signed[max(i, j + 1)]
    for f in chains[3]:
        for c in chains[4]:
            wider = torch.complex128 if torch.float64 in (f, REAL_OF[c]) else torch.complex64
            table[f, c] = table[c, f] = wider
    return table


PROMOTION = _standard_table()
"""The standard's table for two array dtypes. An absent pair has no promotion."""


def name_of(dtype: object) -> str:
    """The standard's name of a dtype: ``"float64"`` for ``torch.float64``."""
    return str(dtype).removeprefix("torch.")


def promote(name: str, first: torch.dtype, *others: torch.dtype) -> torch.dtype:
    """The dtype that ``first`` and ``others`` promote to, in any order of the arguments.

    Raises ``TypeError`` for a pair that the standard leaves undefined. The table is a
    lattice wherever it is defined, but a fold may meet an undefined pair before the dtype
    that would have absorbed it (uint64 and int8 never meet, whatever stands between), so
    each pair is looked up, and the result does not depend on the order.
    """
    result = first
    for other in others:
        try:
            result = PROMOTION[result, other]
        except KeyError:
            raise TypeError(
                f"{name}: {name_of(result)} and {name_of(other)} do not promote to a common "
                "dtype; cast one of them with astype"
            ) from None
    return result
