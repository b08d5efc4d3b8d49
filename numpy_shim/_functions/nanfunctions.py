"""Reductions and statistics that ignore NaN.

Arrays whose dtype cannot hold NaN go to the plain functions. NumPy's warnings about slices
that are all NaN are given on the CPU only, where reading values does not wait for a device.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._kernels import reductions as shared
from xp_torch._kernels.blocks import LARGE

from .._array.ndarray import ndarray, scalar
from .._array.typing import OutArray
from .._base import error_checks
from .._base import error_states as errstate
from .._base.docs import documented
from .._base.dtypes import COMPLEXES, FLOATS, NUMPY, promote, torch_dtype
from .._base.fast_tables import fast_table
from .._base.tracing import _NoValue, warn
from .._base.typing import AxisLike, DTypeLike
from .._convert.arguments import ArrayLike, array_of, as_tensor, finish
from .._convert.outputs import output_of
from .._kernels import reductions as kernels
from .._kernels import statistics
from .._kernels.casting import cast
from .._kernels.host_kernels import by_method
from .._kernels.value_checks import holds_somewhere
from .._ufunc.folds import Fold, fold, keeps, reduction_axes, reduction_loop, where_mask
from .cumulative import cumprod, cumsum
from .reductions import MAX, MIN, PROD, SUM, reduce
from .statistics import general_mean
from .variances import general_var, one_ddof, with_options

__all__ = [
    "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum",
    "nanvar",
]  # fmt: skip


def may_have_nan(x: Tensor) -> bool:
    return x.dtype in FLOATS or x.dtype in COMPLEXES


def _replaced(name: str, a: Any, value: float) -> ndarray:
    """The array with NaN replaced by ``value``."""
    x = as_tensor(name, a, "a")
    if not may_have_nan(x):
        return array_of(x)
    return array_of(torch.where(torch.isnan(x), x.new_full((), value), x))


_SUMMED = fast_table({dtype: dtype for dtype in (torch.float32, torch.float64)})
"""The dtypes whose few elements torch sums without NaN."""


def nansum(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    keepdims: bool = _NoValue,
    initial: ArrayLike = _NoValue,
    where: ArrayLike = _NoValue,
) -> ndarray:
    if (
        type(a) is ndarray
        and axis is dtype is out is None
        and keepdims is initial is where is _NoValue
        and a._flat_dtype in _SUMMED
        and not is_dynamo_compiling()
        and a._tensor.numel() < LARGE
    ):
        return scalar(torch.nansum(a._tensor), a._flat_dtype)
    rule = SUM._replace(name="nansum")
    return reduce(rule, _replaced("nansum", a, 0.0), axis, dtype, out, keepdims, initial, where)


def nanprod(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    keepdims: bool = _NoValue,
    initial: ArrayLike = _NoValue,
    where: ArrayLike = _NoValue,
) -> ndarray:
    rule = PROD._replace(name="nanprod")
    return reduce(rule, _replaced("nanprod", a, 1.0), axis, dtype, out, keepdims, initial, where)


def nanmax(
    a: ArrayLike,
    axis: AxisLike = None,
    out: OutArray = None,
    keepdims: bool = _NoValue,
    initial: ArrayLike = _NoValue,
    where: ArrayLike = _NoValue,
) -> ndarray:
    return _extremum(
        MAX._replace(name="nanmax", operation="fmax"), a, axis, out, keepdims, initial, where,
        float("-inf"),
    )  # fmt: skip


def nanmin(
    a: ArrayLike,
    axis: AxisLike = None,
    out: OutArray = None,
    keepdims: bool = _NoValue,
    initial: ArrayLike = _NoValue,
    where: ArrayLike = _NoValue,
) -> ndarray:
    return _extremum(
        MIN._replace(name="nanmin", operation="fmin"), a, axis, out, keepdims, initial, where,
        float("inf"),
    )  # fmt: skip


def _extremum(
    rule: Fold, a: Any, axis: Any, out: Any, keepdims: Any, initial: Any, where: Any, never: float
) -> ndarray:
    name = rule.name
    x = as_tensor(name, a, "a")
    if not may_have_nan(x):
        return reduce(rule, x, axis, None, out, keepdims, initial, where)
    axes = reduction_axes(name, axis, x.dim())
    keep = keeps(name, keepdims)
    given = None if _no_array(out) else output_of(name, out)._tensor.dtype
    mask = where_mask(name, where, x)
    loop = reduction_loop(rule.spec, x.dtype, given, None)
    starts = initial is _NoValue or initial is None
    if starts and mask is None and axes and loop.outputs[0] is x.dtype and not errstate.active:
        result = by_method(rule.operation, "reduce", x, axes, keepdims=keep)
        if result is not NotImplemented:
            return _deliver(name, result, torch.isnan(result), out)
    nan = torch.isnan(x)
    # The extreme value of the dtype, for both parts of complex numbers.
    beyond = x.new_full((), complex(never, never) if x.dtype.is_complex else never)
    known = torch.where(nan, beyond, x)
    result = fold(rule, known, axes, loop, keep, initial, mask)
    if not starts:
        return finish(name, result, out, "unsafe")
    empty = shared.all(nan, axes, keep)
    result = torch.where(empty, torch.full_like(result, float("nan")), result)
    return _deliver(name, result, empty, out)


def _deliver(name: str, result: Tensor, empty: Tensor, out: object) -> ndarray:
    """An extremum, with NumPy's warning where every element is NaN, which ``empty`` says."""
    if holds_somewhere(empty):
        warn("All-NaN slice encountered", RuntimeWarning)
    return finish(name, result, out, "unsafe")


