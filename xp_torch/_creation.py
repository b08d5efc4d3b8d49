"""The chapter *Creation functions*."""

from __future__ import annotations

from typing import Any

import torch

from ._array import Array
from ._core.box import box


def asarray(
    obj: Any, /, *, dtype: torch.dtype | None = None, device: Any = None, copy: bool | None = None
) -> Array:
    return box(Array, obj)
