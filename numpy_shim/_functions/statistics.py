"""Averages, variances and correlations."""

from __future__ import annotations

from typing import Any, overload

import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._kernels.reductions import count
from xp_torch._torch.internals import is_certain

from .._array.ndarray import array_of, ndarray, wrap
from .._array.typing import OutArray
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import normalize_axes
from .._base.docs import documented
from .._base.dtypes import FLOATS, HALVES, INTEGERS, promote, torch_dtype
from .._base.fast_tables import fast_table
from .._base.tracing import _NoValue, warn
from .._base.typing import AxisLike, DTypeLike, No, Yes
from .._convert.arguments import ArrayLike, as_tensor, finish, operands
from .._convert.outputs import output_of
from .._kernels import statistics as kernels
from .._kernels.casting import cast
from .._kernels.reductions import divided, reduced_shape
from .._kernels.reductions import mean as mean_of
from .._kernels.value_checks import holds_somewhere
from .._ufunc.folds import keeps, reduction_axes, where_mask
from .reductions import flat_reduction

__all__ = ["average", "corrcoef", "cov", "mean"]

FLOATING = fast_table({
    dtype: dtype for dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128)
})  # fmt: skip
"""The dtypes for which torch's means and variances agree with NumPy's."""

_MANY = 1 << 16  # integers whose doubles are not made all at once


def _mean_of_integers(t: Tensor, *along: Any) -> Tensor:
    if is_compiling() or t.numel() > _MANY:
        raise ValueError
    return torch.mean(t, *along, dtype=torch.float64)


_flat_mean = flat_reduction(
    fast_table(
        [
            *((dtype, (torch.mean, dtype)) for dtype in FLOATING),
            *((dtype, (_mean_of_integers, torch.float64)) for dtype in (torch.bool, *INTEGERS)),
        ]
    )
)


def mean(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    keepdims: bool = _NoValue,
    *,
    where: ArrayLike = _NoValue,
) -> ndarray:
    if type(a) is ndarray and dtype is out is None and (where is _NoValue or where is True):
        t = a._tensor
        if (t.dim() or axis is None) and (
            not is_certain(t.numel() == 0) if is_dynamo_compiling() else t.numel()
        ):
            result = _flat_mean(a, axis, keepdims)
            if result is not None:
                return result
    return _general_mean(a, axis, dtype, out, keepdims, where)


def _general_mean(
    a: ArrayLike, axis: AxisLike, dtype: DTypeLike, out: OutArray, keepdims: bool, where: ArrayLike
) -> ndarray:
    return general_mean("mean", a, axis, dtype, out, keepdims, where)


def general_mean(
    name: str, a: ArrayLike, axis: Any, dtype: Any, out: Any, keepdims: Any, where: Any
) -> ndarray:
    """``mean`` with any options, of any array-like."""
    x = as_tensor(name, a, "a")
    axes = reduction_axes(name, axis, x.dim(), strict=True)
    keep = keeps(name, keepdims)
    mask = where_mask(name, where, x)
    size = kernels.counted(x, axes, keep, mask)
    if holds_somewhere(size == 0) if isinstance(size, Tensor) else is_certain(size == 0):
        warn("Mean of empty slice", RuntimeWarning)
    into = computed_dtype(name, x, dtype, halves=torch.float32)
    final = x.dtype if dtype is None and x.dtype in HALVES else into
    if out is not None:
        into, final = through(name, out, x, into, dtype)
    looks = errstate.active
    if mask is None and final is into and not looks:
        result = mean_of(x, axes, keep, into)
    else:
        added = kernels.total(x, axes, keep, into, mask)
        if looks:
            look_at_mean(x, added, size, axes, keep, mask)
        if out is None:
            result = cast(divided(added, size), final)
        else:
            result = divided(cast(added, final), size)
    return finish(name, result, out, "unsafe")


def look_at_mean(
    x: Tensor,
    added: Tensor,
    size: Tensor | int,
    axes: tuple[int, ...],
    keep: bool,
    mask: Tensor | None,
) -> None:
    """Check the steps of NumPy's mean for errors: a sum, and a division by the size."""
    taking_part = x if mask is None else torch.where(mask, x, torch.zeros_like(x))
    error_checks.check_sum(taking_part, added, error_checks.over(axes, keep))
    divisor = torch.as_tensor(size, device=added.device)
    operation = "divide" if added.dim() else f"{error_checks.SCALAR}divide"
    error_checks.check("divide", [added, divisor], (divided(added, divisor),), operation=operation)


def computed_dtype(
    name: str, x: Tensor, dtype: object, halves: torch.dtype | None = None
) -> torch.dtype:
    """The dtype in which sums are computed."""
    if dtype is not None:
        return torch_dtype(name, dtype)
    if x.dtype in HALVES:
        return halves or x.dtype
    return x.dtype if x.dtype in FLOATS or x.dtype.is_complex else torch.float64


