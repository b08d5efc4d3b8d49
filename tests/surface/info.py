"""Inspection."""

from __future__ import annotations

from tests.surface import Case

VALUES = ([1.0, 2.5],)


def scaled(xp, a):
    """What a portable function asks: default dtypes, and whether it may index by a mask."""
    info = xp.__array_namespace_info__()
    dtype = info.default_dtypes()["real floating"]
    return xp.astype(a, dtype, copy=False) * info.capabilities()["max dimensions"]


CASES = [Case("__array_namespace_info__", scaled, VALUES, nodes=1)]
