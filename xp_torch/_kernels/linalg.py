"""Linear-algebra kernels: products of every numeric dtype, and decompositions.

The callers ensure that operands have one dtype, one device and the required shapes. Matrices are
the last two axes.

A matrix without the requested decomposition or solution raises torch's ``LinAlgError`` on every
device. On an accelerator the check waits for the result.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from .._core.devices import lacking_dtypes
from .._core.dtypes import INTEGER, REAL_OF, SIGNED_TWIN, WIDE_UNSIGNED
from .._core.errors import TorchLinAlgError
from .unsigned import as_signed, same_bits

# A product of two 16-bit limbs is below 2**32, so sums of up to 2**21 of them are exact in
# float64, in any order.
_LIMB_BITS = 16
_TERMS = 2**21


def matmul(a: Tensor, b: Tensor) -> Tensor:
    """The matrix product, of any numeric dtype; integers wrap around."""
    dtype = a.dtype
    if dtype not in INTEGER.dtypes:
        return torch.matmul(a, b)
    if a.is_cuda:
        return _matmul_by_limbs(a, b)
    return _read_as(torch.matmul(as_signed(a), as_signed(b)), dtype)


def _read_as(x: Tensor, dtype: torch.dtype) -> Tensor:
    """View integers as another dtype of the same width; other dtypes are unchanged."""
    return x if x.dtype is dtype else x.view(dtype)


def _matmul_by_limbs(a: Tensor, b: Tensor) -> Tensor:
    """The integer matrix product by float64 products, exact modulo the dtype's range.

    It is for CUDA, which has no integer matrix product
    (https://github.com/pytorch/pytorch/issues/44428). The sum of a broadcast product would need
    memory for M * K * N elements.
    """
    dtype = a.dtype
    last = -1 if b.ndim == 1 else -2
    total: Tensor | None = None
    for p, q in zip(torch.split(a, _TERMS, -1), torch.split(b, _TERMS, last), strict=True):
        for shift, product in _products_of_limbs(p, q):
            product = product.to(torch.int64)
            product = product << shift if shift else product
            total = product if total is None else total + product
    assert total is not None
    return _read_as(total.to(SIGNED_TWIN[dtype] if dtype in WIDE_UNSIGNED else dtype), dtype)


def _products_of_limbs(a: Tensor, b: Tensor) -> Iterator[tuple[int, Tensor]]:
    """Yield the float64 products of limbs that affect the result, and their shifts."""
    count = max(1, a.dtype.itemsize * 8 // _LIMB_BITS)
    left, right = _limbs(a, count), _limbs(b, count)
    for i in range(count):
        for j in range(count - i):
            yield _LIMB_BITS * (i + j), torch.matmul(left[i], right[j])


def _limbs(x: Tensor, count: int) -> list[Tensor]:
    """The low ``16 * count`` bits of integers as float64 limbs, the lowest first."""
    if count == 1 and x.dtype not in WIDE_UNSIGNED:
        return [x.to(torch.float64)]
    x = as_signed(x)
    return [((x >> (_LIMB_BITS * i)) & 0xFFFF).to(torch.float64) for i in range(count)]


def tensordot(a: Tensor, b: Tensor, a_axes: Sequence[int], b_axes: Sequence[int]) -> Tensor:
    """The contraction over pairs of axes of equal size; integers wrap around."""
    if a.dtype not in INTEGER.dtypes:
        result: Tensor = torch.tensordot(a, b, (list(a_axes), list(b_axes)))
        return result
    a_rest = [i for i in range(a.ndim) if i not in a_axes]
    b_rest = [i for i in range(b.ndim) if i not in b_axes]
    terms = math.prod([a.shape[i] for i in a_axes])
    a_shape = [a.shape[i] for i in a_rest]
    b_shape = [b.shape[i] for i in b_rest]
    left = a.permute([*a_rest, *a_axes]).reshape(math.prod(a_shape), terms)
    right = b.permute([*b_axes, *b_rest]).reshape(terms, math.prod(b_shape))
    return matmul(left, right).reshape(a_shape + b_shape)


def vecdot(a: Tensor, b: Tensor, axis: int) -> Tensor:
    """The sum of ``conj(a) * b`` along an axis, of any numeric dtype."""
    dtype = a.dtype
    if dtype not in INTEGER.dtypes:
        result: Tensor = torch.linalg.vecdot(a, b, dim=axis)
        return result
    product = torch.mul(as_signed(a), as_signed(b))
    return _read_as(torch.sum(product, axis, dtype=product.dtype), dtype)


outer = same_bits(torch.outer)


def cross(a: Tensor, b: Tensor, axis: int) -> Tensor:
    """The cross product along a negative axis of size 3 in both; the others broadcast."""
    if a.ndim != b.ndim:  # torch requires the same number of dimensions in both
        ndim = max(a.ndim, b.ndim)
        a = a.reshape((1,) * (ndim - a.ndim) + tuple(a.shape))
        b = b.reshape((1,) * (ndim - b.ndim) + tuple(b.shape))
    result: Tensor = torch.linalg.cross(as_signed(a), as_signed(b), dim=axis)
    return _read_as(result, a.dtype)


def adjoint(x: Tensor) -> Tensor:
    """The conjugate transpose, with the conjugation carried out."""
    return x.mH.resolve_conj() if x.is_complex() else x.mT


def cholesky(x: Tensor) -> Tensor:
    """The lower Cholesky factor, from the lower triangle."""
    result: Tensor = torch.linalg.cholesky(x)
    return result


_NOT_FINITE = "the matrices must not contain NaN or infinite values"


def eig(x: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors of matrices without NaN and infinite values."""
    try:
        values, vectors = torch.linalg.eig(x)
    except TorchLinAlgError:
        raise
    except RuntimeError as error:
        if "infs or NaNs" not in str(error):
            raise
        raise TorchLinAlgError(_NOT_FINITE) from None
    return values, vectors


def eigvals(x: Tensor) -> Tensor:
    """Eigenvalues of matrices without NaN and infinite values.

    MKL crashes the process on such values, and torch checks for them in ``eig`` only
    (https://github.com/pytorch/pytorch/issues/93124). A trace cannot check, and calls ``eig``.
    """
    if torch.compiler.is_compiling() or x.is_meta:
        return eig(x)[0]
    # A finite sum has finite terms, and costs a sixth of a check of each term.
    if not (cmath.isfinite(x.sum().item()) or torch.isfinite(x).all()):
        raise TorchLinAlgError(_NOT_FINITE)
    values: Tensor = torch.linalg.eigvals(x)
    return values


def inv(x: Tensor) -> Tensor:
    """The inverse."""
    result: Tensor = torch.linalg.inv(x)
    return result


def solve(a: Tensor, b: Tensor) -> Tensor:
    """The solution of ``a @ x = b``: a vector where ``b`` has one axis, else matrices."""
    if b.ndim == a.ndim - 1 and b.ndim > 1:
        # torch would treat ``b`` as a stack of vectors if the sizes allow it.
        b = b.unsqueeze(0)
    result: Tensor = torch.linalg.solve(a, b)
    return result


def matrix_power(x: Tensor, n: int) -> Tensor:
    """The ``n``-th power. A negative power inverts, for floating-point dtypes only."""
    if x.dtype not in INTEGER.dtypes:
        power: Tensor = torch.linalg.matrix_power(x, n)
        return power
    identity = torch.eye(x.shape[-1], dtype=torch.int64, device=x.device).to(x.dtype)
    result = identity.expand(x.shape)
    while n:
        n, bit = divmod(n, 2)
        if bit:
            result = matmul(result, x)
        if n:
            x = matmul(x, x)
    return result


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
    atol: Tensor | None = None
    if torch.float64 in lacking_dtypes(x.device):
        # torch makes the tolerances that are not tensors in float64.
        if not isinstance(rtol, Tensor):
            rtol = torch.full((), rtol, dtype=x.dtype.to_real(), device=x.device)
        atol = torch.zeros_like(rtol)
    result: Tensor = torch.linalg.pinv(x, atol=atol, rtol=rtol)
    return result


class NoElementsError(Exception):
    """The norm would be the minimum of no values, which does not exist, as in ``min``."""


def matrix_norm(x: Tensor, order: float | str, keepdims: bool) -> Tensor:
    """The norm of matrices. It is 0 for empty ones, unless it is a minimum."""
    if x.shape[-1] == 0 or x.shape[-2] == 0:
        return _norm_of_empty_matrices(x, order, keepdims)
    norm: Tensor = torch.linalg.matrix_norm(x, order, keepdim=keepdims)
    return norm


def _norm_of_empty_matrices(x: Tensor, order: float | str, keepdims: bool) -> Tensor:
    sizes: dict[float | str, int] = {-1: x.shape[-1], -2: 0, -math.inf: x.shape[-2]}
    smallest_of = sizes.get(order, 1)
    if smallest_of == 0:
        raise NoElementsError
    zeros: Tensor = torch.linalg.matrix_norm(x, "fro", keepdim=keepdims)
    return zeros


def vector_norm(x: Tensor, order: float, axes: tuple[int, ...] | None, keepdims: bool) -> Tensor:
    """The norm of vectors along axes. For an empty tuple each element is a vector."""
    if axes == ():  # to torch, an empty tuple is all axes
        x, axes, keepdims = x.unsqueeze(0), (0,), False
    if order == 0 and x.is_complex():  # torch warns about the imaginary part when it counts
        x = x.abs()
    if x.numel() == 0 and (order < 0 or order == math.inf):
        return _norm_of_no_elements(x, order, axes, keepdims)
    norm: Tensor = torch.linalg.vector_norm(x, order, axes, keepdims)
    return norm


def _norm_of_no_elements(
    x: Tensor, order: float, axes: tuple[int, ...] | None, keepdims: bool
) -> Tensor:
    """The norm of empty vectors for orders that torch refuses: 0 or infinity."""
    zeros: Tensor = torch.linalg.vector_norm(x, 2, axes, keepdims)
    if order == math.inf:
        return zeros
    if order == -math.inf and 0 in (x.shape if axes is None else [x.shape[a] for a in axes]):
        raise NoElementsError
    return torch.full_like(zeros, math.inf)
