"""Helpers of ``linalg``: conversion and checks of matrices, and ``LinAlgError``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch
from numpy.linalg import LinAlgError
from torch import Tensor

from xp_torch._core.errors import TorchLinAlgError, translate

from .._array.layout import in_axes, outermost_first
from .._array.ndarray import ndarray
from .._base.dtypes import HALVES, NUMPY, promote
from .._convert.arguments import ArrayLike, as_tensor, operands
from .._kernels.casting import cast

DECOMPOSED = frozenset({torch.float32, torch.float64, torch.complex64, torch.complex128})
"""The dtypes of LAPACK and of its equivalents on devices."""

_DOUBLE = {torch.float32: torch.float64, torch.complex64: torch.complex128}
_SINGLE = {double: single for single, double in _DOUBLE.items()}


def matrices(name: str, x: ArrayLike, argument: str = "a", ndim: int = 2) -> Tensor:
    """A stack of matrices in a dtype that can be decomposed; integers become float64.

    Raises ``LinAlgError`` for fewer than two axes, ``TypeError`` for 16-bit floats, which
    NumPy refuses too.
    """
    return decomposable(name, stacked(name, x, argument, ndim), argument)


def stacked(name: str, x: ArrayLike, argument: str, ndim: int = 2) -> Tensor:
    """A stack of matrices of any dtype."""
    tensor = x._tensor if type(x) is ndarray else as_tensor(name, x, argument)
    if tensor.dim() < ndim:
        raise LinAlgError(
            f"{name}: {argument} is a {tensor.dim()}-dimensional array; it must be at least "
            f"two-dimensional"
        )
    return tensor


def decomposable(name: str, tensor: Tensor, argument: str = "a") -> Tensor:
    """``tensor`` in a dtype that can be decomposed."""
    if tensor.dtype in DECOMPOSED:
        return tensor
    if tensor.dtype in HALVES:
        raise TypeError(
            f"{name}: {argument}: array type {NUMPY[tensor.dtype]} is unsupported in linalg"
        )
    return tensor.to(torch.float64)


def square(name: str, x: ArrayLike, argument: str = "a") -> Tensor:
    """A stack of square matrices."""
    tensor = stacked(name, x, argument)
    if tensor.shape[-1] != tensor.shape[-2]:
        raise LinAlgError(f"{name}: last 2 dimensions of {argument} must be square")
    return decomposable(name, tensor, argument)


def together(name: str, *xs: ArrayLike, arguments: tuple[str, ...]) -> list[Tensor]:
    """Several operands on one device in a common dtype that can be decomposed."""
    tensors = operands(name, *xs, arguments=arguments)
    tensors = [decomposable(name, t, a) for t, a in zip(tensors, arguments, strict=True)]
    dtype = promote(name, *[t.dtype for t in tensors])
    return [cast(t, dtype) for t in tensors]


def attempt(name: str, message: str, function: Callable[..., Any], *args: object) -> Any:
    """Call ``function(*args)``; torch's error becomes NumPy's ``LinAlgError`` with ``message``."""
    try:
        return function(*args)
    except TorchLinAlgError:
        raise LinAlgError(f"{name}: {message}") from None
    except RuntimeError as error:
        translate(name, error)


def as_double(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` of matrices that computes single precision in double, as NumPy does.

    This is done on the CPU only, where it costs a factor of two. In double precision an
    accelerator may be sixty times slower, or not support it.
    """

    @wraps(function)
    def computed(x: Tensor, *args: object) -> Any:
        double = _DOUBLE.get(x.dtype)
        if double is None or x.get_device() >= 0:
            return function(x, *args)
        widened = [a.to(double) if isinstance(a, Tensor) else a for a in args]
        result = function(x.to(double), *widened)
        return _rounded(result) if isinstance(result, Tensor) else tuple(map(_rounded, result))

    return computed


def _rounded(x: Tensor) -> Tensor:
    single = _SINGLE.get(x.dtype)
    return x if single is None else x.to(single)


def lower(name: str, uplo: object) -> bool:
    """Whether ``UPLO`` names the lower triangle."""
    letter = str(uplo).upper()
    if letter not in ("L", "U"):
        raise ValueError(f"{name}: UPLO argument must be 'L' or 'U', not {uplo!r}")
    return letter == "L"


def by_rows(result: Tensor, *operands: Tensor, core: int = 2) -> Tensor:
    """A new result in NumPy's memory order: each matrix by rows, where torch has LAPACK's columns.

    ``core`` is how many axes of the result are not those of a stack. The axes of stacks are in the
    order in which NumPy's iterator goes along those of the operands.
    """
    stacks = result.dim() - core
    if stacks < 2 or all(x.is_contiguous() for x in operands):
        return result.contiguous()
    outside = outermost_first([_stack_strides(x, stacks) for x in operands])
    return in_axes(result, [*outside, *range(stacks, result.dim())])


def _stack_strides(x: Tensor, stacks: int) -> list[int]:
    """The strides of the axes of a stack of matrices, 0 for those along which it is broadcast."""
    own = [s if n > 1 else 0 for s, n in zip(x.stride()[:-2], x.shape[:-2], strict=True)]
    return [0] * (stacks - len(own)) + own


def adjoint(x: Tensor) -> Tensor:
    """The conjugate transpose of the matrices."""
    return x.mH.resolve_conj() if x.is_complex() else x.mT
