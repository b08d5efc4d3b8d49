"""Gradients and integrals."""

from __future__ import annotations

from typing import Any, SupportsIndex, overload

import torch
from torch import Tensor

from xp_torch._core.axes import integer
from xp_torch._kernels.blocks import is_large

from .._array.layout import like
from .._array.ndarray import AnyArray, ndarray
from .._base.axes import normalize_axes, normalize_axis
from .._base.dtypes import COMPLEXES, FLOATS, INTEGERS
from .._base.typing import AxesLike
from .._convert.arguments import ArrayLike, array_of, as_tensor, operands
from .._kernels.casting import cast
from .._kernels.value_checks import holds_somewhere
from .._ufunc.declarations import add, divide, multiply, negative, subtract
from .cumulative import diff
from .reductions import sum

__all__ = ["gradient", "trapezoid"]


def trapezoid(
    y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1
) -> ndarray:
    """The integral along an axis by the trapezoidal rule.

    Parameters
    ----------
    y : array_like
        The values of the function.
    x : array_like, optional
        The sample points of ``y``: 1-D, or of the same length as ``y`` along the axis.
    dx : number
        The distance between sample points if ``x`` is not given.
    axis : int
        The axis to integrate along.

    Returns
    -------
    ndarray or scalar
        In the shape of ``y`` without the axis; float64 for integers.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.trapezoid(np.array([1.0, 2.0, 3.0]), x=[4, 6, 8])
    np.float64(8.0)
    """
    given = [y] if x is None else [y, x]
    tensors = operands("trapezoid", *given, arguments=("y", "x"))
    t = tensors[0]
    along = normalize_axis("trapezoid", axis, t.dim())
    distance = dx
    if x is not None:
        distance = diff(array_of(tensors[1]), axis=-1 if tensors[1].dim() == 1 else axis)
        if tensors[1].dim() == 1:
            shape = [1] * t.dim()
            shape[along] = -1
            distance = array_of(distance._tensor.reshape(shape))
    size = max(t.shape[along] - 1, 0)
    right = array_of(t.narrow(along, t.shape[along] - size, size))
    left = array_of(t.narrow(along, 0, size))
    areas = add(right, left)
    t = areas._tensor
    if type(distance) is float and t.dtype in _EXACT_HALVES and is_large(t) and not t.requires_grad:
        multiply(areas, distance, out=areas)
        return sum(multiply(areas, 0.5, out=areas), axis)
    return sum(divide(multiply(distance, areas), 2.0), axis)


_EXACT_HALVES = frozenset({torch.float32, torch.float64})
"""The dtypes whose areas are computed in the memory of the sums; half of a number is exact."""


@overload
def gradient(
    f: ArrayLike, *varargs: ArrayLike, axis: SupportsIndex, edge_order: int = ...
) -> ndarray: ...
@overload
def gradient(
    f: ArrayLike, *varargs: ArrayLike, axis: AxesLike | None = ..., edge_order: int = ...
) -> ndarray | tuple[ndarray, ...]: ...
def gradient(
    f: ArrayLike, *varargs: ArrayLike, axis: AxesLike | None = None, edge_order: int = 1
) -> ndarray | tuple[ndarray, ...]:
    """The gradient by central differences inside and one-sided ones at the edges.

    Parameters
    ----------
    f : array_like
        The values of a function on a grid.
    *varargs : number or 1-D array_like
        The spacing: nothing for 1, one number for all axes, or for each axis a number or
        the coordinates along it.
    axis : int, tuple of ints or None
        The axes; ``None`` is all of them.
    edge_order : {1, 2}
        The order of the differences at the edges.

    Returns
    -------
    ndarray, or tuple of ndarrays
        One per axis; float64 for integers, else in the dtype of ``f``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.gradient(np.array([1.0, 2.0, 4.0, 7.0]), 2.0)
    array([0.5 , 0.75, 1.25, 1.5 ])
    """
    values = as_tensor("gradient", f, "f")
    axes = normalize_axes("gradient", axis, values.dim())
    spacings = _spacings(values, axes, varargs)
    order = integer("gradient", "edge_order", edge_order)
    if order > 2:
        raise ValueError(f"gradient: edge_order {order} greater than 2 is not supported")
    into = values.dtype
    if into in INTEGERS:
        values = values.to(torch.float64)
    if into not in FLOATS and into not in COMPLEXES:
        into = torch.float64
    results = []
    for along, spacing in zip(axes, spacings, strict=True):
        if values.shape[along] < order + 1:
            raise ValueError(
                f"gradient: axis {along} of f has {values.shape[along]} elements; at least "
                f"{order + 1} (edge_order + 1) are required"
            )
        results.append(array_of(_derivative(values, along, spacing, order, into)))
    return results[0] if len(results) == 1 else tuple(results)


