"""Reductions: sums, products, extrema and truth over axes.

``reduce`` is the one general way; each public function has a flat path in front of it for
a plain array without options. The rules of dtypes, ``out``, ``initial`` and ``where`` are
those of ``numpy.ufunc.reduce``.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import GeneratorType
from typing import Any, NamedTuple

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core.axes import integer
from xp_torch._core.errors import translate
from xp_torch._kernels import searching
from xp_torch._kernels.blocks import LARGE
from xp_torch._kernels.reductions import count

from .._array.ndarray import SCALAR_TYPES, AnyArray, ndarray, new
from .._convert.arguments import ArrayLike, as_tensor, finish
from .._core import error_checks, errstate
from .._core.axes import normalize_axis
from .._core.docs import documented, named
from .._core.dtypes import NUMPY, TORCH, promote, torch_dtype
from .._core.fast_tables import FastTable, fast_table
from .._core.tracing import _NoValue
from .._kernels import reductions as kernels
from .._kernels.casting import cast
from .._ufunc.call import mask_of
from .._ufunc.declarations import logical_and, logical_or, maximum, minimum, subtract

__all__ = ["all", "amax", "amin", "any", "max", "min", "prod", "ptp", "sum"]

Axis = int | tuple[int, ...] | None
Reducer = Callable[[Tensor, tuple[int, ...], bool, torch.dtype], Tensor]
Fast = FastTable[torch.dtype, tuple[Callable[..., Tensor], type[ndarray]]]
"""torch's function of each dtype for which it is NumPy's, and the scalar type of its results."""


class Rule(NamedTuple):
    """How a binary operation reduces.

    ``dtypes`` has the dtype that each dtype is reduced in where none is asked for;
    ``identity`` is ``None`` where an empty reduction is an error.
    """

    name: str
    ufunc: str
    reducer: Reducer
    identity: float | None
    dtypes: dict[torch.dtype, torch.dtype]
    combine: Callable[[Tensor, Tensor], Tensor]


def _wide() -> dict[torch.dtype, torch.dtype]:
    """The dtype of a sum: NumPy's own answer for every dtype."""
    return {t: TORCH[numpy.sum(numpy.zeros(1, n)).dtype] for t, n in NUMPY.items()}


WIDE = _wide()
_SAME = {t: t for t in NUMPY}


def _add(a: Tensor, b: Tensor) -> Tensor:
    return kernels.sum(torch.stack([a, b.expand_as(a)]), (0,), False, a.dtype)


def _multiply(a: Tensor, b: Tensor) -> Tensor:
    return kernels.prod(torch.stack([a, b.expand_as(a)]), (0,), False, a.dtype)


def _truth(function: Any) -> Callable[[Tensor, Tensor], Tensor]:
    fast = function._spec.functions
    return lambda a, b: fast[torch.bool](a, b)


def _by_dtype(function: Any) -> Callable[[Tensor, Tensor], Tensor]:
    functions = function._spec.functions
    return lambda a, b: functions[a.dtype](a, b)


SUM = Rule("sum", "add", kernels.sum, 0.0, WIDE, _add)
PROD = Rule("prod", "multiply", kernels.prod, 1.0, WIDE, _multiply)
MAX = Rule("max", "maximum", kernels.max, None, _SAME, _by_dtype(maximum))
MIN = Rule("min", "minimum", kernels.min, None, _SAME, _by_dtype(minimum))
_BOOLEAN = dict.fromkeys(NUMPY, torch.bool)
ANY = Rule("any", "logical_or", kernels.any, 0.0, _BOOLEAN, _truth(logical_or))
ALL = Rule("all", "logical_and", kernels.all, 1.0, _BOOLEAN, _truth(logical_and))


def reduction_axes(name: str, axis: Any, ndim: int, strict: bool = False) -> tuple[int, ...]:
    """The axes of a reduction: ``None`` is all of them, a tuple several.

    Axis 0 or -1 of an array without axes is none, unless ``strict``.
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
    if not ndim and not strict and integer(name, "axis", axis) in (0, -1):
        return ()
    return (normalize_axis(name, axis, ndim),)


def keeps(name: str, keepdims: Any) -> bool:
    """``keepdims`` as a bool: its default is NumPy's ``_NoValue``."""
    if keepdims is _NoValue:
        return False
    if isinstance(keepdims, bool):
        return keepdims
    return builtins.bool(integer(name, "keepdims", keepdims))


