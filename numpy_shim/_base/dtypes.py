"""NumPy's own dtype objects and torch's: the translation between them.

``numpy_shim.dtype`` is ``numpy.dtype``. Inside a call only torch dtypes are used; the tables
below are built from NumPy's answers at import, so a call (and a trace) does a lookup and does
not ask NumPy.
"""

from __future__ import annotations

import itertools
from math import nan
from typing import Any

import numpy
import torch
from torch.compiler import is_dynamo_compiling

from xp_torch._core.dtypes import BY_NAME, name_of

from . import defaults
from .tracing import constant

TORCH: dict[numpy.dtype[Any], torch.dtype] = {
    numpy.dtype(name): torch_dtype for name, torch_dtype in BY_NAME.items()
}
"""The torch dtype of each NumPy dtype that torch has storage for."""

TORCH[numpy.dtype("float16")] = torch.float16

try:
    import ml_dtypes
except ImportError:
    pass
else:
    TORCH[numpy.dtype(ml_dtypes.bfloat16)] = torch.bfloat16

NUMPY: dict[torch.dtype, numpy.dtype[Any]] = {t: n for n, t in TORCH.items()}
"""The NumPy dtype of each torch dtype."""

FLOAT64 = NUMPY[torch.float64]
"""NumPy has one object for it, so the common case is found by ``is``."""

HALVES = frozenset({torch.float16, torch.bfloat16}) & frozenset(NUMPY)
"""16-bit floating-point dtypes, which the shared kernels do not support."""

INTEGERS = frozenset(t for t, n in NUMPY.items() if n.kind in "iu")
FLOATS = frozenset(t for t in NUMPY if t.is_floating_point)
COMPLEXES = frozenset(t for t in NUMPY if t.is_complex)

NOTHING: dict[torch.dtype, complex] = {
    torch.bool: False, **dict.fromkeys(FLOATS, nan), **dict.fromkeys(COMPLEXES, complex(nan, nan)),
}  # fmt: skip
"""What None becomes in an array."""

_ALIASES: dict[Any, torch.dtype] = {bool: torch.bool, int: torch.int64}
_ALIASES |= {t: t for t in NUMPY}
_ALIASES |= {n.type: t for n, t in TORCH.items()}
_ALIASES |= {n.name: t for n, t in TORCH.items()}
_ALIASES |= {n.char: t for n, t in TORCH.items() if n.isbuiltin == 1}


def _promotion() -> dict[tuple[torch.dtype, torch.dtype], torch.dtype]:
    table = {}
    for (a, s), (b, t) in itertools.product(TORCH.items(), repeat=2):
        try:
            table[s, t] = TORCH[numpy.promote_types(a, b)]
        except (TypeError, KeyError):  # bfloat16 beside complex: ml_dtypes has no common dtype
            continue
    return table


PROMOTION = _promotion()
"""NEP 50's table for two arrays: ``numpy.promote_types`` for every pair."""

CASTABLE: dict[str, frozenset[tuple[torch.dtype, torch.dtype]]] = {
    casting: frozenset(
        (s, t)
        for (a, s), (b, t) in itertools.product(TORCH.items(), repeat=2)
        if numpy.can_cast(a, b, casting)
    )
    for casting in ("no", "equiv", "safe", "same_kind", "unsafe")
}
"""For each ``casting=`` the pairs (from, to) that ``numpy.can_cast`` allows."""


class HostDtypeError(TypeError):
    """What is given or asked for has a dtype that torch cannot store.

    Public functions catch it and hand the call to NumPy (``_host``); a caller who
    sees it sees a ``TypeError``.
    """


class HostIntegerError(HostDtypeError, OverflowError):
    """A Python int beyond 64 bits, which only an array of objects holds."""


def torch_dtype(name: str, dtype: object, argument: str = "dtype") -> torch.dtype:
    """The torch dtype of anything NumPy takes as a dtype, or torch.

    ``float`` and ``complex`` are the default dtypes. Raises ``TypeError`` for a dtype that
    torch has no storage for, and NumPy's own error for an object that is not a dtype.
    """
    if dtype is None or dtype is float:
        return defaults.float_dtype()
    if isinstance(dtype, numpy.dtype):
        # Dynamo of torch 2.11 cannot trace a dict whose keys are NumPy dtypes.
        if not is_dynamo_compiling() and dtype in TORCH:
            return TORCH[dtype]
        return _from_numpy(name, dtype, argument)
    try:
        return _ALIASES[dtype]
    except (KeyError, TypeError):
        pass
    if dtype is complex:
        return defaults.complex_dtype()
    return _from_numpy(name, dtype, argument)


_HOST_CLASSES = (
    numpy.dtypes.BytesDType, numpy.dtypes.StrDType, numpy.dtypes.VoidDType,
    numpy.dtypes.DateTime64DType, numpy.dtypes.TimeDelta64DType,
)  # fmt: skip
"""The classes of dtypes that need a size or a unit."""


@constant
def _from_numpy(name: str, dtype: Any, argument: str) -> torch.dtype:
    if dtype is numpy.dtype:
        raise TypeError(f"{name}: Cannot convert np.dtype into a dtype.")
    if isinstance(dtype, type) and issubclass(dtype, numpy.dtype):
        kind: Any = dtype  # one of numpy.dtypes
        if issubclass(dtype, _HOST_CLASSES):
            raise HostDtypeError(f"{name}: {argument} {dtype.__name__} has no storage in torch")
        dtype = kind()
    found = numpy.dtype(dtype)
    try:
        return TORCH[found]
    except KeyError:
        raise HostDtypeError(
            f"{name}: {argument} {found} has no storage in torch; numpy_shim holds "
            f"{', '.join(map(str, TORCH))} in native byte order"
        ) from None


def promote(name: str, first: torch.dtype, *others: torch.dtype) -> torch.dtype:
    """The dtype of NEP 50 for arrays of these dtypes."""
    result = first
    if len(others) > 1:  # int8 and uint16 promote to int32, but with float32 to float32
        ranked = sorted((first, *others), key=_KINDS.__getitem__)
        result, others = ranked[0], tuple(ranked[1:])
    for other in others:
        if other is result:
            continue
        try:
            result = PROMOTION[result, other]
        except KeyError:
            raise TypeError(
                f"{name}: {name_of(result)} and {name_of(other)} have no common dtype"
            ) from None
    return result


_KINDS: dict[torch.dtype, int] = {t: "cfiub".find(n.kind) for n, t in TORCH.items()}
"""The order in which many dtypes are promoted, as ``numpy.result_type`` does: widest kind first."""


def check_casting(name: str, casting: object) -> None:
    """Raise ``ValueError`` for an unknown ``casting``."""
    if casting not in CASTABLE:
        raise ValueError(
            "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' "
            f"(got {casting!r} in {name})"
        )
