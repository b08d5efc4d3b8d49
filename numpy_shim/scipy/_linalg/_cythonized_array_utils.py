"""``scipy.linalg._cythonized_array_utils`` for arrays of ours."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ..._array.ndarray import wrap
from ..._convert.arguments import ArrayLike, as_tensor
from ..._convert.from_data import asarray

__all__ = ["bandwidth", "find_det_from_lu", "ishermitian", "issymmetric"]


def _matrices(name: str, a: ArrayLike) -> Tensor:
    """The matrices, with SciPy's errors for what is none of its."""
    array = asarray(a)
    if array.ndim < 2:
        raise ValueError("Input array must be a 2D NumPy array.")
    if array.dtype.char == "e":
        raise TypeError(f"{name}: dtype float16 is not supported")
    return as_tensor(name, array)


def bandwidth(a: ArrayLike) -> Any:
    """How many diagonals below and above the main one a matrix fills; it reads the values."""
    t = _matrices("bandwidth", a)
    m, n = t.shape[-2:]
    row = torch.arange(m, device=t.device).unsqueeze(1)
    column = torch.arange(n, device=t.device)
    filled = t != 0
    below = torch.where(filled, (row - column).clamp(min=0), 0)
    above = torch.where(filled, (column - row).clamp(min=0), 0)
    if t.numel() == 0:
        counts = [x.new_zeros(t.shape[:-2]) for x in (below, above)]
    else:
        counts = [x.flatten(-2).amax(-1) for x in (below, above)]
    if t.dim() == 2:
        return int(counts[0]), int(counts[1])
    return [wrap(x) for x in counts]


def _mirrored(
    name: str, a: ArrayLike, atol: float | None, rtol: float | None, conjugate: bool
) -> Any:
    """Whether a matrix is its transpose, or its conjugate; one of a stack after the other."""
    t = _matrices(name, a)
    if t.shape[-1] != t.shape[-2]:
        raise ValueError("Input array must be square.")
    other = t.mT.conj() if conjugate else t.mT
    if atol or rtol:
        same = torch.isclose(t, other, rtol=float(rtol or 0), atol=float(atol or 0))
    else:
        same = t == other
        if not (conjugate and t.is_complex()):  # a NaN on the diagonal is not looked at
            same = same | torch.eye(t.shape[-1], dtype=torch.bool, device=t.device)
    found = same.flatten(-2).all(-1)
    return bool(found) if t.dim() == 2 else wrap(found)


def issymmetric(a: ArrayLike, atol: float | None = None, rtol: float | None = None) -> Any:
    """Whether a matrix is its transpose; it reads the values."""
    return _mirrored("issymmetric", a, atol, rtol, False)


def ishermitian(a: ArrayLike, atol: float | None = None, rtol: float | None = None) -> Any:
    """Whether a matrix is its conjugate transpose; it reads the values."""
    return _mirrored("ishermitian", a, atol, rtol, True)


def find_det_from_lu(a: Any) -> Any:
    """The determinant, in double precision."""
    t = as_tensor("det", a)
    return wrap(torch.linalg.det(t.to(torch.complex128 if t.is_complex() else torch.float64)))