def where_mask(name: str, where: Any, x: Tensor) -> Tensor | None:
    """``where`` as a boolean tensor of the shape of ``x``, ``None`` where it is ``True``."""
    if where is _NoValue or where is True:
        return None
    mask = mask_of(name, where, x.device)
    if mask.dim() > x.dim() or builtins.any(
        n not in (1, m) for n, m in zip(mask.shape[::-1], x.shape[::-1], strict=False)
    ):
        raise ValueError(
            f"{name}: where has shape {tuple(mask.shape)}, which does not broadcast to the "
            f"array's {tuple(x.shape)}"
        )
    return mask.expand(x.shape)


def initial_value(name: str, initial: Any, dtype: torch.dtype, device: Any) -> Tensor:
    """``initial`` as a 0-D tensor; Python numbers are cast as NumPy casts them (2.5 to 2)."""
    value = as_tensor(name, initial, "initial", device)
    if value.dim():
        raise ValueError(f"{name}: initial must be a number, not an array of {value.dim()} axes")
    if value.dtype.is_complex and not dtype.is_complex and dtype is not torch.bool:
        raise TypeError(f"{name}: initial is complex, the result is {NUMPY[dtype]}")
    if type(initial) is int and dtype in _BOUNDS:
        low, high = _BOUNDS[dtype]
        if not low <= initial <= high:
            raise OverflowError(
                f"{name}: Python integer {initial} out of bounds for {NUMPY[dtype]}"
            )
    return cast(value, dtype)


_BOUNDS = {
    t: (int(numpy.iinfo(n).min), int(numpy.iinfo(n).max))
    for t, n in NUMPY.items()
    if n.kind in "iu"
}


def reduce(
    rule: Rule,
    a: ArrayLike,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    initial: Any = _NoValue,
    where: Any = _NoValue,
) -> ndarray:
    """``ufunc.reduce`` of any array-like with any options."""
    name = rule.name
    x = as_tensor(name, a, "a")
    axes = reduction_axes(name, axis, x.dim())
    keep = keeps(name, keepdims)
    if dtype is not None:
        into = torch_dtype(name, dtype)
    elif isinstance(out, AnyArray) and rule.dtypes is not _BOOLEAN:
        into = promote(name, x.dtype, out._tensor.dtype)
    else:
        into = rule.dtypes[x.dtype]
    result = reduced(rule, x, axes, into, keep, initial, where_mask(name, where, x))
    return finish(name, result, out, "unsafe")


def reduced(
    rule: Rule,
    x: Tensor,
    axes: tuple[int, ...],
    dtype: torch.dtype,
    keepdims: bool = False,
    initial: Any = _NoValue,
    mask: Tensor | None = None,
) -> Tensor:
    """The reduction of a tensor in ``dtype``."""
    name = rule.name
    start = None
    identity = rule.identity
    if initial is None:
        identity = None
    elif initial is not _NoValue:
        start = initial_value(name, initial, dtype, x.device)
    if rule.identity is None:
        x = cast(x, dtype)
    if mask is not None:
        if identity is not None:
            x = kernels.masked(x, mask, identity)
        elif start is not None:
            x = searching.where(mask, x, start)
        else:
            raise ValueError(
                f"{name}: reduction operation {rule.ufunc!r} does not have an identity, so to use "
                "a where mask one has to specify 'initial'"
            )
    if identity is None and not count(x, axes):
        if start is not None:
            return start.expand(kernels.reduced_shape(x, axes, keepdims)).clone()
        raise ValueError(
            f"{name}: zero-size array to reduction operation {rule.ufunc} which has no identity"
        )
    try:
        result = rule.reducer(x, axes, keepdims, dtype)
    except RuntimeError as error:
        translate(name, error)
    if errstate.active:
        every = error_checks.over(axes, keepdims)
        errstate.report(error_checks.find_fold(rule.ufunc, x, result, every), "reduce")
    return result if start is None else rule.combine(result, start)


