"""Fold a ufunc along axes: choose its loop, its start, and the kernel or the generic fold.

``fold`` is the only engine: ``ufunc.reduce`` and ``sum``, ``max``, ``any`` and so on call
it. Reductions that torch has use kernels; others fold the ufunc's own function.
The rules of ``axis``, ``dtype``, ``out``, ``keepdims``, ``initial`` and ``where`` are those of
``numpy.ufunc.reduce``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core.axes import integer
from xp_torch._core.dtypes import SIGNED_TWIN, WIDE_UNSIGNED
from xp_torch._core.errors import translate
from xp_torch._kernels import reductions as shared
from xp_torch._kernels import searching
from xp_torch._kernels.blocks import Axes, is_large, sum_where
from xp_torch._kernels.host_reads import possible
from xp_torch._torch.internals import is_empty

from .._array.ndarray import AnyArray, ndarray
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import normalize_axis
from .._base.dtypes import COMPLEXES, FLOATS, HALVES, NUMPY, torch_dtype
from .._base.release import SIZE_ONE_IS_A_NUMBER, ufunc_of
from .._base.tracing import _NoValue, constant
from .._base.ufunc_dtypes import resolved_dtypes
from .._convert.arguments import as_tensor
from .._convert.sequences import tensor_from
from .._kernels import folds, reductions
from .._kernels.casting import cast
from .._kernels.host_kernels import by_method
from .._kernels.numbers import full_scalar
from .call import mask_of
from .spec import Loop, Spec, make_loop, no_loop, stored


class Fold(NamedTuple):
    """A reduction: its ufunc, and the result for no elements (``None``: an error).

    Error messages start with ``name`` and call the ufunc ``operation``.
    """

    name: str
    spec: Spec
    identity: Any
    operation: str


_REDUCERS: dict[str, Callable[[Tensor, Axes, bool, torch.dtype], Tensor]] = {
    "add": reductions.sum,
    "multiply": reductions.prod,
    "maximum": reductions.max,
    "minimum": reductions.min,
    "logical_and": reductions.all,
    "logical_or": reductions.any,
    "logical_xor": lambda x, axes, keepdims, dtype: folds.parity(x, axes, keepdims),
    "logaddexp": lambda x, axes, keepdims, dtype: folds.log_sum_exp(x, axes, keepdims),
}
"""The reductions that torch has, for tensors in the dtype of the computation."""

_CASTING = frozenset({"add", "multiply"})
"""The reducers that cast to the dtype of the computation in the same torch call."""

_TOTAL = frozenset({"add", "multiply", "logical_and", "logical_or", "logical_xor"})
"""The reducers that return the identity for no elements, and keep the gradient."""


def _running_sum(x: Tensor, axis: int) -> Tensor:
    if x.dtype in HALVES:
        return folds.running_halves(torch.add, x, axis)
    return shared.cumulative_sum(x, axis, x.dtype, False)


def _running_product(x: Tensor, axis: int) -> Tensor:
    if x.dtype in HALVES:
        return folds.running_halves(torch.mul, x, axis)
    return shared.cumulative_prod(x, axis, x.dtype, False)


SCANS: dict[str, Callable[[Tensor, int], Tensor]] = {
    "add": _running_sum,
    "multiply": _running_product,
    "maximum": lambda x, axis: folds.running_extremum(torch.cummax, x, axis),
    "minimum": lambda x, axis: folds.running_extremum(torch.cummin, x, axis),
    "logaddexp": torch.logcumsumexp,
}
"""The accumulations that torch has."""

NOT_COMPLEX = frozenset({"maximum", "minimum"})

REORDERABLE = frozenset({
    "add", "multiply", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or",
    "logical_xor", "logaddexp", "logaddexp2", "hypot", "gcd", "bitwise_and", "bitwise_or",
    "bitwise_xor",
})  # fmt: skip
"""Ufuncs that reduce over several axes, since the order does not matter."""

_FROM_IDENTITY = frozenset({"gcd", "hypot"})
"""Folds that start from 0, so that a single element loses its sign."""

_ROUNDED_ONCE = frozenset({"subtract", "divide"})
"""Ordered folds of 16-bit floats that NumPy computes in float32 until the end of a row."""

_reduction_dtypes: dict[Any, tuple[torch.dtype, ...]] = {}


@constant
def _dtypes_of_reduction(name: str, source: Any, out: Any, dtype: Any) -> tuple[torch.dtype, ...]:
    """The dtypes of a reduction; NumPy is asked once; in a trace the answer is a constant."""
    known = (name, source, out, dtype)
    dtypes = _reduction_dtypes.get(known)
    if dtypes is None:
        signature = {} if dtype is None else {"signature": (NUMPY[dtype], None, None)}
        resolved = resolved_dtypes(
            ufunc_of(name),
            (None if out is None else NUMPY[out], NUMPY[source], None),
            reduction=True,
            casting="unsafe",
            **signature,
        )
        dtypes = stored(resolved)
        if dtypes is None:
            raise no_loop(name, (source, source))
        _reduction_dtypes[known] = dtypes
    return dtypes


def reduction_loop(spec: Spec, source: object, out: object, dtype: object) -> Loop:
    """The loop of a reduction of ``source``, for ``out`` or ``dtype`` if given."""
    if is_dynamo_compiling():  # a growing table would cause recompilations
        return _new_loop(spec, source, out, dtype)
    known = (spec.name, source, out, dtype)
    loop = _loops.get(known)
    if loop is None:
        loop = _loops[known] = _new_loop(spec, source, out, dtype)
    return loop


_loops: dict[Any, Loop] = {}


def _new_loop(spec: Spec, source: object, out: object, dtype: object) -> Loop:
    return make_loop(spec.functions, _dtypes_of_reduction(spec.name, source, out, dtype), 2)


def identity_of(name: str, identity: object, dtype: torch.dtype, device: Any) -> Tensor | None:
    """The result of a reduction of no elements; ``None`` if there is no such value."""
    if identity is None:
        return None
    if name == "bitwise_and":
        zero = torch.zeros((), dtype=SIGNED_TWIN.get(dtype, dtype), device=device)
        return torch.bitwise_not(zero).view(dtype)
    return full_scalar(name, "initial", identity, dtype, device)


def reduction_axes(name: str, axis: object, ndim: int, strict: bool = False) -> Axes:
    """The axes of a reduction: ``None`` is all of them, a tuple several.

    Axis 0 or -1 of an array without axes is ignored, unless ``strict``.
    """
    if axis is None:
        return tuple(range(ndim))
    if isinstance(axis, tuple):
        axes = tuple([normalize_axis(name, a, ndim) for a in axis])
        if len(set(axes)) != len(axes):
            raise ValueError(f"{name}: duplicate value in axis {axis}")
        return axes
    if isinstance(axis, list):
        raise TypeError(f"{name}: axis must be an integer, a tuple of integers or None, not a list")
    if not (ndim or strict or isinstance(axis, bool)) and integer(name, "axis", axis) in (0, -1):
        return ()
    return (normalize_axis(name, axis, ndim),)


def keeps(name: str, keepdims: object) -> bool:
    """``keepdims`` as a bool: its default is NumPy's ``_NoValue``."""
    if keepdims is _NoValue:
        return False
    if isinstance(keepdims, bool):
        return keepdims
    return bool(integer(name, "keepdims", keepdims))


