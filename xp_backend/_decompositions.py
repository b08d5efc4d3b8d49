"""Operators that torch leaves to a device's kernels, in terms of simpler ones."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from . import _random
from ._operators import aten


def full_like(
    x: Tensor, value: Any, *, dtype: torch.dtype | None = None, device: Any = None, **_: Any
) -> Tensor:
    """A new tensor of the same shape: ``torch.full`` on the device of ``x``."""
    return torch.full(x.shape, value, dtype=dtype or x.dtype, device=device or x.device)


def fill(x: Tensor, value: Any) -> Tensor:
    """What ``fill_`` leaves in ``x``."""
    return torch.full(x.shape, value, dtype=x.dtype, device=x.device)


def fill_tensor(x: Tensor, value: Tensor) -> Tensor:
    return value.to(x.dtype).expand(x.shape).clone()


def equal(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors have the same shape and values; reads one value."""
    return a.shape == b.shape and bool((a == b).all())


def _factors(a: Tensor) -> tuple[Tensor, Tensor]:
    """The LU factors as torch's gradients expect them: of the transpose where A is contiguous."""
    turned = a.is_contiguous() and not a.is_complex()
    factors, pivots, _ = torch.linalg.lu_factor_ex(a.mT if turned else a)
    return factors, pivots


def _parity(pivots: Tensor) -> Tensor:
    """1 or -1 by the number of rows that were exchanged."""
    rows = torch.arange(1, pivots.shape[-1] + 1, dtype=pivots.dtype, device=pivots.device)
    return 1 - 2 * ((pivots != rows).sum(-1) % 2)


def det(a: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The determinant and the factors that its gradient needs."""
    factors, pivots = _factors(a)
    diagonal = factors.diagonal(dim1=-2, dim2=-1)
    return diagonal.prod(-1) * _parity(pivots), factors, pivots


def slogdet(a: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Sign and logarithm of the determinant, and the factors that the gradient needs."""
    factors, pivots = _factors(a)
    diagonal = factors.diagonal(dim1=-2, dim2=-1)
    sign = torch.sgn(diagonal).prod(-1) * _parity(pivots)
    return sign, diagonal.abs().log().sum(-1), factors, pivots


OWN = {
    aten("equal.default"): equal,
    aten("_linalg_det.default"): det,
    aten("_linalg_slogdet.default"): slogdet,
    aten("full_like.default"): full_like,
    aten("fill.Scalar"): fill,
    aten("fill.Tensor"): fill_tensor,
    **_random.DECOMPOSITIONS,
}