# --- the public functions ---


def _accumulating(rule: Rule, fast: Fast, doc: str) -> Callable[..., ndarray]:
    def reduction(
        a: ArrayLike,
        axis: Axis = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = _NoValue,
        initial: Any = _NoValue,
        where: Any = _NoValue,
    ) -> ndarray:
        if (
            type(a) is ndarray
            and dtype is None
            and out is None
            and initial is _NoValue
            and (keepdims is _NoValue or keepdims is False)
            and (where is _NoValue or where is True)
        ):
            t = a._tensor
            try:
                function, scalar = fast[t.dtype]
                if axis is None:
                    array = new(scalar)
                    array._tensor = function(t)
                    return array
                if type(axis) is int:
                    result = function(t, axis)
                    array = new(ndarray) if result.dim() else new(scalar)
                    array._tensor = result
                    return array
            except (KeyError, RuntimeError, IndexError):
                pass  # the general way takes it, or says what is wrong
        if isinstance(a, GeneratorType):
            raise TypeError(
                f"{rule.name}: a is a generator; use {rule.name}(fromiter(generator)) or the "
                "Python built-in"
            )
        return reduce(rule, a, axis, dtype, out, keepdims, initial, where)

    return named(reduction, rule.name, doc)


def _extremum(rule: Rule, name: str, fast: Fast, doc: str) -> Callable[..., ndarray]:
    def reduction(
        a: ArrayLike,
        axis: Axis = None,
        out: Any = None,
        keepdims: Any = _NoValue,
        initial: Any = _NoValue,
        where: Any = _NoValue,
    ) -> ndarray:
        if (
            type(a) is ndarray
            and out is None
            and initial is _NoValue
            and (keepdims is _NoValue or keepdims is False)
            and (where is _NoValue or where is True)
        ):
            t = a._tensor
            try:
                function, scalar = fast[t.dtype]
                if axis is None:
                    array = new(scalar)
                    array._tensor = function(t)
                    return array
                if type(axis) is int:
                    result = function(t, axis)
                    array = new(ndarray) if result.dim() else new(scalar)
                    array._tensor = result
                    return array
            except (KeyError, RuntimeError, IndexError):
                pass  # the general way takes it, or says what is wrong
        return reduce(rule, a, axis, None, out, keepdims, initial, where)

    return named(reduction, name, doc)


def _testing(rule: Rule, fast: Fast, doc: str) -> Callable[..., ndarray]:
    def reduction(
        a: ArrayLike,
        axis: Axis = None,
        out: Any = None,
        keepdims: Any = _NoValue,
        *,
        where: Any = _NoValue,
    ) -> ndarray:
        if (
            type(a) is ndarray
            and out is None
            and (keepdims is _NoValue or keepdims is False)
            and (where is _NoValue or where is True)
            and (is_dynamo_compiling() or a._tensor.numel() < LARGE)
        ):
            t = a._tensor
            try:
                function, scalar = fast[t.dtype]
                if axis is None:
                    array = new(scalar)
                    array._tensor = function(t)
                    return array
                if type(axis) is int:
                    result = function(t, axis)
                    array = new(ndarray) if result.dim() else new(scalar)
                    array._tensor = result
                    return array
            except (KeyError, RuntimeError, IndexError):
                pass  # the general way takes it, or says what is wrong
        return reduce(rule, a, axis, None, out, keepdims, _NoValue, where)

    return named(reduction, rule.name, doc)


def _fast(function: Callable[..., Tensor], rule: Rule, *without: torch.dtype) -> Fast:
    """The dtypes for which torch's own function has NumPy's result."""
    lacking = {torch.uint16, torch.uint32, torch.uint64, torch.bfloat16, *without}
    return fast_table({
        t: (function, SCALAR_TYPES[rule.dtypes[t]]) for t in NUMPY if t not in lacking
    })  # fmt: skip