def where_mask(name: str, where: object, x: Tensor) -> Tensor | None:
    """``where`` as a boolean tensor of the shape of ``x``, ``None`` where it is ``True``."""
    if where is _NoValue or where is True:
        return None
    return _fitting(name, mask_of(name, where, x.device), x)


def _fitting(name: str, mask: Tensor, x: Tensor) -> Tensor:
    """A mask in the shape of ``x``; ``ValueError`` for one that would broadcast ``x``."""
    if mask.dim() > x.dim() or any(
        n not in (1, m) for n, m in zip(mask.shape[::-1], x.shape[::-1], strict=False)
    ):
        raise ValueError(
            f"{name}: where has shape {tuple(mask.shape)}, which does not broadcast to the "
            f"array's {tuple(x.shape)}"
        )
    return mask.expand(x.shape)


def initial_value(name: str, initial: object, dtype: torch.dtype, device: object) -> Tensor:
    """``initial`` as a 0-D tensor, converted as NumPy stores a value in an array of ``dtype``.

    Python numbers, and scalars where ``dtype`` is a signed integer, are converted by Python:
    2.5 to 2, NaN is a ``ValueError``, a number out of range an ``OverflowError``. 0-D arrays
    are cast. Scalars on an accelerator are cast too, so that nothing waits.
    """
    signed = not (dtype.is_floating_point or dtype.is_complex) and dtype.is_signed
    if isinstance(initial, (AnyArray, Tensor)):
        value = as_tensor(name, initial, "initial")
        is_scalar = isinstance(initial, AnyArray) and type(initial) is not ndarray
        if not (is_scalar and signed and possible(value)):
            return cast(_without_axes(name, value, dtype), dtype)
        initial = value.item().real
    elif isinstance(initial, numpy.generic) and signed and initial.dtype.kind in "biufc":
        initial = initial.real.item()
    elif isinstance(initial, (list, tuple)):
        if dtype is torch.bool:
            initial = bool(initial)
        elif dtype in FLOATS:
            raise ValueError(f"{name}: setting an array element with a sequence.")
        else:
            raise TypeError(f"{name}: initial must be a number, not {type(initial).__name__}")
    value = tensor_from(name, initial, "initial", dtype=dtype, device=device)
    return cast(_without_axes(name, value, dtype), dtype)


