"""``scipy.linalg._linalg_pythran`` for arrays of ours: functions of a triangular matrix."""

from __future__ import annotations

from typing import Any

import torch

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor


def _funm_loops(values: ndarray, form: ndarray, n: int, minden: Any) -> tuple[ndarray, Any]:
    """Parlett's recurrence from the diagonal on, one diagonal at a time, and the least divisor."""
    f, t = as_tensor("funm", values).clone(), as_tensor("funm", form)
    least = as_tensor("funm", minden)
    diagonal = t.diagonal()
    for p in range(1, n):
        total = (t @ f - f @ t).diagonal(p)
        divisor = diagonal[p:] - diagonal[:-p]
        apart = divisor != 0
        f.diagonal(p)[...] = torch.where(apart, total / torch.where(apart, divisor, 1), total)
        least = torch.minimum(least, divisor.abs().amin())
    return wrap(f), wrap(least)
