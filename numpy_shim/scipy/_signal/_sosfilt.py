"""``scipy.signal._sosfilt`` for arrays of ours."""

from __future__ import annotations

import torch
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from .recursions import in_a_row


def _sosfilt(sos: ndarray, x: ndarray, zi: ndarray) -> None:
    """Filter the rows of ``x`` by one section after the other; ``zi`` becomes the last states."""
    sections = _wide(sos._tensor)
    y, last = in_a_row(sections[:, :3], sections[:, 3:], _wide(x._tensor), _wide(zi._tensor))
    x[...] = wrap(y.to(x._tensor.dtype))
    zi[...] = wrap(last.to(zi._tensor.dtype))


def _wide(t: Tensor) -> Tensor:
    return t.to(torch.complex128 if t.is_complex() else torch.float64)