def _no_array(out: object) -> bool:
    """Whether ``out`` is missing, or in a tuple, where its dtype changes nothing."""
    return out is None or isinstance(out, tuple)


def nancumsum(
    a: ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike = None, out: OutArray = None
) -> ndarray:
    """The running sum along an axis, with NaN as zero; see ``cumsum``.

    Parameters
    ----------
    a : array_like
        The elements, of any shape.
    axis : int, optional
        The axis to sum along; by default the array is flattened.
    dtype : dtype, optional
        What to compute in; by default that of ``a``, small integers and booleans as int64 or
        uint64.
    out : ndarray, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray
        In the shape of ``a``, or 1-D if ``axis`` is ``None``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.nancumsum(np.array([1.0, np.nan, 2.0]))
    array([1., 1., 3.])
    """
    return cumsum(_replaced("nancumsum", a, 0.0), axis, dtype, out)


def nancumprod(
    a: ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike = None, out: OutArray = None
) -> ndarray:
    """The running product along an axis, with NaN as one; see ``cumprod``.

    Parameters
    ----------
    a : array_like
        The elements, of any shape.
    axis : int, optional
        The axis to multiply along; by default the array is flattened.
    dtype : dtype, optional
        What to compute in; by default that of ``a``, small integers and booleans as int64 or
        uint64.
    out : ndarray, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray
        In the shape of ``a``, or 1-D if ``axis`` is ``None``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.nancumprod(np.array([2.0, np.nan, 3.0]))
    array([2., 2., 6.])
    """
    return cumprod(_replaced("nancumprod", a, 1.0), axis, dtype, out)


def _inexact(name: str, x: Tensor, dtype: object, out: object) -> tuple[torch.dtype, torch.dtype]:
    """The dtypes of computation and result; ``TypeError`` for one that cannot hold NaN."""
    into = x.dtype if dtype is None else torch_dtype(name, dtype)
    final = into
    if not _no_array(out):
        final = output_of(name, out)._tensor.dtype
        if dtype is None:
            into = promote(name, into, final)
    for given, argument in ((into, "dtype"), (final, "out")):
        if given not in FLOATS and given not in COMPLEXES:
            raise TypeError(f"{name}: if a is inexact, then {argument} must be, not {NUMPY[given]}")
    return into, final


def nanmean(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    keepdims: bool = _NoValue,
    *,
    where: ArrayLike = _NoValue,
) -> ndarray:
    x = as_tensor("nanmean", a, "a")
    if not may_have_nan(x):
        return general_mean("nanmean", x, axis, dtype, out, keepdims, where)
    axes = reduction_axes("nanmean", axis, x.dim())
    keep = keeps("nanmean", keepdims)
    into, final = _inexact("nanmean", x, dtype, out)
    valid = _valid("nanmean", x, where)
    size = statistics.counted(x, axes, keep, valid)
    total = statistics.total(x, axes, keep, into, valid)
    if errstate.active:
        error_checks.check_sum(torch.where(valid, x, 0), total, error_checks.over(axes, keep))
    total = cast(total, final)
    result = kernels.divided(total, size)
    if holds_somewhere(torch.as_tensor(size == 0)):
        warn("Mean of empty slice", RuntimeWarning)
    return finish("nanmean", result, out, "unsafe")


def _valid(name: str, x: Tensor, where: object) -> Tensor:
    """A mask of the elements to reduce: not NaN, and selected by ``where``."""
    valid = ~torch.isnan(x)
    mask = where_mask(name, where, x)
    return valid if mask is None else valid & mask