def _without_axes(name: str, value: Tensor, dtype: torch.dtype) -> Tensor:
    """An initial value without axes; for booleans, the truth of an array of one element."""
    if not value.dim():
        return value
    if value.numel() == 1 and (SIZE_ONE_IS_A_NUMBER or dtype is torch.bool):
        return value.reshape(())
    error = TypeError if dtype.is_complex else ValueError
    raise error(f"{name}: initial must be a number, not an array of {value.dim()} axes")


def reduced(
    rule: Fold,
    x: Tensor,
    axis: object,
    dtype: object,
    target: ndarray | None,
    keepdims: object,
    initial: object,
    where: object,
) -> Tensor:
    """The reduction with the user's arguments, checked in NumPy's order.

    ``target`` is the array of ``out=``: the result has its shape, but not yet its dtype.
    """
    name = rule.name
    wanted = None if dtype is None else torch_dtype(name, dtype)
    keep = keeps(name, keepdims)
    whole = where is True or where is _NoValue
    mask = None if whole else mask_of(name, where, x.device)
    axes = reduction_axes(name, axis, x.dim())
    given = None if target is None else target._tensor.dtype
    loop = reduction_loop(rule.spec, x.dtype, given, wanted)
    if target is not None:
        shape = reductions.reduced_shape(x, axes, keep)
        if list(target._tensor.shape) != shape:
            raise ValueError(
                f"{name}: output array has shape {tuple(target._tensor.shape)}, the result has "
                f"{tuple(shape)}"
            )
    if mask is not None:
        mask = _fitting(name, mask, x)
    return fold(rule, x, axes, loop, keep, initial, mask)


def fold(
    rule: Fold,
    x: Tensor,
    axes: Axes,
    loop: Loop,
    keepdims: bool = False,
    initial: object = _NoValue,
    mask: Tensor | None = None,
) -> Tensor:
    """The reduction of ``x`` over ``axes`` in the dtypes of ``loop``.

    ``mask`` has the shape of ``x``; elements where it is false take no part. ``initial`` is
    the start of the fold; ``None`` starts with the first element even if there is an identity.
    The result shares no memory with ``x``.
    """
    spec, name = rule.spec, rule.name
    reorderable = spec.name in REORDERABLE
    if len(axes) > 1 and not reorderable:
        raise ValueError(
            f"reduction operation {rule.operation!r} is not reorderable, so at most one axis may "
            "be specified"
        )
    looks = errstate.active
    dtype = loop.outputs[0]
    start = None
    if initial is not _NoValue and initial is not None:
        start = initial_value(name, initial, dtype, x.device)
    empty = is_empty(x.shape) and not shared.count(x, axes)
    x = _operand(spec, loop, x)
    neutral = None
    if initial is not None and (mask is not None or empty):
        neutral = identity_of(spec.name, rule.identity, dtype, x.device)
    if mask is not None:
        fill = start if neutral is None else neutral
        if fill is None:
            raise ValueError(
                f"{name}: reduction operation {rule.operation!r} does not have an identity, so to "
                "use a where mask one has to specify 'initial'"
            )
        if (
            spec.name == "add" and is_large(x) and len(axes) == x.dim() and fill is neutral
            and dtype not in WIDE_UNSIGNED and dtype not in HALVES and not looks
            and (found := sum_where(x, mask, dtype)) is not None
        ):  # fmt: skip
            if keepdims:
                found = found.reshape([1] * x.dim())
            return found if start is None else torch.add(start, found)
        if reorderable:
            x, mask = searching.where(mask, x, cast(fill, x.dtype)), None
    if empty and (start is not None or initial is None or spec.name not in _TOTAL):
        nothing = neutral if start is None else start
        if nothing is None:
            raise ValueError(
                f"{name}: zero-size array to reduction operation {rule.operation} which has no "
                "identity"
            )
        return nothing.expand(reductions.reduced_shape(x, axes, keepdims)).clone()
    met: set[str] = set()
    if looks:
        loop = watched(spec, loop, met)
    first = None
    if not reorderable and axes:
        first, start = start, None
    try:
        result = combined(spec, loop, x, axes, keepdims, mask, first)
        if looks:
            met |= error_checks.find_fold(spec.name, x, result, error_checks.over(axes, keepdims))
        if start is not None:
            result = _combine(spec, loop)(start, result)
    except RuntimeError as error:
        translate(name, error)
    if looks:
        errstate.report(met, "reduce")
    return cast(result, dtype)


