"""Reductions: sums, products, extrema and truth over axes.

Each public function has a flat path for a plain array without options. Every other call goes
through ``reduce`` to ``_ufunc.folds``, as the ``reduce`` method of the function's ufunc does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import GeneratorType
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._kernels.blocks import LARGE

from .._array.ndarray import ndarray, new, scalar, wrap
from .._array.typing import OutArray
from .._base.docs import documented, named
from .._base.dtypes import NUMPY, TORCH
from .._base.fast_tables import FastTable, fast_table
from .._base.tracing import _NoValue
from .._base.typing import AxisLike, DTypeLike
from .._convert.arguments import ArrayLike, as_tensor, assign
from .._convert.outputs import output_of
from .._host.hand_over import hands_over
from .._kernels import reductions as kernels
from .._ufunc.declarations import add, logical_and, logical_or, maximum, minimum, multiply, subtract
from .._ufunc.folds import Fold, reduced

__all__ = ["all", "amax", "amin", "any", "max", "min", "prod", "ptp", "sum"]

Fast = FastTable[torch.dtype, tuple[Callable[..., Tensor], torch.dtype]]
"""torch's function for each dtype where it agrees with NumPy, and the dtype of its result."""


def _wide() -> dict[torch.dtype, torch.dtype]:
    """The dtype of a sum for every dtype, as NumPy reports it."""
    return {t: TORCH[numpy.sum(numpy.zeros(1, n)).dtype] for t, n in NUMPY.items()}


WIDE = _wide()
SAME = {t: t for t in NUMPY}
TRUTH = dict.fromkeys(NUMPY, torch.bool)


def _rule(name: str, function: Any) -> Fold:
    """The fold of a ufunc under the name of a function."""
    return Fold(name, function._spec, function.identity, function.__name__)


SUM, PROD = _rule("sum", add), _rule("prod", multiply)
MAX, MIN = _rule("max", maximum), _rule("min", minimum)
ANY, ALL = _rule("any", logical_or), _rule("all", logical_and)


def reduce(
    rule: Fold,
    a: ArrayLike,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NoValue,
    initial: Any = _NoValue,
    where: Any = _NoValue,
) -> ndarray:
    """Reduce any array-like with any options."""
    # NumPy's functions take no tuple as ``out=``, unlike the methods of ufuncs.
    target = None if out is None else output_of(rule.name, out)
    x = as_tensor(rule.name, a, "a")
    result = reduced(rule, x, axis, dtype, target, keepdims, initial, where)
    if target is None:
        return wrap(result)
    assign(target, result)
    return out  # type: ignore[no-any-return]  # the object that was passed


def _general(rule: Fold, name: str, has_dtype: bool = False) -> Callable[..., ndarray]:
    """The general twin of the function ``name``: ``reduce`` by a rule.

    Dynamo looks through what a function closes over when it is called. A rule has a thousand
    entries, so only what is called where the fast path ends may close over one.
    """

    def general(*arguments: Any) -> ndarray:
        return reduce(rule, *arguments)

    def without_dtype(a: Any, axis: Any, *arguments: Any, **where: Any) -> ndarray:
        return reduce(rule, a, axis, None, *arguments, **where)

    return hands_over(general if has_dtype else without_dtype, name)


# --- the public functions ---


def flat_reduction(
    fast: Fast, *, several: bool = True
) -> Callable[[ndarray, Any, Any], ndarray | None]:
    """The flat path of a reduction: of a plain array, over axes, without other options.

    ``several`` says that torch's function takes several axes. ``None`` where the general twin
    computes the result or raises the error.
    """

    def flat(a: ndarray, axis: object, keepdims: object) -> ndarray | None:
        if keepdims is not _NoValue and type(keepdims) is not bool:
            return None
        t = a._tensor
        try:
            function, made = fast[a._flat_dtype or t.dtype]
            if axis is None and keepdims is not True:
                return scalar(function(t), made)
            if type(axis) is int or (several and type(axis) is tuple and axis and t.ndim):
                result = function(t, axis, keepdims is True)
                if not result.ndim:
                    return scalar(result, made)
                array = new(ndarray)
                array._tensor = result
                array._flat_dtype = made
                return array
        except (KeyError, RuntimeError, IndexError, TypeError, ValueError):
            pass
        return None

    return flat


def _accumulating(rule: Fold, fast: Fast, doc: str) -> Callable[..., ndarray]:
    name = rule.name
    general = _general(rule, name, has_dtype=True)
    flat = flat_reduction(fast, several=rule is not PROD)  # torch.prod takes one axis

    def reduction(
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
            and dtype is out is None
            and initial is _NoValue
            and (where is _NoValue or where is True)
        ):
            result = flat(a, axis, keepdims)
            if result is not None:
                return result
        if isinstance(a, GeneratorType):
            raise TypeError(
                f"{name}: a is a generator; use {name}(fromiter(generator)) or the Python built-in"
            )
        return general(a, axis, dtype, out, keepdims, initial, where)

    return named(reduction, name, doc)


