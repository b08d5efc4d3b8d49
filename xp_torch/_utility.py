"""The chapter *Utility functions*."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from ._array import Array
from ._core.axes import integer, normalize_axis, plain_axes
from ._core.dtypes import ALL, NUMERIC, REAL_NUMERIC, UNSIGNED, WIDE_UNSIGNED, promote
from ._core.errors import REFUSALS, translate
from ._core.scalars import truth
from ._dispatch import check_category, check_devices, fill, tensor_of, wrap
from ._kernels import reductions as kernels
from ._kernels.blocks import LARGE
from ._reduce import Reduction, read

__all__ = ["all", "any", "diff"]

# For the unsigned dtypes torch's all and any return uint8, or are missing.
_TRUTH = ALL.dtypes - UNSIGNED.dtypes
_NATIVE = REAL_NUMERIC.dtypes - WIDE_UNSIGNED


def _test(
    name: str,
    torchs: Callable[..., Tensor],
    kernel: Callable[..., Tensor],
    **words: str,
) -> Reduction:
    """The function that tests all elements, or any."""

    def function(
        x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
    ) -> Array:
        """Whether {which} element along the axes is true.

        Parameters
        ----------
        x : Array
            Any dtype, any shape. Whatever is not zero is true, NaN included.
        axis : int, tuple of ints or None
            The axis or axes to reduce: all by default, none for an empty tuple.
        keepdims : bool
            Whether the reduced axes stay, with size one.

        Returns
        -------
        Array
            Boolean; {empty} where there are no elements.

        Raises
        ------
        TypeError
            For anything but an ``xp_torch`` array, or an axis that is not an integer.
        AxisError
            For an axis that ``x`` does not have, or one given twice.

        Notes
        -----
        Source: the array API standard, ``{name}``.

        Examples
        --------
        >>> import xp_torch as xp
        {example}
        """
        if type(x) is Array and type(keepdims) is bool:
            t = x._tensor
            if t.dtype in _TRUTH and (is_dynamo_compiling() or t.numel() < LARGE):
                if axis is None and not keepdims:
                    out = Array()
                    out._tensor = torchs(t)
                    return out
                if (
                    -t.ndim <= axis < t.ndim
                    if type(axis) is int
                    else type(axis) is tuple and plain_axes(axis, t.ndim)
                ):
                    out = Array()
                    out._tensor = torchs(t, axis, keepdims)
                    return out
        t, axes = read(name, x, axis, ALL)
        return wrap(kernel(t, axes, truth(name, "keepdims", keepdims)))

    return fill(function, name, **words)


all = _test(
    "all",
    torch.all,
    kernels.all,
    which="every",
    empty="true",
    example=""">>> xp.all(xp.asarray([[True, True], [True, False]]), axis=1)
Array([ True, False], dtype=bool)""",
)
any = _test(
    "any",
    torch.any,
    kernels.any,
    which="some",
    empty="false",
    example=""">>> xp.any(xp.asarray([[True, True], [False, False]]), axis=1)
Array([ True, False], dtype=bool)""",
)


def diff(
    x: Array,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Array | None = None,
    append: Array | None = None,
) -> Array:
    """The n-th difference of neighbouring elements along an axis.

    Parameters
    ----------
    x : Array
        Numeric dtype, at least one dimension.
    axis : int
        The axis along which neighbours are subtracted, the last by default.
    n : int
        The number of differences, not negative.
    prepend, append : Array or None
        Arrays to join before and after ``x`` along the axis first. The shape of ``x`` but for
        the axis, or 0-D; numeric, of a dtype that promotes with that of ``x``.

    Returns
    -------
    Array
        The promoted dtype; along the axis, ``n`` elements fewer than ``prepend``, ``x`` and
        ``append`` have together, or none.

    Raises
    ------
    TypeError
        For any other dtype, dtypes that do not promote to a common one, or an argument of
        another type.
    AxisError
        For an axis that ``x`` does not have.
    ValueError
        For a negative ``n``, a shape that does not fit ``x``, or arrays on two devices.

    Notes
    -----
    Integers wrap around.

    Source: the array API standard, ``diff``.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.diff(xp.asarray([1, 4, 9]), prepend=xp.asarray([0]))
    Array([1, 3, 5], dtype=int64)
    """
    if (
        type(x) is Array
        and prepend is None
        and append is None
        and type(n) is int
        and 1 <= n < 2**63
    ):
        t = x._tensor
        if t.dtype in _NATIVE and type(axis) is int and -t.ndim <= axis < t.ndim:
            try:
                out = Array()
                out._tensor = torch.diff(t, n, axis)
                return out
            except REFUSALS:
                pass  # n has more than 64 bits
    t = tensor_of("diff", "x", x)
    check_category("diff", "x", t.dtype, NUMERIC)
    times = integer("diff", "n", n)
    if times < 0:
        raise ValueError(f"diff: n must not be negative, and it is {times}")
    dim = normalize_axis("diff", axis, t.ndim)
    if prepend is not None or append is not None:
        t = _joined(t, dim, prepend, append)
    try:
        return wrap(kernels.diff(t, dim, min(times, t.shape[dim])))
    except RuntimeError as error:
        translate("diff", error)


def _joined(t: Tensor, dim: int, prepend: Array | None, append: Array | None) -> Tensor:
    """``prepend``, ``x`` and ``append`` as one tensor of their common dtype."""
    dtype = t.dtype
    parts = [t]
    for argument, array in (("prepend", prepend), ("append", append)):
        if array is None:
            continue
        part = tensor_of("diff", argument, array)
        check_category("diff", argument, part.dtype, NUMERIC)
        check_devices("diff", t, part)
        dtype = promote("diff", dtype, part.dtype)
        shape = list(t.shape)
        if part.ndim == 0:
            shape[dim] = 1
            part = part.expand(shape)
        elif part.ndim != t.ndim or shape[:dim] + shape[dim + 1 :] != [
            size for i, size in enumerate(part.shape) if i != dim
        ]:
            raise ValueError(
                f"diff: {argument} of shape {tuple(part.shape)} does not fit x of shape "
                f"{tuple(t.shape)}; they may differ in axis {dim} only"
            )
        parts = [part, *parts] if argument == "prepend" else [*parts, part]
    return torch.cat([p if p.dtype is dtype else p.to(dtype) for p in parts], dim)
