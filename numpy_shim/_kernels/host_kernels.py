"""NumPy's own functions on the memory of large tensors, where they are faster than torch's.

Only functions whose results are exact are here: they order, find, count and move elements, compare
them, and divide integers, so that there is one right result and no rounding that could differ. What
rounds is torch's. A tensor is given to NumPy on the CPU, without a gradient, outside of a trace and
of a transform, from the size on where that is faster, and unless ``set_host_kernels(False)`` says
otherwise. Where it is not given, the kernel's own code computes the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, NamedTuple, TypeVar

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._kernels.kernel import Numbers
from xp_torch._torch.internals import increment_version, is_transformed

from .._base.dtypes import HALVES, INTEGERS
from .._base.host_setting import may_use_kernels

_F = TypeVar("_F", bound=Callable[..., Any])

_is_tracing: Callable[[], bool] = torch.jit.is_tracing  # type: ignore[attr-defined]
"""Whether ``torch.jit.trace`` is at work, whose tensors are plain ones."""


class HostKernel(NamedTuple):
    """NumPy's function for a kernel, and from which size on it is taken."""

    function: Callable[..., Any]
    """It takes the kernel's arguments, NumPy's arrays in the place of tensors."""
    least: int
    """The number of elements of the largest tensor from which it is faster."""
    factor: float
    """The kernel's own time over its time at a million elements, on one thread."""


def _sort(x: Any, axis: int, stable: bool, descending: bool = False) -> Any:
    """The sorted elements; NumPy's fast order leaves open which of two zeros comes first."""
    if descending or x.dtype.kind == "c" or not _has_one_zero(x):
        return NotImplemented
    return numpy.sort(x, axis, _fastest_kind(x))


def _has_one_zero(x: Any) -> bool:
    """Whether all zeros have one sign: there is one order then, whatever the algorithm."""
    if x.dtype.kind != "f":
        return True
    negative = numpy.signbit(x[x == 0])
    return bool(negative.all() or not negative.any())


_ROWS = 1 << 16
"""How many elements a check looks at together, so that it needs little memory."""