# torch sums small unsigned integers as int64 where NumPy has uint64.
_SUMS = _fast(torch.sum, SUM, torch.uint8)
_SUMS[torch.bool] = (kernels.sum_of_booleans, SCALAR_TYPES[torch.int64])
sum = _accumulating(
    SUM,
    _SUMS,
    documented(
        "The sum over axes. Integers wrap around; 16-bit floats are summed in float32.",
        ">>> import numpy_shim as np\n>>> np.sum(np.array([[1, 2], [3, 4]]), axis=0)\n"
        "array([4, 6])",
        "The sums, 0 of no elements.",
        dtype=True,
        initial=True,
    ),
)
prod = _accumulating(
    PROD,
    _fast(torch.prod, PROD, torch.uint8, torch.float16),
    documented(
        "The product over axes. Integers wrap around; 16-bit floats are multiplied in float32.",
        ">>> import numpy_shim as np\n>>> np.prod(np.array([[1, 2], [3, 4]]), axis=0)\n"
        "array([3, 8])",
        "The products, 1 of no elements.",
        dtype=True,
        initial=True,
    ),
)
_EMPTY = ", or for an empty reduction without ``initial``"
_MAX_DOC = documented(
    "The largest element over axes: NaN if there is one, complex numbers by real part first.",
    ">>> import numpy_shim as np\n>>> np.max(np.array([[1, 4], [3, 2]]), axis=1)\narray([4, 3])",
    "The largest elements, in the dtype of ``a``.",
    initial=True,
    empty=_EMPTY,
)
_MIN_DOC = documented(
    "The smallest element over axes: NaN if there is one, complex numbers by real part first.",
    ">>> import numpy_shim as np\n>>> np.min(np.array([[1, 4], [3, 2]]), axis=1)\narray([1, 2])",
    "The smallest elements, in the dtype of ``a``.",
    initial=True,
    empty=_EMPTY,
)
_COMPLEX = (torch.complex64, torch.complex128)
max = _extremum(MAX, "max", _fast(torch.amax, MAX, *_COMPLEX), _MAX_DOC)
amax = _extremum(MAX, "amax", _fast(torch.amax, MAX, *_COMPLEX), _MAX_DOC)
min = _extremum(MIN, "min", _fast(torch.amin, MIN, *_COMPLEX), _MIN_DOC)
amin = _extremum(MIN, "amin", _fast(torch.amin, MIN, *_COMPLEX), _MIN_DOC)

# For uint8 torch's any and all give uint8 (https://github.com/pytorch/pytorch/issues/20302).
any = _testing(
    ANY,
    _fast(torch.any, ANY, torch.uint8),
    documented(
        "Whether any element over axes is true; NaN is.",
        ">>> import numpy_shim as np\n>>> np.any(np.array([[True, False], [False, False]]), axis=1)"
        "\narray([ True, False])",
        "Booleans, false of no elements.",
    ),
)
all = _testing(
    ALL,
    _fast(torch.all, ALL, torch.uint8),
    documented(
        "Whether all elements over axes are true; NaN is.",
        ">>> import numpy_shim as np\n>>> np.all(np.array([[True, False], [True, True]]), axis=1)\n"
        "array([False,  True])",
        "Booleans, true of no elements.",
    ),
)


def ptp(a: ArrayLike, axis: Axis = None, out: Any = None, keepdims: Any = _NoValue) -> ndarray:
    """The range of the elements over axes: the largest less the smallest ("peak to peak").

    Parameters
    ----------
    a : array_like
        The elements; not booleans, which have no difference.
    axis : int, tuple of ints or None
        The axes to reduce; ``None`` is all of them.
    out : ndarray, optional
        Where the result is written; it is returned.
    keepdims : bool
        Leave the reduced axes in the result, with size one.

    Returns
    -------
    ndarray or scalar
        In the dtype of ``a``: the range of small integers may wrap around.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.ptp(np.array([[4, 9], [1, 7]]), axis=1)
    array([5, 6])
    """
    return subtract(_highest(a, axis, out, keepdims), _lowest(a, axis, None, keepdims), out)


_highest = _extremum(MAX._replace(name="ptp"), "ptp", _fast(torch.amax, MAX, *_COMPLEX), "")
_lowest = _extremum(MIN._replace(name="ptp"), "ptp", _fast(torch.amin, MIN, *_COMPLEX), "")
