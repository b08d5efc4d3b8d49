"""``scipy.signal._sosfilt`` for arrays of ours."""

from __future__ import annotations

import torch
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from .recursions import filtered


def _sosfilt(sos: ndarray, x: ndarray, zi: ndarray) -> None:
    """Filter the rows of ``x`` by one section after the other; ``zi`` becomes the last states."""
    sections = sos._tensor
    t, states = _wide(x._tensor).clone(), _wide(zi._tensor).clone()
    last = []
    for section, state in zip(sections, states.unbind(1), strict=True):
        wide = _wide(section)
        t, after = filtered(wide[:3], wide[3:], t, state)
        last.append(after)
    x[...] = wrap(t.to(x._tensor.dtype))
    if last:
        zi[...] = wrap(torch.stack(last, 1).to(zi._tensor.dtype))


def _wide(t: Tensor) -> Tensor:
    return t.to(torch.complex128 if t.is_complex() else torch.float64)