def _argsort(x: Any, axis: int, descending: bool = False) -> Any:
    """The indices that sort, equal elements in their order, by NumPy's order where none are."""
    if descending:
        return NotImplemented
    if _fastest_kind(x):
        return numpy.argsort(x, axis, "stable")
    if x.dtype.kind in "iu":
        return _argsort_by_place(x, axis)
    if x.dtype != numpy.float64:  # others have equal elements more often than not
        return NotImplemented
    order = numpy.argsort(x, axis)
    rows, places = (numpy.moveaxis(a, axis, -1) for a in (x, order))
    if rows.ndim == 1:  # neighbours, also from one part to the next
        parts = (rows[places[i : i + _ROWS + 1]] for i in range(0, rows.size, _ROWS))
    else:
        rows, places = (a.reshape(-1, a.shape[-1]) for a in (rows, places))
        step = max(_ROWS // rows.shape[1], 1)
        parts = (
            numpy.take_along_axis(rows[i : i + step], places[i : i + step], 1)
            for i in range(0, len(rows), step)
        )
    for part in parts:
        later, earlier = part[..., 1:], part[..., :-1]
        rises = (later > earlier).all()
        if not rises and ((later == earlier).any() or numpy.isnan(earlier).any()):
            return NotImplemented
    return order


def _argsort_by_place(x: Any, axis: int) -> Any:
    """The order of integers of a small range: sort each with its place in the lower bits."""
    bits = (x.shape[axis] - 1).bit_length()
    low, high = int(x.min()), int(x.max())
    if (high - low).bit_length() + bits > 62 or high > _MOST:
        return NotImplemented
    keys = x.astype(numpy.int64)
    keys -= low
    keys <<= bits
    places = numpy.moveaxis(keys, axis, -1)
    for i in range(0, x.shape[axis], _ROWS):
        part = places[..., i : i + _ROWS]
        part |= numpy.arange(i, i + part.shape[-1])
    keys.sort(axis)
    keys &= (1 << bits) - 1
    return keys


_MOST = numpy.iinfo(numpy.int64).max


def _fastest_kind(x: Any) -> Literal["stable"] | None:
    """``"stable"`` for narrow integers, which NumPy then sorts by their bits."""
    return "stable" if x.itemsize <= 2 and x.dtype.kind != "f" else None


def _arg_extremum(x: Any, axis: int, keepdims: bool, largest: bool) -> Any:
    search = numpy.argmax if largest else numpy.argmin
    return search(x, axis, keepdims=keepdims)


def _histogram(x: Any, at: Any, weights: Any) -> Any:
    """The counts between edges, which NumPy finds by comparing, as is right for every dtype."""
    known = x.dtype == at.dtype or (x.dtype.kind in "iu" and at.dtype == numpy.float64)
    if weights is not None or at.size < 2 or not known or x.dtype == numpy.float16:
        return NotImplemented
    bins, ends = at.size - 1, (at[0], at[-1])
    if ends[0] < ends[1] and (numpy.histogram_bin_edges(x[:0], bins, ends) == at).all():
        return numpy.histogram(x, bins, ends)[0]  # it need not search
    return numpy.histogram(x, at)[0]


def _counts(x: Any, size: int, weights: Any) -> Any:
    return NotImplemented if weights is not None else numpy.bincount(x, minlength=size)


def _inserted(x: Any, new: Any, indices: Any, axis: int) -> Any:
    return numpy.insert(x, indices, new, axis)


def _lexsort(first: Any, *others: Any, axis: int) -> Any:
    if any(key.dtype == numpy.float16 for key in (first, *others)):
        return NotImplemented
    return numpy.lexsort((first, *others), axis)


def _picked(x: Any, *key: Any) -> Any:
    return x[key]


def _repeated(x: Any, counts: Any, axis: int, total: int) -> Any:
    return numpy.repeat(x, counts, axis)


def _min(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return numpy.min(x, axis, keepdims=keepdims)


def _byteswap(x: Any) -> Any:
    return x.byteswap()


def _nonzero(x: Any) -> Any:
    """Of one moment, as ``searching.nonzero``: another thread may write meanwhile."""
    return numpy.nonzero(x.copy() if x.dtype == numpy.bool else x != 0)


def _without(x: Any, gone: Any, axis: int) -> Any:
    return numpy.delete(x, gone, axis)


def _sort_in_place(x: Any, axis: int, descending: bool) -> Any:
    if descending or x.dtype.kind == "c" or not _has_one_zero(x):
        return NotImplemented
    x.sort(axis, _fastest_kind(x))
    return None


def _place(x: Any, mask: Any, values: Any) -> Any:
    if numpy.may_share_memory(x, values) or numpy.may_share_memory(x, mask):
        return NotImplemented
    numpy.place(x, mask, values)
    return None


def _packed(x: Any, axis: int, little: bool) -> Any:
    return numpy.packbits(x, axis, "little" if little else "big")


def _unpacked(x: Any, axis: int, little: bool) -> Any:
    return numpy.unpackbits(x, axis, bitorder="little" if little else "big")


def _of_one_zero(extremum: Any) -> Any:
    """An extremum of floats, which may be either of two zeros: where none is zero."""

    def choose(x: Any, y: Any) -> Any:
        found = extremum(x, y)
        return NotImplemented if found.dtype.kind == "f" and (found == 0).any() else found

    return choose


HOST_KERNELS: dict[str, HostKernel] = {
    "absolute": HostKernel(numpy.absolute, 4000, 4.1),
    "arg_extremum": HostKernel(_arg_extremum, 30_000, 4.1),
    "argsort": HostKernel(_argsort, 2000, 3.7),
    "bitwise_count": HostKernel(numpy.bitwise_count, 2000, 9.7),
    "byteswap": HostKernel(_byteswap, 2000, 4.0),
    "ceil": HostKernel(numpy.ceil, 4000, 4.3),
    "conjugate": HostKernel(numpy.conjugate, 4000, 3.1),
    "count_nonzero": HostKernel(numpy.count_nonzero, 10_000, 1.9),
    "counts": HostKernel(_counts, 2000, 1.6),
    "divmod": HostKernel(numpy.divmod, 2000, 3.7),
    "equal": HostKernel(numpy.equal, 8000, 1.6),
    "floor": HostKernel(numpy.floor, 4000, 4.0),
    "floor_divide": HostKernel(numpy.floor_divide, 2000, 7.6),
    "fmax": HostKernel(_of_one_zero(numpy.fmax), 4000, 2.0),
    "fmin": HostKernel(_of_one_zero(numpy.fmin), 4000, 1.0),
    "fmod": HostKernel(numpy.fmod, 2000, 11.1),
    "gcd": HostKernel(numpy.gcd, 0, 3.1),
    "greater": HostKernel(numpy.greater, 8000, 1.0),
    "greater_equal": HostKernel(numpy.greater_equal, 8000, 1.8),
    "histogram": HostKernel(_histogram, 2000, 3.9),
    "inserted": HostKernel(_inserted, 1000, 1.3),
    "isfinite": HostKernel(numpy.isfinite, 4000, 6.3),
    "isinf": HostKernel(numpy.isinf, 10_000, 4.2),
    "isnan": HostKernel(numpy.isnan, 10_000, 4.1),
    "lcm": HostKernel(numpy.lcm, 0, 1.4),
    "less": HostKernel(numpy.less, 8000, 1.3),
    "less_equal": HostKernel(numpy.less_equal, 8000, 1.4),
    "lexsort": HostKernel(_lexsort, 2000, 0.7),
    "logical_and": HostKernel(numpy.logical_and, 8000, 1.0),
    "logical_not": HostKernel(numpy.logical_not, 8000, 1.5),
    "logical_or": HostKernel(numpy.logical_or, 8000, 1.4),
    "logical_xor": HostKernel(numpy.logical_xor, 8000, 1.4),
    "masked": HostKernel(_picked, 1000, 1.6),
    "maximum": HostKernel(numpy.maximum, 4000, 3.5),
    "min": HostKernel(_min, 2000, 3.5),
    "minimum": HostKernel(numpy.minimum, 4000, 3.5),
    "nonzero": HostKernel(_nonzero, 4000, 6.7),
    "not_equal": HostKernel(numpy.not_equal, 8000, 1.4),
    "packed": HostKernel(_packed, 2000, 2.9),
    "picked": HostKernel(_picked, 2000, 4.9),
    "place": HostKernel(_place, 1000, 3.5),
    "positive": HostKernel(numpy.positive, 8000, 4.0),
    "remainder": HostKernel(numpy.remainder, 2000, 9.5),
    "repeated": HostKernel(_repeated, 1000, 1.3),
    "right_shift": HostKernel(numpy.right_shift, 2000, 7.8),
    "sign": HostKernel(numpy.sign, 4000, 4.2),
    "signbit": HostKernel(numpy.signbit, 8000, 3.3),
    "sort": HostKernel(_sort, 1000, 11.9),
    "sort_in_place": HostKernel(_sort_in_place, 1000, 13.5),
    "trunc": HostKernel(numpy.trunc, 4000, 4.1),
    "unpacked": HostKernel(_unpacked, 2000, 6.4),
    "without": HostKernel(_without, 1000, 4.0),
}
"""By the name of the kernel, or of the ufunc.

The factors are those of float64, else of int64 or uint64, as a call has them with
``set_host_kernels(False)`` and without; ``python -m benchmarks.surface --torch-only`` shows most.
``lexsort`` is here for its memory: torch's sorts need three times as much.
"""

_WIDE = frozenset({torch.uint16, torch.uint32, torch.uint64})

_COMPARED = INTEGERS | {torch.bool, torch.float32, torch.float64}

HOST_UFUNCS: dict[str, frozenset[torch.dtype]] = {
    **dict.fromkeys(("isfinite", "isinf", "isnan"), frozenset({torch.float32, torch.float64})),
    **dict.fromkeys(
        ("equal", "greater", "greater_equal", "less", "less_equal", "not_equal"), _COMPARED
    ),
    **dict.fromkeys(("logical_and", "logical_not", "logical_or", "logical_xor"), INTEGERS),
    **dict.fromkeys(("bitwise_count", "divmod", "floor_divide", "remainder"), INTEGERS),
    **dict.fromkeys(("fmod", "right_shift", "sign"), _WIDE),
    **dict.fromkeys(("absolute", "ceil", "conjugate", "floor", "positive"), _WIDE),
    **dict.fromkeys(("fmax", "fmin"), _WIDE | {torch.float32, torch.float64}),
    **dict.fromkeys(("maximum", "minimum"), _WIDE),
    "gcd": frozenset({torch.uint32, torch.uint64}),
    "lcm": INTEGERS,
    "signbit": frozenset({torch.float32, torch.float64}),
    "trunc": _WIDE | {torch.float32, torch.float64},
}
"""The ufuncs of the table, each with the dtypes for which NumPy's loop is the faster one."""


def or_numpys(name: str) -> Callable[[_F], _F]:
    """A kernel that gives large tensors to NumPy's function of the table, where it may."""
    function, least, _ = HOST_KERNELS[name]

    def decorate(kernel: _F) -> _F:
        @wraps(kernel)
        def chosen(x: Tensor, *others: object, **options: object) -> Any:
            if not is_dynamo_compiling() and (
                x.numel() >= least
                or (others and isinstance(others[0], Tensor) and others[0].numel() >= least)
            ):
                found = by_numpy(function, (x, *others), options)
                if found is not NotImplemented:
                    return found
            return kernel(x, *others, **options)

        return chosen  # type: ignore[return-value]

    return decorate


def with_numpys(
    name: str, functions: dict[Any, Callable[..., Any]], numbers: Numbers | None
) -> tuple[dict[Any, Callable[..., Any]], Numbers | None]:
    """A ufunc's functions of tensors, and beside Python numbers, with NumPy's where it may."""
    if name not in HOST_UFUNCS:
        return functions, numbers
    hosted = {dtype: ufunc_or_numpys(name, functions[dtype]) for dtype in HOST_UFUNCS[name]}
    return functions | hosted, numbers and numbers_or_numpys(name, numbers)


def ufunc_or_numpys(name: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """``or_numpys`` of a ufunc of one or two tensors, whose call on few elements costs less.

    Its closure has no ufunc of NumPy, which Dynamo does not take in.
    """
    least = HOST_KERNELS[name].least

    def of_one(x: Tensor) -> Any:
        if not is_dynamo_compiling() and x.numel() >= least:
            found = by_numpy(HOST_KERNELS[name].function, (x,), {})
            if found is not NotImplemented:
                return found
        return kernel(x)

    def of_two(x: Tensor, y: Tensor) -> Any:
        if not is_dynamo_compiling() and (x.numel() >= least or y.numel() >= least):
            found = by_numpy(HOST_KERNELS[name].function, (x, y), {})
            if found is not NotImplemented:
                return found
        return kernel(x, y)

    chosen: Any = of_one if getattr(numpy, name).nin == 1 else of_two
    chosen.kernel = kernel
    return chosen  # type: ignore[no-any-return]


def numbers_or_numpys(name: str, numbers: Numbers) -> Numbers:
    """``ufunc_or_numpys`` with a Python number as one operand."""
    least, dtypes = HOST_KERNELS[name].least, HOST_UFUNCS[name]

    def beside(kernel: Callable[..., Tensor], is_left: bool) -> Callable[..., Tensor]:
        def of_number(x: Tensor, number: float) -> Any:
            if not is_dynamo_compiling() and x.numel() >= least and x.dtype in dtypes:
                args = (number, x) if is_left else (x, number)
                found = by_numpy(HOST_KERNELS[name].function, args, {})
                if found is not NotImplemented:
                    return found
            return kernel(x, number)

        return of_number

    left = numbers.left and beside(numbers.left, is_left=True)
    return Numbers(numbers.dtypes, beside(numbers.right, is_left=False), left)


def kernel_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel that ``ufunc_or_numpys`` takes where it does not take NumPy's function."""
    return getattr(function, "kernel", function)


def write_by_numpy(name: str, x: Tensor, *others: object) -> bool:
    """Whether NumPy's function of the table has written to ``x``; false where it may not."""
    function, least, _ = HOST_KERNELS[name]
    if is_dynamo_compiling() or x.numel() < least:
        return False
    return by_numpy(function, (x, *others), {}) is not NotImplemented


def by_numpy(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What NumPy's function makes of the memory of tensors, as tensors.

    ``NotImplemented`` where a tensor is not of the CPU's memory alone, and where the function says
    so. A function that gives ``None`` has written to the first tensor.
    """
    if not may_use_kernels() or is_transformed() or _is_tracing():
        return NotImplemented
    given: list[Any] = []
    for x in args:
        if isinstance(x, Tensor):
            if type(x) is not Tensor or not x.is_cpu:
                return NotImplemented
            try:
                x = x.numpy()
            except (RuntimeError, TypeError):  # bfloat16, conjugated, with a gradient
                return NotImplemented
        given.append(x)
    with numpy.errstate(all="ignore"):
        found = _as_tensors(function(*given, **kwargs))
    if found is None:
        increment_version((args[0],))
    return found


def _as_tensors(found: object) -> Any:
    if found is NotImplemented or found is None:  # ``at`` writes
        return found
    if isinstance(found, tuple):
        return tuple([_as_tensors(part) for part in found])
    return torch.from_numpy(found if isinstance(found, numpy.ndarray) else numpy.array(found))


_ROUNDED = frozenset({"add", "copysign", "divide", "multiply", "subtract"})
"""Ufuncs of floats whose every step is rounded in one way: in order there is one result.

``add`` and ``multiply`` are folded in pairs by ``reduce`` and ``reduceat``.
"""
_EXTREMA = frozenset({"fmax", "fmin", "maximum", "minimum"})
"""Ufuncs of floats that may choose either of two zeros."""
_LEAST_OF_METHODS = 1000


def by_method(name: str, method: str, *args: Any, **kwargs: Any) -> Any:
    """What a method of NumPy's ufunc ``name`` makes of large tensors of one dtype, by its loop.

    ``NotImplemented`` where it is not given them, or its result is not the only right one.
    """
    x = args[0]
    if is_dynamo_compiling() or x.numel() < _LEAST_OF_METHODS or x.dtype.is_complex:
        return NotImplemented
    function = getattr(getattr(numpy, name), method)
    if not x.dtype.is_floating_point:
        return by_numpy(function, args, kwargs)
    in_pairs = method in ("reduce", "reduceat") and name in ("add", "multiply")
    if name in _ROUNDED and not in_pairs and x.dtype not in HALVES:
        return by_numpy(function, args, kwargs)
    if name not in _EXTREMA or method == "at":
        return NotImplemented
    found = by_numpy(function, args, kwargs)
    return NotImplemented if found is NotImplemented or bool((found == 0).any()) else found
