"""Python functions over parts of arrays: along an axis, over axes, by cases."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy
import torch
from torch import Tensor

from xp_torch._torch.internals import is_certain

from .._array.ndarray import ndarray, wrap
from .._array.scalars import TensorScalar
from .._base.axes import normalize_axis
from .._base.promotion import PYTHON_NUMBERS
from .._base.typing import ArrayLike, AxesLike
from .._convert.arguments import array_of, as_array, as_tensor
from .._kernels.casting import cast

__all__ = ["apply_along_axis", "apply_over_axes", "piecewise"]


def apply_along_axis(
    func1d: Callable[..., ArrayLike], axis: int, arr: ArrayLike, *args: object, **kwargs: object
) -> ndarray:
    """Apply a function to the 1-D slices along an axis.

    Parameters
    ----------
    func1d : callable
        A function of a 1-D array, ``args`` and ``kwargs``. It returns an array or a scalar,
        of the same shape for all slices.
    axis : int
        The axis of the slices.
    arr : array_like
        The array.
    *args, **kwargs
        More arguments of the function.

    Returns
    -------
    ndarray
        The shape of ``arr``, with the axis replaced by the shape of the results; the dtype of
        the first result.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.apply_along_axis(np.sort, 1, [[8, 1, 7], [4, 3, 9]])
    array([[1, 7, 8],
           [3, 4, 9]])
    """
    name = "apply_along_axis"
    t = as_tensor(name, arr, "arr")
    dim = normalize_axis(name, axis, t.dim())
    moved = t.movedim(dim, -1)
    shape = moved.shape[:-1]
    if 0 in shape:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    results = [
        as_tensor(name, func1d(array_of(moved[index]), *args, **kwargs), "a result")
        for index in itertools.product(*map(range, shape))
    ]
    first = results[0]
    for result in results:
        if result.shape != first.shape:
            raise ValueError(
                f"{name}: results of shapes {tuple(first.shape)} and {tuple(result.shape)}"
            )
    stacked = torch.stack([cast(r, first.dtype) for r in results])
    stacked = stacked.reshape((*shape, *first.shape))
    source = tuple(range(len(shape), stacked.dim()))
    return array_of(stacked.movedim(source, tuple(range(dim, dim + len(source)))))


def apply_over_axes(
    func: Callable[[ndarray, int], ArrayLike], a: ArrayLike, axes: AxesLike
) -> ndarray:
    """Apply a function of an array and an axis over several axes, one after the other.

    Parameters
    ----------
    func : callable
        ``func(a, axis)`` returns an array with that axis kept or removed.
    a : array_like
        The array.
    axes : int or sequence of ints
        The axes.

    Returns
    -------
    ndarray
        As many dimensions as ``a``: axes that were removed have size 1.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.apply_over_axes(np.sum, np.arange(8).reshape(2, 2, 2), [0, 2])
    array([[[10],
            [18]]])
    """
    name = "apply_over_axes"
    value = as_array(name, a)
    ndim = value._tensor.dim()
    if not isinstance(axes, (list, tuple)):
        axes = as_tensor(name, axes, "axes").reshape(-1).tolist()  # type: ignore[arg-type]
    # An array without axes has axis 0 for NumPy's reductions.
    for axis in [normalize_axis(name, a, ndim or 1, "axes") for a in axes]:
        result = as_tensor(name, func(value, axis), "a result")
        if result.dim() == ndim - 1:
            result = result.unsqueeze(axis)
        if result.dim() != ndim:
            raise ValueError("function is not returning an array of the correct shape")
        value = array_of(result) if ndim else wrap(result)
    return value


def piecewise(
    x: ArrayLike,
    condlist: ArrayLike,
    funclist: Sequence[Callable[..., ArrayLike] | ArrayLike],
    *args: object,
    **kw: object,
) -> ndarray:
    """A function by cases: each function where its condition holds.

    Parameters
    ----------
    x : array_like
        The arguments.
    condlist : list of array_like of bool, or one
        The conditions; where several hold, the last one counts.
    funclist : list of callables and scalars
        One for each condition, and optionally one more for elements where no condition holds,
        by default 0.
    *args, **kw
        More arguments of the functions.

    Returns
    -------
    ndarray
        The shape and dtype of ``x``.

    Notes
    -----
    A function is called with the elements where its condition holds. It is not called if there
    are none: counting them waits for the device.

    Examples
    --------
    >>> import numpy_shim as np
    >>> x = np.array([-2.0, -1.0, 3.0])
    >>> np.piecewise(x, [x < 0, x >= 0], [lambda x: -x, 10])
    array([ 2.,  1., 10.])
    """
    name = "piecewise"
    t = as_tensor(name, x, "x")
    count = len(funclist)
    if _is_one(condlist, t.dim()):
        condlist = [condlist]
    conditions = [cast(as_tensor(name, c, "condlist", t.device), torch.bool) for c in condlist]  # type: ignore[union-attr]
    if len(conditions) == count - 1:
        some = functools.reduce(torch.logical_or, conditions)
        conditions.append(torch.logical_not(some))
    elif len(conditions) != count:
        n = len(conditions)
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    source, result = array_of(t), array_of(torch.zeros_like(t))
    for condition, function in zip(conditions, funclist, strict=True):
        chosen = array_of(condition)
        if not callable(function):
            result[chosen] = function
            continue
        values = source[chosen]
        if not is_certain(values.size == 0):
            result[chosen] = function(values, *args, **kw)
    return result


def _is_one(condlist: Any, ndim: int) -> bool:
    """Whether ``condlist`` is one condition on an array of ``ndim`` axes, not a list of them."""
    if isinstance(condlist, (TensorScalar, numpy.generic)) or type(condlist) in PYTHON_NUMBERS:
        return True
    first = condlist[0]
    several = isinstance(first, (list, tuple, ndarray, Tensor))
    return ndim != 0 and not (several and getattr(first, "ndim", 1) > 0)
