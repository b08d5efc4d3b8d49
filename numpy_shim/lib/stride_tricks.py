"""``numpy.lib.stride_tricks``: views of memory with other shapes and strides."""

from __future__ import annotations

from collections.abc import Sequence

from xp_torch._core.axes import integer

from .._array import views
from .._array.ndarray import ndarray
from .._base.axes import normalize_axis, normalize_shape
from .._base.typing import ArrayLike, AxesLike, ShapeLike
from .._convert.arguments import as_array

__all__ = ["as_strided", "sliding_window_view"]


def as_strided(
    x: ArrayLike,
    shape: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
    subok: bool = False,
    writeable: bool = True,
    *,
    check_bounds: bool | None = None,
) -> ndarray:
    """A view with the given shape and strides.

    Parameters
    ----------
    x : ndarray
        The array whose memory is viewed.
    shape : sequence of int, optional
        By default that of ``x``.
    strides : sequence of int, optional
        In bytes, multiples of the item size; by default those of ``x``.
    subok : bool
        Accepted; there are no subclasses.
    writeable : bool
        Whether the view may be written to.
    check_bounds : bool, optional
        Accepted; bounds are always checked.

    Returns
    -------
    ndarray
        The view; writing to it writes to ``x``.

    Raises
    ------
    ValueError
        For a view beyond the memory of ``x`` (NumPy may read out of bounds), or strides that are
        not multiples of the item size.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.lib.stride_tricks.as_strided(np.arange(4), (3, 2), (8, 8))
    array([[0, 1],
           [1, 2],
           [2, 3]])
    """
    a = as_array("as_strided", x, "x")
    tensor = views.forward_of(a)[0]
    sizes = tuple(a.shape) if shape is None else normalize_shape("as_strided", shape)
    steps = tuple(a.strides) if strides is None else tuple(int(s) for s in strides)
    if len(sizes) != len(steps):
        raise ValueError(f"as_strided: shape {sizes} and strides {steps} differ in length")
    steps = tuple([s if n > 1 else 0 for s, n in zip(steps, sizes, strict=True)])  # 0 for any
    if any(s % tensor.itemsize for s in steps):
        raise ValueError(
            f"as_strided: strides {steps} are not multiples of {tensor.itemsize} bytes"
        )
    element_strides = tuple(s // tensor.itemsize for s in steps)
    try:
        view = views.strided(a, sizes, element_strides, 0)
    except RuntimeError:
        raise ValueError(
            f"as_strided: shape {sizes} and strides {steps} leave the memory of x"
        ) from None
    return view if writeable else views.read_only(view)


def sliding_window_view(
    x: ArrayLike,
    window_shape: ShapeLike,
    axis: AxesLike | None = None,
    *,
    subok: bool = False,
    writeable: bool = False,
) -> ndarray:
    """A view of all windows of a shape, one for each position in the array.

    Parameters
    ----------
    x : array_like
        The array.
    window_shape : int or tuple of int
        The size of the window along each axis.
    axis : int or tuple of int, optional
        The axes of the window; by default all of them.
    subok : bool
        Accepted; there are no subclasses.
    writeable : bool
        Whether the view may be written to.

    Returns
    -------
    ndarray
        The sizes of ``x`` minus those of the window plus 1, followed by the axes of the window.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.lib.stride_tricks.sliding_window_view(np.arange(4), 3)
    array([[0, 1, 2],
           [1, 2, 3]])
    """
    name = "sliding_window_view"
    several = hasattr(window_shape, "__iter__") and getattr(window_shape, "ndim", 1) > 0
    sizes = (
        tuple(integer(name, "window_shape", s) for s in window_shape)  # type: ignore[union-attr]
        if several
        else (integer(name, "window_shape", window_shape),)
    )
    if any(size < 0 for size in sizes):
        raise ValueError(f"{name}: `window_shape` cannot contain negative values")
    a = as_array(name, x, "x")
    if axis is None:
        axes = tuple(range(a.ndim))
        if len(sizes) != len(axes):
            raise ValueError(
                f"{name}: Since axis is None, must provide window_shape for all dimensions of `x`; "
                f"got {len(sizes)} window_shape elements and `x.ndim` is {a.ndim}."
            )
    else:
        given = axis if isinstance(axis, (tuple, list)) else (axis,)
        axes = tuple(normalize_axis(name, i, a.ndim) for i in given)
        if len(sizes) != len(axes):
            raise ValueError(
                f"{name}: Must provide matching length window_shape and axis; got {len(sizes)} "
                f"window_shape elements and {len(axes)} axes elements."
            )
    forward, flips = views.forward_of(a)
    backwards = list(flips)
    for dim, size in zip(axes, sizes, strict=True):
        if forward.shape[dim] < size:
            raise ValueError(f"{name}: window shape cannot be larger than input array shape")
        if dim in flips:  # a window has the direction of its axis
            backwards.append(forward.dim())
        forward = forward.unfold(dim, size, 1)
    view = views.make(a, forward, backwards)
    return view if writeable else views.read_only(view)
