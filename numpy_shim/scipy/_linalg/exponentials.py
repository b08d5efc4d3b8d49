"""Exponentials of matrices by Padé's approximation of order 13 and squaring (Higham, 2005).

torch has them for the CPU and CUDA.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

_LARGEST = {torch.float64: 5.371920351148152, torch.float32: 3.925724783138660}
"""By dtype, the largest norm for which the approximation is right to the last digit."""


def _coefficients(m: int) -> list[float]:
    """Those of the numerator of Padé's approximation of order m, its last being 1."""
    top = math.factorial(m)
    return [
        math.factorial(2 * m - j) // (math.factorial(m - j) * math.factorial(j)) / top * 1.0
        for j in range(m + 1)
    ]


def expm(t: Tensor) -> Tensor:
    """The exponentials of a stack of matrices; it reads their norms."""
    if t.numel() == 0:
        return t.clone()
    norm = t.detach().abs().sum(-2).amax(-1, keepdim=True).unsqueeze(-1)
    counts = torch.ceil(torch.log2(norm / _LARGEST[norm.dtype])).nan_to_num(0, 0, 0).clamp(min=0)
    a = t / 2**counts
    power = torch.eye(t.shape[-1], dtype=t.dtype, device=t.device)
    square = a @ a
    even = torch.zeros_like(a)
    odd = torch.zeros_like(a)
    b = _coefficients(13)
    for j in range(0, 13, 2):
        even, odd = even + b[j] * power, odd + b[j + 1] * power
        power = power @ square
    odd = a @ odd
    result: Tensor = torch.linalg.solve(even - odd, even + odd)
    for k in range(int(counts.amax())):
        result = torch.where(counts > k, result @ result, result)
    return result