def _extremum(rule: Fold, name: str, fast: Fast, doc: str) -> Callable[..., ndarray]:
    general, flat = _general(rule, name), flat_reduction(fast)

    def reduction(
        a: ArrayLike,
        axis: AxisLike = None,
        out: OutArray = None,
        keepdims: bool = _NoValue,
        initial: ArrayLike = _NoValue,
        where: ArrayLike = _NoValue,
    ) -> ndarray:
        if (
            type(a) is ndarray
            and out is None
            and initial is _NoValue
            and (where is _NoValue or where is True)
        ):
            result = flat(a, axis, keepdims)
            if result is not None:
                return result
        return general(a, axis, out, keepdims, initial, where)

    return named(reduction, name, doc)


def _testing(rule: Fold, fast: Fast, doc: str) -> Callable[..., ndarray]:
    general, flat = _general(rule, rule.name), flat_reduction(fast)

    def reduction(
        a: ArrayLike,
        axis: AxisLike = None,
        out: OutArray = None,
        keepdims: bool = _NoValue,
        *,
        where: ArrayLike = _NoValue,
    ) -> ndarray:
        if (
            type(a) is ndarray
            and out is None
            and (where is _NoValue or where is True)
            and (is_dynamo_compiling() or a._tensor.numel() < LARGE)
        ):
            result = flat(a, axis, keepdims)
            if result is not None:
                return result
        return general(a, axis, out, keepdims, where=where)

    return named(reduction, rule.name, doc)


def _fast(
    function: Callable[..., Tensor],
    made: dict[torch.dtype, torch.dtype],
    *without: torch.dtype,
    faster: Mapping[torch.dtype, Callable[..., Tensor]] | None = None,
) -> Fast:
    """Use torch's function for dtypes where it agrees with NumPy, a ``faster`` one for some."""
    faster = faster or {}
    lacking = {torch.uint16, torch.uint32, torch.uint64, torch.bfloat16, *without}
    return fast_table({
        t: (faster.get(t, function), made[t])
        for t in NUMPY
        if t not in lacking
    })  # fmt: skip


# torch sums small unsigned integers in int64, NumPy in uint64.
sum = _accumulating(
    SUM,
    _fast(torch.sum, WIDE, torch.uint8, faster={torch.bool: kernels.sum_of_booleans}),
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
    _fast(torch.prod, WIDE, torch.uint8, torch.float16),
    documented(
        "The product over axes. Integers wrap around; 16-bit floats are multiplied in float32.",
        ">>> import numpy_shim as np\n>>> np.prod(np.array([[1, 2], [3, 4]]), axis=0)\n"
        "array([3, 8])",
        "The products; 1 for no elements.",
        dtype=True,
        initial=True,
    ),
)

_MAX_DOC = documented(
    "The largest element over axes, or NaN. Complex numbers compare by real part first.",
    ">>> import numpy_shim as np\n>>> np.max(np.array([[1, 4], [3, 2]]), axis=1)\narray([4, 3])",
    "The largest elements, in the dtype of ``a``.",
    initial=True,
)
_MIN_DOC = documented(
    "The smallest element over axes, or NaN. Complex numbers compare by real part first.",
    ">>> import numpy_shim as np\n>>> np.min(np.array([[1, 4], [3, 2]]), axis=1)\narray([1, 2])",
    "The smallest elements, in the dtype of ``a``.",
    initial=True,
)
_COMPLEX = (torch.complex64, torch.complex128)
_MAX = _fast(torch.amax, SAME, *_COMPLEX)
_MIN = _fast(torch.amin, SAME, *_COMPLEX, faster={torch.int64: kernels.min_of_int64})
max = _extremum(MAX, "max", _MAX, _MAX_DOC)
amax = _extremum(MAX, "amax", _MAX, _MAX_DOC)
min = _extremum(MIN, "min", _MIN, _MIN_DOC)
amin = _extremum(MIN, "amin", _MIN, _MIN_DOC)

# torch's any and all return uint8 for uint8 (https://github.com/pytorch/pytorch/issues/20302).
any = _testing(
    ANY,
    _fast(torch.any, TRUTH, torch.uint8),
    documented(
        "Whether any element over axes is true; NaN is true.",
        ">>> import numpy_shim as np\n>>> np.any(np.array([[True, False], [False, False]]), axis=1)"
        "\narray([ True, False])",
        "Booleans; false for no elements.",
    ),
)
all = _testing(
    ALL,
    _fast(torch.all, TRUTH, torch.uint8),
    documented(
        "Whether all elements over axes are true; NaN is true.",
        ">>> import numpy_shim as np\n>>> np.all(np.array([[True, False], [True, True]]), axis=1)\n"
        "array([False,  True])",
        "Booleans, true of no elements.",
    ),
)


def ptp(
    a: ArrayLike, axis: AxisLike = None, out: OutArray = None, keepdims: bool = _NoValue
) -> ndarray:
    """The range of the elements over axes: the maximum minus the minimum ("peak to peak").

    Parameters
    ----------
    a : array_like
        The elements; booleans are not supported.
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
    low = _lowest(a, axis, None, keepdims)  # before out changes, which may share memory with a
    return subtract(_highest(a, axis, out, keepdims), low, out)


_highest = _extremum(MAX._replace(name="ptp"), "ptp", _MAX, "")
_lowest = _extremum(MIN._replace(name="ptp"), "ptp", _MIN, "")
