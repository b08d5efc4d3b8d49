"""``scipy.ndimage._ni_label`` for arrays of ours."""

from __future__ import annotations

from typing import Any

import torch

from ..._array.ndarray import ndarray
from ._nd_image import _numbers, _store, _truths
from .shapes import connected
from .windows import offsets


class NeedMoreBits(Exception):  # noqa: N818 - SciPy's name
    """The numbers of the parts do not fit in the dtype of the output."""


def _label(input: Any, structure: Any, output: ndarray) -> int:
    inside = _truths(input)
    used = _numbers(structure)
    if used != used[::-1]:
        raise AssertionError("Structuring element is not symmetric")
    numbers, count = connected(inside, list(offsets(used, structure.shape)))
    if output.dtype.kind in "iu" and count > torch.iinfo(getattr(torch, output.dtype.name)).max:
        raise NeedMoreBits
    _store(output, numbers)
    return count