def through(
    name: str, out: object, x: Tensor, into: torch.dtype, dtype: object
) -> tuple[torch.dtype, torch.dtype]:
    """With ``out``: NumPy sums in the dtype that both promote to, then divides in place."""
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
    final = output_of(name, out)._tensor.dtype
    if dtype is None and into is x.dtype:
        into = promote(name, x.dtype, final)
    return into, final


mean.__doc__ = documented(
    "The arithmetic mean over axes; 16-bit floats are summed in float32.",
    ">>> import numpy_shim as np\n>>> np.mean(np.array([[1, 2], [3, 5]]), 1)\narray([1.5, 4. ])",
    "float64 for integers and booleans, else in the dtype of ``a``; NaN for no elements\n"
    "        (with a ``RuntimeWarning``).",
    dtype=True,
).replace("small integers and\n        booleans as int64 or uint64", "float64 for integers")


@overload
def average(
    a: ArrayLike,
    axis: AxisLike = ...,
    weights: ArrayLike | None = ...,
    returned: No = ...,
    *,
    keepdims: bool = ...,
) -> ndarray: ...
@overload
def average(
    a: ArrayLike,
    axis: AxisLike = ...,
    weights: ArrayLike | None = ...,
    *,
    returned: Yes,
    keepdims: bool = ...,
) -> tuple[ndarray, ndarray]: ...
@overload
def average(
    a: ArrayLike, axis: AxisLike, weights: ArrayLike | None, returned: Yes, *, keepdims: bool = ...
) -> tuple[ndarray, ndarray]: ...
@overload
def average(
    a: ArrayLike,
    axis: AxisLike = ...,
    weights: ArrayLike | None = ...,
    returned: bool = ...,
    *,
    keepdims: bool = ...,
) -> ndarray | tuple[ndarray, ndarray]: ...
def average(
    a: ArrayLike,
    axis: AxisLike = None,
    weights: ArrayLike | None = None,
    returned: bool = False,
    *,
    keepdims: bool = _NoValue,
) -> ndarray | tuple[ndarray, ndarray]:
    """The weighted average over axes.

    Parameters
    ----------
    a : array_like
        The elements.
    axis : int, tuple of ints or None
        The axes to average over; ``None`` is all of them.
    weights : array_like, optional
        One weight per element, or per index of ``axis``.
    returned : bool
        Return ``(average, sum of weights)``.
    keepdims : bool
        Leave the axes in the result, with size one.

    Returns
    -------
    ndarray or scalar, or a tuple of two

    Raises
    ------
    ZeroDivisionError
        If the weights sum to zero; checked on the CPU only, because reading values would wait
        for a device.
    TypeError, ValueError
        For weights of another shape without ``axis``, or weights that do not match ``axis``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.average(np.array([1.0, 2.0, 4.0]), weights=np.array([2, 1, 1]))
    np.float64(2.0)
    """
    if weights is None:
        x = as_tensor("average", a, "a")
        axes = normalize_axes("average", axis, x.dim())
        averaged = general_mean("average", x, axes, None, None, keepdims, _NoValue)
        if not returned:
            return averaged
        size = torch.full_like(as_tensor("average", averaged), count(x, axes))
        return averaged, wrap(size)
    x, w = operands("average", a, weights, arguments=("a", "weights"))
    axes = normalize_axes("average", axis, x.dim())
    w = fitted_weights("average", x, w, None if axis is None else axes)
    dtype = promote("average", x.dtype, w.dtype)
    if x.dtype not in FLOATS and not x.dtype.is_complex:
        dtype = promote("average", dtype, torch.float64)
    result, divisor = kernels.weighted(x, w, axes, keeps("average", keepdims), dtype)
    if holds_somewhere(divisor == 0):
        raise ZeroDivisionError("average: Weights sum to zero, can't be normalized")
    return (wrap(result), wrap(divisor)) if returned else wrap(result)


def fitted_weights(name: str, x: Tensor, w: Tensor, axes: tuple[int, ...] | None) -> Tensor:
    """Reshape the weights to broadcast to ``x``; they have its shape or that of ``axes``."""
    if w.shape == x.shape:
        return w
    if axes is None:
        raise TypeError(f"{name}: Axis must be specified when shapes of a and weights differ.")
    if tuple(w.shape) != tuple([x.shape[a] for a in axes]):
        raise ValueError(
            f"{name}: Shape of weights must be consistent with shape of a along specified axis; "
            f"got {tuple(w.shape)} for {tuple(x.shape)} along {axes}"
        )
    order = sorted(range(len(axes)), key=axes.__getitem__)
    return w.permute(order).reshape(reduced_shape_of(x, axes))


def reduced_shape_of(x: Tensor, axes: tuple[int, ...]) -> list[int]:
    """The shape of ``x`` with all axes but ``axes`` of size one."""
    return reduced_shape(x, tuple([a for a in range(x.dim()) if a not in axes]), True)