def nanvar(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    ddof: float = 0,
    keepdims: bool = _NoValue,
    *,
    where: ArrayLike = _NoValue,
    mean: ArrayLike = _NoValue,
    correction: float = _NoValue,
) -> ndarray:
    return _variance("nanvar", a, axis, dtype, out, ddof, keepdims, where, mean, correction)


def nanstd(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike = None,
    out: OutArray = None,
    ddof: float = 0,
    keepdims: bool = _NoValue,
    *,
    where: ArrayLike = _NoValue,
    mean: ArrayLike = _NoValue,
    correction: float = _NoValue,
) -> ndarray:
    return _variance("nanstd", a, axis, dtype, out, ddof, keepdims, where, mean, correction)


def _variance(
    name: str, a: Any, axis: Any, dtype: Any, out: Any, ddof: Any, keepdims: Any, where: Any,
    mean: Any, correction: Any,
) -> ndarray:  # fmt: skip
    x = as_tensor(name, a, "a")
    if not may_have_nan(x):
        plain = "std" if name == "nanstd" else "var"
        return general_var(plain, x, axis, dtype, out, ddof, keepdims, where, mean, correction)
    ddof = one_ddof(name, ddof, correction)
    axes = reduction_axes(name, axis, x.dim())
    keep = keeps(name, keepdims)
    into, final = _inexact(name, x, dtype, out)
    valid = _valid(name, x, where)
    given = None if mean is _NoValue else as_tensor(name, mean, "mean", x.device)
    # NaN becomes 0: its gradient would reach every element through the mean.
    known = kernels.masked(x, valid, 0.0)
    squares = statistics.deviations(known, axes, into, valid, given)
    if dtype is None and out is None:
        into = final = squares.dtype
    result = statistics.variance(squares, axes, keep, into, valid, ddof, final)
    few = statistics.counted(x, axes, keep, valid) - ddof <= 0
    result = torch.where(torch.as_tensor(few), torch.full_like(result, float("nan")), result)
    if holds_somewhere(torch.as_tensor(few)):
        warn("Degrees of freedom <= 0 for slice.", RuntimeWarning)
    if name == "nanstd":
        # As in torch's std, the gradient is 0 where all values are equal.
        moving = torch.where(result == 0, result.detach(), result)
        result = torch.sqrt(moving if result.requires_grad else result)
    return finish(name, result, out, "unsafe")


def _describe() -> None:
    """Set the docstrings: those of the plain functions, with the handling of NaN."""
    function: Any
    left_out = "; NaN is ignored."
    for function, what, returns, initial in (
        (nansum, "sum", "The sums; 0 if all elements are NaN.", True),
        (nanprod, "product", "The products; 1 if all elements are NaN.", True),
        (
            nanmean,
            "mean",
            "The means; NaN (with a ``RuntimeWarning``) if all elements are NaN.",
            False,
        ),
    ):
        value = {"sum": "array([1., 5.])", "product": "array([1., 6.])",
                 "mean": "array([1. , 2.5])"}[what]  # fmt: skip
        function.__doc__ = documented(
            f"The {what} over axes{left_out}",
            f">>> import numpy_shim as np\n>>> a = np.array([[1.0, np.nan], [2.0, 3.0]])\n"
            f">>> np.{function.__name__}(a, axis=1)\n{value}",
            returns,
            dtype=True,
            initial=initial,
        )
    for function, what, value in (
        (nanmax, "largest", "array([1., 3.])"),
        (nanmin, "smallest", "array([1., 2.])"),
    ):
        function.__doc__ = documented(
            f"The {what} element over axes{left_out}",
            f">>> import numpy_shim as np\n>>> a = np.array([[1.0, np.nan], [2.0, 3.0]])\n"
            f">>> np.{function.__name__}(a, axis=1)\n{value}",
            "In the dtype of ``a``; NaN (with a ``RuntimeWarning``) if all elements are NaN.",
            initial=True,
        )
    for function, what, value in (
        (nanvar, "variance", "array([0.  , 0.25])"),
        (nanstd, "standard deviation", "array([0. , 0.5])"),
    ):
        doc = documented(
            f"The {what} over axes{left_out}",
            f">>> import numpy_shim as np\n>>> a = np.array([[1.0, np.nan], [2.0, 3.0]])\n"
            f">>> np.{function.__name__}(a, axis=1)\n{value}",
            "Real; NaN (with a ``RuntimeWarning``) for ``ddof`` elements or fewer.",
        )
        function.__doc__ = with_options(doc)


_describe()
