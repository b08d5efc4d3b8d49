"""The chapter *Inspection*: what the namespace can do, and on which devices."""

from __future__ import annotations

from typing import Any

import torch

from . import _flags
from ._core import defaults, devices
from ._core.dtypes import BY_NAME, KINDS

__all__ = ["__array_namespace_info__"]

MAX_DIMENSIONS = 64
"""torch's reductions and indexing refuse more dimensions than this."""


class Info:
    """The object that ``__array_namespace_info__`` returns."""

    __slots__ = ()

    def capabilities(self) -> dict[str, Any]:
        """What is optional in the standard, and whether the namespace does it."""
        return {
            "boolean indexing": _flags.boolean_indexing,
            "data-dependent shapes": _flags.data_dependent_shapes,
            "max dimensions": MAX_DIMENSIONS,
        }

    def default_device(self) -> torch.device:
        return torch.get_default_device()

    def default_dtypes(self, *, device: Any = None) -> dict[str, torch.dtype]:
        return {
            "real floating": defaults.float_dtype(),
            "complex floating": defaults.complex_dtype(),
            "integral": defaults.INT,
            "indexing": defaults.INT,
        }

    def devices(self) -> Any:
        found = devices.present()
        return found if _flags.api_version < "2025.12" else tuple(found)

    def dtypes(
        self, *, device: Any = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, torch.dtype]:
        if kind is None:
            return dict(BY_NAME)
        kinds = kind if isinstance(kind, tuple) else (kind,)
        return {n: d for n, d in BY_NAME.items() if any(d in KINDS[k] for k in kinds)}


def __array_namespace_info__() -> Info:  # noqa: N807
    """The object to ask about the namespace."""
    return Info()
