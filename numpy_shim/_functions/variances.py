"""Variances and standard deviations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._kernels.blocks import is_large
from xp_torch._torch.internals import is_certain

from .._array.ndarray import ndarray, wrap
from .._array.scalars import TensorScalar
from .._array.typing import OutArray
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import broadcast_shapes
from .._base.docs import documented, named
from .._base.dtypes import FLOATS, HALVES, NUMPY
from .._base.tracing import _NoValue, warn
from .._base.typing import AxisLike, DTypeLike
from .._convert.arguments import ArrayLike, as_tensor, finish
from .._host.hand_over import hands_over
from .._kernels import statistics as kernels
from .._kernels.casting import cast
from .._kernels.reductions import divided
from .._kernels.statistics import spread_of_large
from .._kernels.value_checks import holds_somewhere
from .._ufunc.folds import keeps, reduction_axes, where_mask
from .statistics import FLOATING, computed_dtype, look_at_mean, through

__all__ = ["std", "var"]


def _spread(name: str, function: Any, doc: str) -> Callable[..., ndarray]:
    """Build ``var`` or ``std``; ``function`` is torch's function."""
    general = hands_over(partial(general_var, name), name)

    def spread(
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
        if (
            type(a) is ndarray
            and dtype is None
            and out is None
            and mean is _NoValue
            and (axis is None or type(axis) is int)
            and correction is _NoValue
            and (keepdims is _NoValue or keepdims is False)
            and (where is _NoValue or where is True)
        ):
            t = a._tensor
            if t.dtype in FLOATING and t.dim() and type(ddof) is int:
                try:
                    size = t.numel() if axis is None else t.shape[axis]
                    if (
                        not (is_certain(size <= ddof) or is_certain(t.numel() == 0))
                        if is_dynamo_compiling()
                        else size > ddof and t.numel()
                    ):
                        if axis is not None and t.dim() > 1 and is_large(t):
                            return wrap(spread_of_large(t, axis, ddof, root=name == "std"))
                        return wrap(function(t, axis, correction=ddof))
                except IndexError:
                    pass
        return general(a, axis, dtype, out, ddof, keepdims, where, mean, correction)

    return named(spread, name, doc)


def general_var(
    name: str,
    a: ArrayLike,
    axis: Any,
    dtype: Any,
    out: Any,
    ddof: Any,
    keepdims: Any,
    where: Any,
    mean: Any,
    correction: Any,
) -> ndarray:
    """``var`` and ``std`` with any options, of any array-like."""
    ddof = one_ddof(name, ddof, correction)
    x = as_tensor(name, a, "a")
    axes = reduction_axes(name, axis, x.dim(), strict=True)
    keep = keeps(name, keepdims)
    mask = where_mask(name, where, x)
    size = kernels.counted(x, axes, keep, mask)
    if holds_somewhere(size <= ddof) if isinstance(size, Tensor) else is_certain(size <= ddof):
        warn("Degrees of freedom <= 0 for slice", RuntimeWarning)
    computed = computed_dtype(name, x, dtype)
    given = None if mean is _NoValue else as_tensor(name, mean, "mean", x.device)
    if given is not None and broadcast_shapes(name, x.shape, given.shape) != tuple(x.shape):
        raise ValueError(
            f"{name}: mean has shape {tuple(given.shape)}, which does not broadcast to the array's "
            f"{tuple(x.shape)}"
        )
    squares = kernels.deviations(x, axes, computed, mask, given)
    into = squares.dtype if dtype is None else computed
    if errstate.active:
        _look_at_variance(x, squares, computed, into, size, ddof, axes, keep, mask, given)
    final = into
    if out is not None:
        into, final = through(name, out, squares, into, dtype)
    result = kernels.variance(squares, axes, keep, into, mask, ddof, final)
    if name == "std":
        if (out is not None or result.dim()) and final not in FLOATS and not final.is_complex:
            raise TypeError(
                f"std: the square root cannot be written to an array of dtype {NUMPY[final]}"
            )
        result = cast(_root(result), final)
    return finish(name, result, out, "unsafe")


def _look_at_variance(
    x: Tensor, squares: Tensor, computed: torch.dtype, into: torch.dtype, size: Tensor | int,
    ddof: Any, axes: tuple[int, ...], keep: bool, mask: Tensor | None, mean: Tensor | None,
) -> None:  # fmt: skip
    """Check the steps of NumPy's variance for errors."""
    if mean is None:
        count = kernels.counted(x, axes, True, mask)
        added = kernels.total(x, axes, True, computed, mask)
        look_at_mean(x, added, count, axes, True, mask)
        mean = divided(added, count)
    distance = kernels.distance(x, mean)
    error_checks.check("subtract", [x, mean], (distance,))
    error_checks.check("square", [distance], (squares,))
    added = kernels.total(squares, axes, keep, into, mask)
    divisor = size - ddof if isinstance(size, Tensor) else max(size - ddof, 0)
    look_at_mean(squares, added, divisor, axes, keep, mask)


def _root(x: Tensor) -> Tensor:
    return torch.sqrt(x.float()) if x.dtype in HALVES else torch.sqrt(x)


def one_ddof(name: str, ddof: object, correction: object) -> Any:
    """``ddof`` or ``correction``, its name in the array API standard."""
    if correction is _NoValue:
        return ddof.item() if isinstance(ddof, (TensorScalar, numpy.generic)) else ddof
    if ddof != 0:
        raise ValueError(f"{name}: ddof and correction can't be provided simultaneously.")
    return correction


_VAR_OPTIONS = """
    dtype : dtype, optional
        The dtype to compute in; float64 for integers and booleans, else the dtype of ``a``.
    ddof, correction : float
        The divisor is the number of elements minus ``ddof``; give only one of the two names.
    mean : array_like
        The means, if they are known, with the reduced axes kept."""


def _var_doc(summary: str, example: str, name: str) -> str:
    doc = documented(
        summary,
        f">>> import numpy_shim as np\n>>> np.{name}(np.array([[1.0, 2.0], [3.0, 5.0]]), axis=1)\n"
        f"{example}",
        "Real, also of complex numbers; infinite or NaN (with a ``RuntimeWarning``) where there\n"
        "        are no more elements than ``ddof``.",
    )
    return with_options(doc)


def with_options(doc: str) -> str:
    """The docstring of a reduction with the options of ``var`` after the axes."""
    return doc.replace("none.\n", "none." + _VAR_OPTIONS + "\n", 1)


var = _spread("var", torch.var, _var_doc("The variance over axes.", "array([0.25, 1.  ])", "var"))
std = _spread(
    "std",
    torch.std,
    _var_doc(
        "The standard deviation over axes: the square root of ``var``.", "array([0.5, 1. ])", "std"
    ),
)
