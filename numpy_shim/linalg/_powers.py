"""Powers of a matrix, and products of several."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import partial, reduce
from itertools import pairwise

import torch
from numpy.linalg import LinAlgError
from torch import Tensor

from xp_torch._kernels import linalg

from .._array.layout import like
from .._array.ndarray import AnyArray, ndarray, wrap
from .._base import error_checks
from .._base import error_states as errstate
from .._convert.arguments import ArrayLike, as_tensor, finish, operands, promoted
from .._kernels import products
from ._matrices import DECOMPOSED, attempt, decomposable
from ._solvers import check_square, inverted

__all__ = ["matrix_power", "multi_dot"]


def matrix_power(a: ArrayLike, n: int) -> ndarray:
    """An integer power of square matrices; a negative power is a power of the inverse.

    Parameters
    ----------
    a : (..., M, M) array_like
        Any numeric dtype or boolean.
    n : int
        The exponent.

    Returns
    -------
    ndarray
        Shape (..., M, M), in the dtype of ``a``; float64 for a negative power of integers.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.matrix_power([[1, 1], [0, 1]], 3)
    array([[1, 3],
           [0, 1]])
    """
    x = as_tensor("matrix_power", a)
    check_square("matrix_power", x)
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError("matrix_power: exponent must be an integer") from None
    if n == 1:
        return a if isinstance(a, AnyArray) else wrap(x)  # the matrix itself, as in NumPy
    if n < 0:
        x = attempt("matrix_power", "Singular matrix", inverted, decomposable("matrix_power", x))
        n = -n
    if x.dtype in DECOMPOSED and not errstate.active and n < 2**63:  # torch's exponent has 64 bits
        power = linalg.matrix_power(x, n)
        return wrap(power if n else like(power, x))  # NumPy has the identity in a new array like x
    if n == 0:
        eye = torch.eye(x.shape[-1], dtype=torch.int64, device=x.device).to(x.dtype)
        return wrap(like(eye.expand(x.shape).clone(), x))
    result: Tensor | None = None
    while n:
        n, bit = divmod(n, 2)
        if bit:
            result = x if result is None else _product("matmul", result, x)
        if n:
            x = _product("matmul", x, x)
    assert result is not None
    return wrap(result)


def _product(operation: str, a: Tensor, b: Tensor) -> Tensor:
    result = products.matmul(a, b)
    if errstate.active:
        error_checks.check_product(operation, products.matmul, a, b, result)
    return result


def multi_dot(arrays: Sequence[ArrayLike], *, out: ndarray | None = None) -> ndarray:
    """The product of several matrices, in the order that takes the fewest multiplications.

    Parameters
    ----------
    arrays : sequence of array_like
        At least two arrays of two axes; the first and the last one may be 1-D.
    out : ndarray, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray or scalar
        Of the promoted dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.linalg.multi_dot([np.ones((2, 3)), np.ones((3, 4)), np.ones(4)])
    array([12., 12.])
    """
    given = list(arrays)
    if len(given) < 2:
        raise ValueError("multi_dot: Expecting at least two arrays.")
    names = tuple(f"arrays[{i}]" for i in range(len(given)))
    tensors = promoted("multi_dot", operands("multi_dot", *given, arguments=names))
    for i, tensor in enumerate(tensors):
        vector = tensor.dim() == 1 and i in (0, len(tensors) - 1)
        if tensor.dim() != 2 and not vector:
            raise LinAlgError(f"multi_dot: {tensor.dim()}-dimensional array given; it must be 2-D")
    for s, t in pairwise(tensors):
        if s.shape[-1] != t.shape[0]:
            raise ValueError(f"multi_dot: shapes {tuple(s.shape)} and {tuple(t.shape)} not aligned")
    if tensors[0].dtype in DECOMPOSED and not errstate.active:
        return finish("multi_dot", torch.linalg.multi_dot(tensors), out)
    return finish("multi_dot", reduce(partial(_product, "dot"), tensors), out)