def _spacings(values: Tensor, axes: tuple[int, ...], given: tuple[Any, ...]) -> list[Any]:
    """For each axis a number, or an array of the distances between neighbours."""
    if not given:
        return [1.0] * len(axes)
    tensors = [as_tensor("gradient", g, "varargs", values.device) for g in given]
    if len(given) == 1 and not tensors[0].dim():
        return list(given) * len(axes)
    if len(given) != len(axes):
        raise TypeError(
            f"gradient: {len(given)} spacings were given for {len(axes)} axes (invalid number of "
            "arguments)"
        )
    spacings = []
    for along, g, coordinates in zip(axes, given, tensors, strict=True):
        if not coordinates.dim():
            spacings.append(g)
            continue
        if coordinates.dim() != 1:
            raise ValueError("gradient: distances must be either scalars or 1d")
        if coordinates.shape[0] != values.shape[along]:
            raise ValueError(
                f"gradient: {coordinates.shape[0]} distances for axis {along} of "
                f"{values.shape[along]} elements; they must match"
            )
        if coordinates.dtype in INTEGERS:
            coordinates = coordinates.to(torch.float64)
        distances = diff(array_of(coordinates))
        spacings.append(_one_or_many(distances))
    return spacings


def _one_or_many(distances: ndarray) -> Any:
    """One distance if the values show that all are equal: NumPy then rounds differently."""
    t = distances._tensor
    if t.numel() and holds_somewhere(torch.all(t == t[0])):
        return array_of(t[0])
    return distances


def _derivative(
    values: Tensor, axis: int, spacing: Any, edge_order: int, into: torch.dtype
) -> Tensor:
    last_axis = axis == values.dim() - 1  # moving it would be two calls of torch for nothing
    f = values if last_axis else values.movedim(axis, -1)
    columns = [array_of(_column(f, i)) for i in (0, 1, -2, -1)]
    inner = _interior(f, spacing)
    many = isinstance(spacing, AnyArray) and spacing._tensor.dim()
    near = far = spacing
    if many:
        near, far = [array_of(spacing._tensor[i]) for i in (0, -1)]
    if edge_order == 1:
        first = _over(subtract(columns[1], columns[0]), near)
        last = _over(subtract(columns[-1], columns[-2]), far)
    else:
        third, third_last = array_of(_column(f, 2)), array_of(_column(f, -3))
        if many:
            t = spacing._tensor
            ahead, behind = array_of(t[1]), array_of(t[-2])
            a, b, c = _edge_weights(near, ahead)
            first = a * columns[0] + b * columns[1] + c * third
            a, b, c = _edge_weights(far, behind)
            last = negative(c * third_last + b * columns[-2] + a * columns[-1])
        else:
            first = (
                multiply(divide(-1.5, spacing), columns[0])
                + multiply(divide(2.0, spacing), columns[1])
                + multiply(divide(-0.5, spacing), third)
            )
            last = (
                multiply(divide(0.5, spacing), third_last)
                + multiply(divide(-2.0, spacing), columns[-2])
                + multiply(divide(1.5, spacing), columns[-1])
            )
    pieces = [cast(p._tensor, into) for p in (first, inner, last)]
    joined = torch.cat(pieces, -1)
    return like(joined if last_axis else joined.movedim(-1, axis), values)


def _over(differences: ndarray, spacing: Any) -> ndarray:
    """Differences over a spacing, which is 1.0 where none was given."""
    if type(spacing) is float and spacing == 1.0:
        return differences
    return divide(differences, spacing)


def _column(f: Tensor, index: int) -> Tensor:
    """The elements at an index of the last axis; that axis stays, with size 1."""
    return f.narrow(-1, index + f.shape[-1] if index < 0 else index, 1)


def _interior(f: Tensor, spacing: Any) -> ndarray:
    """The differences of second order for elements that have two neighbours."""
    size = f.shape[-1] - 2
    before, after = array_of(f.narrow(-1, 0, size)), array_of(f.narrow(-1, 2, size))
    if not (isinstance(spacing, AnyArray) and spacing._tensor.dim()):
        number = type(spacing) is float
        twice = 2.0 * spacing if number else multiply(2.0, spacing)
        return divide(subtract(after, before), twice)
    here = array_of(f.narrow(-1, 1, size))
    t = spacing._tensor
    left, right = array_of(t[:-1]), array_of(t[1:])
    a = -right / (left * (left + right))
    b = (right - left) / (left * right)
    c = left / (right * (left + right))
    return a * before + b * here + c * after


def _edge_weights(near: Any, next_one: Any) -> tuple[Any, Any, Any]:
    """The weights of the three elements at an edge, the outermost first."""
    a = -(2.0 * near + next_one) / (near * (near + next_one))
    b = (near + next_one) / (near * next_one)
    c = -near / (next_one * (near + next_one))
    return a, b, c