def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    *,
    dtype: DTypeLike = None,
) -> ndarray:
    """The covariance matrix.

    Parameters
    ----------
    m : array_like
        One variable per row, one observation per column; 1-D is one variable.
    y : array_like, optional
        More variables, in the same form.
    rowvar : bool
        Whether the variables are rows; otherwise columns.
    bias : bool
        Divide by the number of observations instead of that number less one.
    ddof : int, optional
        The number to subtract from the number of observations; it overrides ``bias``.
    fweights : array_like of ints, optional
        The number of times each observation counts.
    aweights : array_like, optional
        The weight of each observation.
    dtype : dtype, optional
        The dtype to compute in; by default float64 or complex128.

    Returns
    -------
    ndarray
        Square, or 0-D for one variable.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.cov(np.array([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    return array_of(_covariance("cov", m, y, rowvar, bias, ddof, fweights, aweights, dtype))


def _covariance(
    name: str, m: Any, y: Any, rowvar: bool, bias: bool, ddof: Any, fweights: Any, aweights: Any,
    dtype: Any,
) -> Tensor:  # fmt: skip
    if ddof is not None:
        if ddof != int(ddof):
            raise ValueError(f"{name}: ddof must be an integer, not {ddof}")
        ddof = int(ddof)
    given = [m] if y is None else [m, y]
    tensors = operands(name, *given, arguments=("m", "y"))
    for tensor, argument in zip(tensors, "my", strict=False):
        if tensor.dim() > 2:
            raise ValueError(f"{name}: {argument} has more than 2 dimensions")
    into = torch.float64
    if dtype is not None:
        into = torch_dtype(name, dtype)
    else:
        for tensor in tensors:
            into = promote(name, into, tensor.dtype)
    rows = _rows(tensors[0], into, not rowvar and tensors[0].dim() != 1)
    if rows.shape[0] == 0:
        return rows.new_empty((0, 0), dtype=torch.float64)
    if len(tensors) > 1:
        more = _rows(tensors[1], into, False)
        if not rowvar and more.shape[0] != 1:
            more = more.mT
        if more.shape[1] != rows.shape[1]:
            raise ValueError(
                f"{name}: m has {rows.shape[1]} observations per variable, y has {more.shape[1]}"
            )
        rows = torch.cat([rows, more])
    if ddof is None:
        ddof = 0 if bias else 1
    frequencies = _weights(name, fweights, "fweights", rows)
    if frequencies is not None and holds_somewhere(frequencies != torch.round(frequencies)):
        raise TypeError(f"{name}: fweights must be integer")
    reliabilities = _weights(name, aweights, "aweights", rows)
    for w, argument in ((frequencies, "fweights"), (reliabilities, "aweights")):
        if w is not None and holds_somewhere(w < 0):
            raise ValueError(f"{name}: {argument} cannot be negative")
    if frequencies is None or reliabilities is None:
        weights = reliabilities if frequencies is None else frequencies
    else:
        weights = frequencies * reliabilities
    if weights is None and rows.shape[1] <= ddof:
        warn("Degrees of freedom <= 0 for slice", RuntimeWarning)
    if weights is not None and holds_somewhere(torch.sum(weights) == 0):
        raise ZeroDivisionError(f"{name}: weights sum to zero, can't be normalized")
    result = kernels.covariance(rows, weights, reliabilities, ddof)
    if errstate.active:
        error_checks.check_product("dot", torch.matmul, rows, rows.mT, result)
    return result.squeeze()


def _rows(x: Tensor, dtype: torch.dtype, transposed: bool) -> Tensor:
    """The variables as rows of a 2-D tensor, in the dtype to compute in."""
    x = cast(x, dtype)
    x = x.reshape((1, -1)) if x.dim() < 2 else x
    return x.mT if transposed else x


def _weights(name: str, given: Any, argument: str, rows: Tensor) -> Tensor | None:
    if given is None:
        return None
    w = cast(as_tensor(name, given, argument, rows.device), torch.float64)
    if w.dim() > 1:
        raise RuntimeError(f"{name}: cannot handle multidimensional {argument}")
    if not w.dim() or w.shape[0] != rows.shape[1]:
        raise RuntimeError(
            f"{name}: incompatible numbers of samples {rows.shape[1]} and {argument} "
            f"{tuple(w.shape)}"
        )
    return w


def corrcoef(
    x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, *, dtype: DTypeLike = None
) -> ndarray:
    """Pearson's correlation coefficients.

    Parameters
    ----------
    x : array_like
        One variable per row, one observation per column; 1-D is one variable.
    y : array_like, optional
        More variables, in the same form.
    rowvar : bool
        Whether the variables are rows; otherwise columns.
    dtype : dtype, optional
        The dtype to compute in; by default float64 or complex128.

    Returns
    -------
    ndarray or scalar
        The matrix of coefficients, from -1 to 1; NaN for a constant variable.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.corrcoef(np.array([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    c = _covariance("corrcoef", x, y, rowvar, False, None, None, None, dtype)
    result = kernels.normalized(c) if c.dim() else c / c
    if errstate.active:
        deviations = torch.sqrt(torch.diagonal(c).real) if c.dim() else c
        divisor = torch.outer(deviations, deviations) if c.dim() else c
        error_checks.check("divide", [c, divisor], (result,))
    return wrap(result)
