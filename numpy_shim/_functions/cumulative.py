"""Running sums and products, and differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, SupportsIndex

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core.axes import integer
from xp_torch._core.docs import documented_like
from xp_torch._kernels import indexing
from xp_torch._kernels import reductions as kernels
from xp_torch._kernels.blocks import is_large

from .._array.layout import like
from .._array.ndarray import ndarray, new
from .._array.typing import OutArray
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import normalize_axis
from .._base.docs import named
from .._base.dtypes import HALVES, NUMPY, promote, torch_dtype
from .._base.fast_tables import fast_table
from .._base.tracing import _NoValue
from .._base.typing import DTypeLike
from .._convert.arguments import ArrayLike, array_of, as_tensor, check_out, finish, operands
from .._convert.outputs import output_of
from .._host.hand_over import hands_over
from .._kernels import folds
from .._kernels.casting import cast
from .reductions import WIDE

__all__ = ["cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "diff"]

Accumulator = Callable[[Tensor, int, torch.dtype, bool], Tensor]

# torch's functions give NumPy's dtype for all of these.
_WITHOUT = HALVES | {torch.uint8, torch.uint16, torch.uint32, torch.uint64}
_NATIVE = fast_table({dtype: dtype for dtype in NUMPY if dtype not in _WITHOUT})

_DOC = """The running {what} along an axis.

    Parameters
    ----------
    a : array_like
        The elements.
    axis : int or None
        The axis; ``None`` flattens the array.
    dtype : dtype, optional
        The dtype to compute in; by default that of ``a``, and int64 or uint64 for small
        integers and booleans.
    out : ndarray, optional
        Where the result is written, with any cast; it is returned.

    Returns
    -------
    ndarray
        In the shape of ``a``; 1-D if ``axis`` is ``None``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.{name}(np.array([[1, 2], [3, 4]]), axis=1)
    {example}
    """


def accumulate(
    name: str, accumulator: Accumulator, x: Tensor, axis: object, dtype: object, out: object
) -> ndarray:
    """Running sums or products in any dtype, with any ``out``."""
    if axis is None:
        x, along = x.reshape(-1), 0
    else:
        if not x.dim():
            x = x.reshape(1)
        along = normalize_axis(name, axis, x.dim())
    return _finished(name, _accumulated(name, accumulator, x, along, dtype, out, False), out)


def _accumulated(
    name: str,
    accumulator: Accumulator,
    x: Tensor,
    axis: int,
    dtype: object,
    out: object,
    include_initial: bool,
) -> Tensor:
    if dtype is not None:
        into = torch_dtype(name, dtype)
    elif out is not None:
        into = promote(name, x.dtype, output_of(name, out)._tensor.dtype)
    else:
        into = WIDE[x.dtype]
    if x.dtype.is_complex:
        x = cast(x, into)
    if into in HALVES:
        result = _running_halves(accumulator, cast(x, into), axis, include_initial)
    else:
        result = accumulator(x, axis, into, include_initial)
    if errstate.active:
        ufunc = "multiply" if accumulator is kernels.cumulative_prod else "add"
        seen = result.narrow(axis, 1, x.shape[axis]) if include_initial else result
        met = error_checks.find_fold(ufunc, x, seen, error_checks.along(axis))
        errstate.report(met, "accumulate")
    return result if x.is_contiguous() else like(result, x)


def _running_halves(
    accumulator: Accumulator, x: Tensor, axis: int, include_initial: bool
) -> Tensor:
    is_sum = accumulator is kernels.cumulative_sum
    if include_initial:
        first = list(x.shape)
        first[axis] = 1
        x = torch.cat([x.new_full(first, 0 if is_sum else 1), x], axis)
    return folds.running_halves(torch.add if is_sum else torch.mul, x, axis)


def _finished(name: str, result: Tensor, out: object) -> ndarray:
    if out is None:
        return array_of(result)
    check_out(name, out, result.shape)
    return finish(name, result, out, "unsafe")


def _is_apart(a: ndarray, out: ndarray, axis: object) -> bool:
    """Whether torch writes a running sum straight into ``out``: of a row, without a cast."""
    t, target = a._tensor, out._tensor
    return (
        type(t) is Tensor is type(target)
        and t.dtype in _NATIVE
        and t.dtype is target.dtype is WIDE[t.dtype]
        and t.dim() == 1
        and (axis is None or axis in (0, -1))
        and t.shape == target.shape
        and t.is_contiguous()
        and target.is_contiguous()
        and not (t.requires_grad or target.requires_grad)
        and not indexing.shares_memory(t, target)
    )


def _running(
    name: str, function: Callable[..., Tensor], accumulator: Accumulator, doc: str
) -> Callable[..., ndarray]:
    def of_any(a: Any, axis: Any, dtype: Any, out: Any) -> ndarray:
        return accumulate(name, accumulator, as_tensor(name, a, "a"), axis, dtype, out)

    general = hands_over(of_any, name)

    def running(
        a: ArrayLike,
        axis: SupportsIndex | None = None,
        dtype: DTypeLike = None,
        out: OutArray = None,
    ) -> ndarray:
        if type(a) is ndarray and dtype is None and out is None:
            t = a._tensor
            if t.dtype in _NATIVE:
                try:
                    if axis is None:
                        result = function(t if t.dim() == 1 else t.reshape(-1), 0)
                    elif type(axis) is int and t.dim():
                        result = function(t, axis)
                    else:
                        return accumulate(name, accumulator, t, axis, dtype, out)
                    array = new(ndarray)
                    array._tensor = result if t.is_contiguous() or axis is None else like(result, t)
                    array._flat_dtype = result.dtype
                    return array
                except (IndexError, ValueError):
                    pass
        elif (
            type(a) is ndarray is type(out)
            and dtype is None
            and is_large(a._tensor)
            and _is_apart(a, out, axis)
        ):
            function(a._tensor, 0 if axis is None else axis, out=out._tensor)
            return out
        return general(a, axis, dtype, out)

    return named(running, name, doc)


cumsum = _running(
    "cumsum",
    torch.cumsum,
    kernels.cumulative_sum,
    _DOC.format(what="sum", name="cumsum", example="array([[1, 3],\n           [3, 7]])"),
)
cumprod = _running(
    "cumprod",
    torch.cumprod,
    kernels.cumulative_prod,
    _DOC.format(what="product", name="cumprod", example="array([[ 1,  2],\n           [ 3, 12]])"),
)


def cumulative_sum(
    x: ArrayLike,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    include_initial: bool = False,
) -> ndarray:
    """The running sum along an axis, as the array API standard defines it.

    Parameters
    ----------
    x : array_like
        The elements.
    axis : int, optional
        The axis to sum along; required for more than one axis.
    dtype : dtype, optional
        The dtype to compute in; by default as ``cumsum``.
    out : ndarray, optional
        Where the result is written; it is returned.
    include_initial : bool
        Begin with a zero.

    Returns
    -------
    ndarray
        In the shape of ``x``, one longer along the axis with ``include_initial``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.cumulative_sum(np.array([1, 2, 3]), include_initial=True)
    array([0, 1, 3, 6])
    """
    if type(x) is ndarray and dtype is None and out is None and not include_initial:
        t = x._tensor
        if axis is None and t.dim() == 1 and x._flat_dtype in _NATIVE:
            array = new(ndarray)
            array._tensor = torch.cumsum(t, 0)
            array._flat_dtype = array._tensor.dtype
            return array
    return _general_cumulative_sum(x, axis, dtype, out, include_initial)


def _general_cumulative_sum(
    x: ArrayLike, axis: int | None, dtype: DTypeLike, out: OutArray, include_initial: bool
) -> ndarray:
    return _cumulative(
        "cumulative_sum", kernels.cumulative_sum, x, axis, dtype, out, include_initial
    )


@documented_like(
    cumulative_sum,
    "The running product along an axis, as the array API standard defines it.",
    """
    >>> import numpy_shim as np
    >>> np.cumulative_prod(np.array([1, 2, 3]), include_initial=True)
    array([1, 1, 2, 6])
    """,
    {"cumsum": "cumprod", "a zero": "a one"},
)
def cumulative_prod(
    x: ArrayLike,
    /,
    *,
    axis: int | None = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    include_initial: bool = False,
) -> ndarray:
    return _cumulative(
        "cumulative_prod", kernels.cumulative_prod, x, axis, dtype, out, include_initial
    )


def _cumulative(
    name: str, accumulator: Accumulator, x: Any, axis: Any, dtype: Any, out: Any, initial: bool
) -> ndarray:
    t = as_tensor(name, x, "x")
    if not t.dim():
        t = t.reshape(1)
    if axis is None:
        if t.dim() > 1:
            raise ValueError(f"{name}: x has {t.dim()} axes; name one with axis")
        axis = 0
    along = normalize_axis(name, axis, t.dim())
    return _finished(name, _accumulated(name, accumulator, t, along, dtype, out, initial), out)


def diff(
    a: ArrayLike,
    n: int = 1,
    axis: int = -1,
    prepend: ArrayLike = _NoValue,
    append: ArrayLike = _NoValue,
) -> ndarray:
    """The n-th differences along an axis.

    Parameters
    ----------
    a : array_like
        The elements, of one axis or more.
    n : int
        The number of times to take differences.
    axis : int
        The axis of the differences.
    prepend, append : array_like, optional
        Values before and after the elements; a number stands for a slice filled with it.

    Returns
    -------
    ndarray
        In the dtype of ``a``, ``n`` shorter along the axis; booleans differ by ``xor``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.diff(np.array([1, 2, 4, 7]))
    array([1, 2, 3])
    """
    if type(a) is ndarray and n == 1 and prepend is _NoValue and append is _NoValue:
        t = a._tensor
        if t.dim() and t.dtype in _PLAIN and not is_dynamo_compiling():
            try:
                result = torch.diff(t, 1, axis)
            except (RuntimeError, IndexError, TypeError, ValueError):
                pass  # the general path below raises the error
            else:
                array = new(ndarray)
                array._tensor = result
                array._flat_dtype = a._flat_dtype
                return array
    return _general_diff(a, n, axis, prepend, append)


_PLAIN = fast_table({
    dtype: dtype for dtype in (torch.int32, torch.int64, torch.float32, torch.float64)
})  # fmt: skip


_MANY = 64
"""Beyond this order, ``diff`` compares the order with the size, which a trace guards on."""


def _general_diff(a: Any, n: Any, axis: Any, prepend: Any, append: Any) -> ndarray:
    times = integer("diff", "n", n)
    if times == 0:
        return a  # type: ignore[no-any-return]  # NumPy gives the argument itself
    if times < 0:
        raise ValueError(f"diff: n must be non-negative, not {times}")
    given = {"prepend": prepend, "a": a, "append": append}
    present = {k: v for k, v in given.items() if v is not _NoValue}
    tensors = dict(
        zip(present, operands("diff", *present.values(), arguments=tuple(present)), strict=True)
    )
    x = tensors["a"]
    if not x.dim():
        raise ValueError("diff: a must have at least one axis")
    along = normalize_axis("diff", axis, x.dim())
    if len(tensors) > 1:
        dtype = promote("diff", *[t.dtype for t in tensors.values()])
        parts = [cast(_slice_like(k, t, x, along), dtype) for k, t in tensors.items()]
        x = torch.cat(parts, along)
    if times > _MANY:
        times = min(times, x.shape[along])  # the rest are differences of nothing
    if x.dtype is torch.bool:
        for _ in range(times):
            x = torch.logical_xor(
                x.narrow(along, min(1, x.shape[along]), max(x.shape[along] - 1, 0)),
                x.narrow(along, 0, max(x.shape[along] - 1, 0)),
            )
        return array_of(x)
    halved = x.dtype in HALVES
    looks = errstate.active
    if not (halved or looks):
        return array_of(kernels.diff(x, along, times))
    for _ in range(times):
        step = (
            kernels.diff(x.float(), along, 1).to(x.dtype) if halved else kernels.diff(x, along, 1)
        )
        if looks:
            size = step.shape[along]
            parts = [x.narrow(along, min(i, x.shape[along]), size) for i in (1, 0)]
            error_checks.check("subtract", parts, (step,))
        x = step
    return array_of(x)


def _slice_like(argument: str, part: Tensor, x: Tensor, axis: int) -> Tensor:
    """The values to join to ``x``: a number becomes a slice, an array stays as it is."""
    if part.dim() == 0:
        shape = list(x.shape)
        shape[axis] = 1
        return part.expand(shape)
    if part.dim() != x.dim() or any(
        part.shape[i] != x.shape[i] for i in range(x.dim()) if i != axis
    ):
        raise ValueError(
            f"diff: {argument} has shape {tuple(part.shape)}, which does not join "
            f"{tuple(x.shape)} along axis {axis}"
        )
    return part
