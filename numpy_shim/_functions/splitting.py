"""Splitting arrays into lists of views."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import torch
from torch import Tensor

from xp_torch._core.axes import integer

from .._array import views
from .._array.ndarray import AnyArray, ndarray, view_of, wrap
from .._base.axes import normalize_axis
from .._base.typing import ArrayLike
from .._convert.arguments import as_array

__all__ = ["array_split", "dsplit", "hsplit", "split", "unstack", "vsplit"]


def array_split(ary: ArrayLike, indices_or_sections: ArrayLike, axis: int = 0) -> list[ndarray]:
    """Views of parts of an array; the first parts may be larger by one.

    Parameters
    ----------
    ary : array_like
        The array.
    indices_or_sections : int or sequence of int
        The number of parts, or the first index of each part after the first.
    axis : int
        The axis to split.

    Returns
    -------
    list of ndarray
        Views: writing to one writes to ``ary``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.array_split([1, 2, 3], 2)
    [array([1, 2]), array([3])]
    """
    return _split("array_split", ary, indices_or_sections, axis)


def split(ary: ArrayLike, indices_or_sections: ArrayLike, axis: int = 0) -> list[ndarray]:
    """Views of parts of an array; if their number is given, they have equal sizes.

    Parameters
    ----------
    ary : array_like
        The array.
    indices_or_sections : int or sequence of int
        The number of parts, or the first index of each part after the first.
    axis : int
        The axis to split.

    Returns
    -------
    list of ndarray
        Views: writing to one writes to ``ary``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.split([1, 2, 3, 4], [1, 3])
    [array([1]), array([2, 3]), array([4])]
    """
    return _split("split", ary, indices_or_sections, axis, equal=True)


def _split(name: str, ary: Any, where: Any, axis: Any, equal: bool = False) -> list[ndarray]:
    x = as_array(name, ary, "ary")
    dim = normalize_axis(name, axis, x.ndim)
    size = x._tensor.shape[dim]
    if isinstance(where, (AnyArray, Tensor)) and where.ndim:
        where = where.tolist()
    if hasattr(where, "__len__") and not isinstance(where, (AnyArray, Tensor)):
        starts = [0, *[integer(name, "indices_or_sections", i) for i in where]]
        ends: list[Any] = [*starts[1:], size]
    else:
        sections = int(where)
        if sections <= 0:
            raise ValueError(f"{name}: number sections must be larger than 0, not {sections}")
        if equal and size % sections:
            raise ValueError(f"{name}: array split does not result in an equal division")
        each, larger = divmod(size, sections)
        # A list of the sizes is refused at once if there are too many sections.
        try:
            sizes = [each + 1] * larger + [each] * (sections - larger)
        except OverflowError:
            raise OverflowError(f"{name}: {sections} sections are more than a list holds") from None
        ends = list(accumulate(sizes))
        starts = [0, *ends[:-1]]
    tensor = x._tensor
    if type(tensor) is Tensor:
        parts = []
        for start, end in zip(starts, ends, strict=True):
            part = range(size)[start:end]
            parts.append(view_of(x, tensor.narrow(dim, part.start, len(part))))
        return parts
    around = [slice(None)] * x.ndim
    return [
        views.select(x, [*around[:dim], slice(start, end), *around[dim + 1 :]])
        for start, end in zip(starts, ends, strict=True)
    ]


def hsplit(ary: ArrayLike, indices_or_sections: ArrayLike) -> list[ndarray]:
    """``split`` along the second axis, or along the only axis of a 1-D array.

    Parameters
    ----------
    ary : array_like
        At least one axis.
    indices_or_sections : int or sequence of int
        The number of equal parts, or the first index of each part after the first.

    Returns
    -------
    list of ndarray
        Views: writing to one writes to ``ary``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.hsplit([[1, 2], [3, 4]], 2)[1]
    array([[2],
           [4]])
    """
    x = _with_axes("hsplit", ary, 1)
    return _split("hsplit", x, indices_or_sections, 1 if x.ndim > 1 else 0, equal=True)


def vsplit(ary: ArrayLike, indices_or_sections: ArrayLike) -> list[ndarray]:
    """``split`` along the first axis of an array with two or more axes.

    Parameters
    ----------
    ary : array_like
        At least two axes.
    indices_or_sections : int or sequence of int
        The number of equal parts, or the first index of each part after the first.

    Returns
    -------
    list of ndarray
        Views: writing to one writes to ``ary``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.vsplit([[1, 2], [3, 4]], 2)[1]
    array([[3, 4]])
    """
    return _split("vsplit", _with_axes("vsplit", ary, 2), indices_or_sections, 0, equal=True)


def dsplit(ary: ArrayLike, indices_or_sections: ArrayLike) -> list[ndarray]:
    """``split`` along the third axis.

    Parameters
    ----------
    ary : array_like
        At least three axes.
    indices_or_sections : int or sequence of int
        The number of equal parts, or the first index of each part after the first.

    Returns
    -------
    list of ndarray
        Views: writing to one writes to ``ary``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.dsplit([[[1, 2]]], 2)[1]
    array([[[2]]])
    """
    return _split("dsplit", _with_axes("dsplit", ary, 3), indices_or_sections, 2, equal=True)


def _with_axes(name: str, ary: Any, least: int) -> ndarray:
    x = as_array(name, ary, "ary")
    if x.ndim < least:
        raise ValueError(f"{name} only works on arrays of {least} or more dimensions")
    return x


def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[ndarray, ...]:
    """The parts of an array along one axis: views, or scalars of an array with one axis.

    Parameters
    ----------
    x : array_like
        At least one axis.
    axis : int
        The axis to split; it is not in the results.

    Returns
    -------
    tuple of ndarray or scalar
        As many as the axis is long.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unstack([[1, 2], [3, 4]], axis=1)
    (array([1, 3]), array([2, 4]))
    """
    a = as_array("unstack", x, "x")
    if a.ndim == 0:
        raise ValueError("unstack: input array must be at least 1-d")
    dim = normalize_axis("unstack", axis, a.ndim)
    if a.ndim == 1:
        return tuple([wrap(t) for t in torch.unbind(a._tensor.clone())])
    if type(a._tensor) is Tensor:
        return tuple([view_of(a, t) for t in a._tensor.unbind(dim)])
    around: list[Any] = [slice(None)] * a.ndim
    return tuple(
        [
            views.select(a, [*around[:dim], i, *around[dim + 1 :]])
            for i in range(a._tensor.shape[dim])
        ]
    )
