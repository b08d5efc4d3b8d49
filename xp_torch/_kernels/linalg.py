"""Linear-algebra kernels: products of every numeric dtype, and decompositions.

Operands have one dtype and one device, and the shapes their function asks for; the callers
see to both. Matrices are the last two axes.

A matrix without the decomposition or solution asked for raises torch's ``LinAlgError``, on every
device alike: on an accelerator the check waits for the result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from .._core.dtypes import INTEGER, REAL_OF, SIGNED_TWIN, WIDE_UNSIGNED
from .unsigned import same_bits

# A product of two 16-bit limbs is below 2**32, so sums of up to 2**21 of them are exact in
# float64, in any order.
_LIMB_BITS = 16
_LIMB_TERMS = 2**21


def matmul(a: Tensor, b: Tensor) -> Tensor:
    """The matrix product, of any numeric dtype; integers wrap around."""
    dtype = a.dtype
    if dtype not in INTEGER.dtypes:
        return torch.matmul(a, b)
    if a.is_cuda:
        return _matmul_by_limbs(a, b)
    if dtype in WIDE_UNSIGNED:
        twin = SIGNED_TWIN[dtype]
        return torch.matmul(a.view(twin), b.view(twin)).view(dtype)
    return torch.matmul(a, b)


def _matmul_by_limbs(a: Tensor, b: Tensor) -> Tensor:
    """The integer matrix product from float64 ones, exact modulo the width of the dtype.

    For CUDA, which has no integer matrix product
    (https://github.com/pytorch/pytorch/issues/44428). The alternative, a broadcast product
    that is summed, needs memory for M * K * N elements.
    """
    dtype = a.dtype
    terms = a.shape[-1]
    if terms > _LIMB_TERMS:
        last = -1 if b.ndim == 1 else -2
        parts = [
            _matmul_by_limbs(p, q)
            for p, q in zip(a.split(_LIMB_TERMS, -1), b.split(_LIMB_TERMS, last), strict=True)
        ]
        total = parts[0]
        for part in parts[1:]:
            total = same_bits(torch.add)(total, part)
        return total
    count = max(1, dtype.itemsize * 8 // _LIMB_BITS)
    left, right = _limbs(a, count), _limbs(b, count)
    result = None
    for shift in range(count):
        for i in range(shift + 1):
            part = torch.matmul(left[i], right[shift - i]).to(torch.int64)
            part = part if shift == 0 else part << (_LIMB_BITS * shift)
            result = part if result is None else result + part
    assert result is not None
    if dtype in WIDE_UNSIGNED:
        return result.to(SIGNED_TWIN[dtype]).view(dtype)
    return result.to(dtype)


def _limbs(x: Tensor, count: int) -> list[Tensor]:
    """The low ``16 * count`` bits of integers as float64 limbs, the lowest first."""
    if x.dtype in WIDE_UNSIGNED:
        x = x.view(SIGNED_TWIN[x.dtype])
    if count == 1:
        return [x.to(torch.float64)]
    return [((x >> (_LIMB_BITS * i)) & 0xFFFF).to(torch.float64) for i in range(count)]


def tensordot(a: Tensor, b: Tensor, a_axes: Sequence[int], b_axes: Sequence[int]) -> Tensor:
    """The contraction over pairs of axes of equal size, as one matrix product."""
    a_rest = [i for i in range(a.ndim) if i not in a_axes]
    b_rest = [i for i in range(b.ndim) if i not in b_axes]
    terms = math.prod([a.shape[i] for i in a_axes])
    a_shape = [a.shape[i] for i in a_rest]
    b_shape = [b.shape[i] for i in b_rest]
    left = a.permute(*a_rest, *a_axes).reshape(math.prod(a_shape), terms)
    right = b.permute(*b_axes, *b_rest).reshape(terms, math.prod(b_shape))
    return matmul(left, right).reshape(a_shape + b_shape)


def vecdot(a: Tensor, b: Tensor, axis: int) -> Tensor:
    """The sum of ``conj(a) * b`` along an axis, of any numeric dtype."""
    dtype = a.dtype
    if dtype not in INTEGER.dtypes:
        return torch.linalg.vecdot(a, b, dim=axis)
    return _sum(same_bits(torch.mul)(a, b), axis)


def _sum(x: Tensor, axis: int) -> Tensor:
    """The sum of integers along an axis, in their own dtype."""
    if x.dtype not in WIDE_UNSIGNED:
        return torch.sum(x, axis, dtype=x.dtype)
    twin = SIGNED_TWIN[x.dtype]
    return torch.sum(x.view(twin), axis, dtype=twin).view(x.dtype)


outer = same_bits(torch.outer)


def cross(a: Tensor, b: Tensor, axis: int) -> Tensor:
    """The cross product along a negative axis of size 3 in both; the others broadcast."""
    if a.ndim != b.ndim:  # torch wants as many dimensions in both
        ndim = max(a.ndim, b.ndim)
        a = a.reshape((1,) * (ndim - a.ndim) + tuple(a.shape))
        b = b.reshape((1,) * (ndim - b.ndim) + tuple(b.shape))
    dtype = a.dtype
    if dtype in WIDE_UNSIGNED:
        twin = SIGNED_TWIN[dtype]
        return torch.linalg.cross(a.view(twin), b.view(twin), dim=axis).view(dtype)
    return torch.linalg.cross(a, b, dim=axis)


def trace(x: Tensor, offset: int, dtype: torch.dtype) -> Tensor:
    """The sum of a diagonal, computed in ``dtype``."""
    diagonal = torch.diagonal(x, offset, -2, -1)
    if dtype in WIDE_UNSIGNED:
        twin = SIGNED_TWIN[dtype]
        return torch.sum(diagonal.to(dtype).view(twin), -1, dtype=twin).view(dtype)
    if x.dtype in WIDE_UNSIGNED:
        diagonal = diagonal.to(dtype)
    return torch.sum(diagonal, -1, dtype=dtype)


def adjoint(x: Tensor) -> Tensor:
    """The conjugate transpose, with the conjugation carried out."""
    return x.mH.resolve_conj() if x.is_complex() else x.mT


def cholesky(x: Tensor) -> Tensor:
    """The lower Cholesky factor, from the lower triangle."""
    return torch.linalg.cholesky(x)


def inv(x: Tensor) -> Tensor:
    """The inverse."""
    return torch.linalg.inv(x)


def solve(a: Tensor, b: Tensor) -> Tensor:
    """The solution of ``a @ x = b``: a vector where ``b`` has one axis, else matrices."""
    if b.ndim == a.ndim - 1 and b.ndim > 1:
        # torch would take ``b`` for a stack of vectors where the sizes allow it.
        b = b.unsqueeze(0)
    return torch.linalg.solve(a, b)


def matrix_power(x: Tensor, n: int) -> Tensor:
    """The ``n``-th power by repeated squaring; a negative one of the inverse."""
    if n < 0:
        return matrix_power(inv(x), -n)
    if n == 0:
        identity = torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)
        return identity.expand(x.shape).clone()
    square, result = x, None
    while n:
        n, bit = divmod(n, 2)
        if bit:
            result = square if result is None else matmul(result, square)
        if n:
            square = matmul(square, square)
    assert result is not None
    return result if result is not x else x.clone()


def default_rtol(x: Tensor) -> float:
    """The standard's tolerance for singular values that count as zero."""
    return max(x.shape[-2:]) * torch.finfo(REAL_OF[x.dtype]).eps


def matrix_rank(x: Tensor, rtol: Tensor | float) -> Tensor:
    """The number of singular values above ``rtol`` times the largest."""
    values = torch.linalg.svdvals(x)
    if not values.shape[-1]:
        return torch.zeros(x.shape[:-2], dtype=torch.int64, device=x.device)
    if isinstance(rtol, Tensor):
        rtol = rtol.unsqueeze(-1)
    return torch.sum(values > rtol * values[..., :1], -1)


def pinv(x: Tensor, rtol: Tensor | float) -> Tensor:
    """The pseudo-inverse; singular values up to ``rtol`` times the largest count as zero."""
    return torch.linalg.pinv(x, rtol=rtol)


class NoElementsError(Exception):
    """The result would be the smallest of no values."""


def matrix_norm(x: Tensor, order: float | str, keepdims: bool) -> Tensor:
    """The norm of matrices; of empty ones 0, unless it is the smallest of no values."""
    if x.shape[-1] == 0 or x.shape[-2] == 0:
        return _norm_of_empty_matrices(x, order, keepdims)
    return torch.linalg.matrix_norm(x, order, keepdim=keepdims)


def _norm_of_empty_matrices(x: Tensor, order: float | str, keepdims: bool) -> Tensor:
    rows, columns = x.shape[-2:]
    smallest_of = {-1: columns, -2: 0, -math.inf: rows}.get(order, 1)  # type: ignore[arg-type]
    if smallest_of == 0 and math.prod(x.shape[:-2]):
        raise NoElementsError
    return torch.linalg.matrix_norm(x, "fro", keepdim=keepdims)


def vector_norm(x: Tensor, order: float, axes: tuple[int, ...] | None, keepdims: bool) -> Tensor:
    """The norm of vectors along some axes, each element a vector for an empty tuple."""
    if axes == ():  # to torch, an empty tuple is all axes
        return torch.linalg.vector_norm(x.unsqueeze(0), order, 0)
    if x.numel() == 0 and (order < 0 or order == math.inf):
        return _norm_of_no_elements(x, order, axes, keepdims)
    return torch.linalg.vector_norm(x, order, axes, keepdims)


def _norm_of_no_elements(
    x: Tensor, order: float, axes: tuple[int, ...] | None, keepdims: bool
) -> Tensor:
    """What the definition gives for empty sums, where torch refuses; 0 is the largest."""
    zeros = torch.linalg.vector_norm(x, 2, axes, keepdims)
    if order == math.inf:
        return zeros
    if order == -math.inf and zeros.numel():
        raise NoElementsError
    return torch.full_like(zeros, math.inf)