def _operand(spec: Spec, loop: Loop, x: Tensor) -> Tensor:
    """``x`` in the dtype of the computation, unless the reducer itself casts to it."""
    dtype = loop.inputs[1]
    if x.dtype is dtype:
        return x
    if (
        spec.name in _CASTING
        and dtype is not torch.bool
        and not x.dtype.is_complex
        and not errstate.active  # errstate must see the cast
    ):
        return x
    return cast(x, dtype, "reduce")


def _combine(spec: Spec, loop: Loop) -> Callable[[Tensor, Tensor], Tensor]:
    """The function of two results; those of logical ufuncs are always booleans."""
    if loop.outputs[0] is loop.inputs[0]:
        return loop.function
    if loop.outputs[0] is torch.bool and torch.bool in spec.functions:
        return spec.functions[torch.bool]
    return lambda start, result: loop.function(start, cast(result, loop.inputs[1]))


def watched(spec: Spec, loop: Loop, met: set[str]) -> Loop:
    """A loop that adds the errors of every step to ``met``, while errors are looked for."""
    if not errstate.active:
        return loop
    return loop._replace(function=error_checks.watched(spec.name, loop.function, met))


def combined(
    spec: Spec,
    loop: Loop,
    x: Tensor,
    axes: Axes,
    keepdims: bool,
    mask: Tensor | None = None,
    first: Tensor | None = None,
    from_identity: bool = True,
) -> Tensor:
    """The reduction of at least one element, over some axes.

    ``mask``, and ``first``, which stands before the elements, are for ordered folds.
    ``from_identity`` is false in ``reduceat``, where a single element is the result unchanged.
    """
    name = spec.name
    reducer = _REDUCERS.get(name)
    if reducer is not None and not (name in NOT_COMPLEX and x.dtype in COMPLEXES):
        return reducer(x, axes, keepdims, loop.inputs[1])
    plain = mask is None and first is None and axes and not errstate.active
    if plain and loop.outputs[0] is x.dtype:
        found = by_method(name, "reduce", x, axes, keepdims=keepdims)
        if found is not NotImplemented:
            return found  # type: ignore[no-any-return]
    if not axes:
        result = x.clone()
    elif name in REORDERABLE:
        result = folds.pairwise(loop.function, folds.gathered(x, axes))
    else:
        rows = None if mask is None else folds.gathered(mask, axes)
        dtype = loop.outputs[0]
        kept = torch.float32 if dtype in HALVES and name in _ROUNDED_ONCE else dtype
        elements = folds.gathered(x, axes)
        result = folds.sequential(loop.function, elements, kept, rows, first).to(dtype)
    if name in _FROM_IDENTITY and from_identity:
        result = loop.function(torch.zeros_like(result), result)
    if keepdims:
        result = result.reshape([1 if i in axes else n for i, n in enumerate(x.shape)])
    return result
