"""Find the floating-point errors of a computation, for ``errstate``.

torch does not report them. They are found by comparing operands and results: an infinity or a
NaN that no operand had is an error. Every function here waits for the device, and is called only
while ``errstate.active``. ``operation`` is the name in NumPy's message: the ufunc, ``reduce``,
``cast`` ...
"""

from __future__ import annotations

import cmath
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from xp_torch._kernels import reductions

from . import error_states as errstate
from .dtypes import HALVES, INTEGERS

INDEXED = frozenset({
    "add", "subtract", "multiply", "divide", "floor_divide", "maximum", "minimum", "fmax", "fmin",
})  # fmt: skip
"""The ufuncs that NumPy names in errors of ``at`` on elements along one axis."""

SCALAR = "scalar "
"""The prefix of an operation between scalars, where integers must not overflow."""

Found = dict[str, Tensor]
"""Where errors of each kind were met."""


def _zero(*operands: Tensor) -> Tensor:
    return operands[-1] == 0


_POLES: dict[str, Callable[..., Tensor]] = {
    "divide": _zero,
    "floor_divide": _zero,
    "divmod": _zero,
    "reciprocal": _zero,
    "log": _zero,
    "log2": _zero,
    "log10": _zero,
    "log1p": lambda x: x == -1,
    "arctanh": lambda x: abs(x) == 1,
    "power": lambda a, b: a == 0,
    "float_power": lambda a, b: a == 0,
}
"""Where a function of finite operands has an infinite value."""

_BY_ZERO = frozenset({"floor_divide", "remainder", "divmod", "fmod", "reciprocal"})
_QUIET = frozenset({"spacing", "nextafter", "copysign", "maximum", "minimum", "fmax", "fmin"})
_INVERSE: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "multiply": torch.div, "divide": torch.mul,
}  # fmt: skip
_UNDERFLOWS = frozenset({
    "multiply", "divide", "exp", "exp2", "power", "float_power", "square", "reciprocal", "ldexp",
})  # fmt: skip
_UNSIGNED = frozenset({torch.uint8, torch.uint16, torch.uint32, torch.uint64})
_OF_INTEGERS: dict[str, Callable[..., int]] = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
    "negative": lambda a: -a, "absolute": abs,
}  # fmt: skip
"""The operations in which NumPy checks for integer overflow, for scalars only."""


# --- element by element ---


def check(
    name: str,
    operands: Sequence[Tensor],
    results: tuple[Tensor, ...],
    mask: Tensor | None = None,
    operation: str | None = None,
) -> None:
    """Look for the errors of a ufunc's call where ``mask`` is true, and handle them."""
    if not errstate.looked_for():
        return  # only another context checks for errors
    kinds = find(name, operands, results, mask)
    if (
        operation is not None
        and operation.startswith(SCALAR)
        and _wraps(name, operands, results[0])
    ):
        kinds.add("over")
    errstate.report(kinds, operation or name)


def _wraps(name: str, operands: Sequence[Tensor], result: Tensor) -> bool:
    """Whether the result of an operator on two scalars overflowed their integer dtype."""
    exact = _OF_INTEGERS.get(name)
    if exact is None or result.dtype not in INTEGERS:
        return False
    return exact(*[t.item() for t in operands]) != result.item()


def find(
    name: str, operands: Sequence[Tensor], results: tuple[Tensor, ...], mask: Tensor | None = None
) -> set[str]:
    """The kinds of errors of a ufunc's call."""
    if not errstate.looked_for():
        return set()
    found: Found = {}
    for result in results:
        if _inexact(result):
            _floating(name, operands, result, found)
    if name in _BY_ZERO and operands[0].dtype in INTEGERS:
        _integer(name, operands, found)
    return _kinds({k: where.expand(results[0].shape) for k, where in found.items()}, mask)


def watched(name: str, function: Callable[..., Any], kinds: set[str]) -> Callable[..., Any]:
    """A ufunc's function of tensors that adds the errors of each of its calls to ``kinds``."""

    def looking(*operands: Tensor) -> Any:
        result = function(*operands)
        kinds.update(find(name, operands, result if isinstance(result, tuple) else (result,)))
        return result

    return looking


def _kinds(found: Found, mask: Tensor | None = None) -> set[str]:
    """The kinds of errors that occurred anywhere, out of those that the context checks for."""
    return {
        kind
        for kind in errstate.looked_for()
        if kind in found and bool((found[kind] if mask is None else found[kind] & mask).any())
    }


def _inexact(t: Tensor) -> bool:
    return t.is_floating_point() or t.is_complex()


def _floating(name: str, operands: Sequence[Tensor], result: Tensor, found: Found) -> None:
    result = result.detach()
    operands = [t.detach() for t in operands]
    if name in ("add", "subtract") and result.is_complex():  # each part is computed by itself
        operands = [t.to(result.dtype) for t in operands]
        for part in (torch.real, torch.imag):
            _floating(name, [part(t) for t in operands], part(result), found)
        return
    finite, nan = torch.isfinite(result), torch.isnan(result)
    given_nan, given_finite = torch.zeros_like(nan), torch.ones_like(nan)
    for t in operands:
        if _inexact(t):
            given_nan, given_finite = given_nan | torch.isnan(t), given_finite & torch.isfinite(t)
    if name == "nextafter":  # the result may be an infinity that neither operand is
        given_finite = torch.isfinite(operands[0])
    if name == "spacing" and result.dtype in HALVES:
        _add(found, "invalid", ~given_finite)
    infinite = ~finite & ~nan & given_finite
    if result.is_complex() and name in ("multiply", "square"):
        # NumPy adds up products by fused operations, in which inf - inf does not occur.
        infinite, nan = ~finite & given_finite, nan & ~given_finite
    pole = _POLES.get(name)
    at_pole = torch.zeros_like(nan) if pole is None else pole(*operands)
    # A quotient of complex numbers is infinite in one part, where another may be NaN.
    by_zero = torch.isinf(result) & given_finite if name == "divide" else infinite
    _add(found, "divide", by_zero & at_pole)
    _add(found, "over", infinite & ~at_pole)
    if name in ("floor_divide", "divmod"):  # the quotient is rounded by what is left over
        _add(found, "invalid", infinite & ~at_pole)
    if name not in _QUIET:
        _add(found, "invalid", nan & ~given_nan)
    if name in ("multiply", "divide") and result.is_complex():
        a, b = [t.to(result.dtype) for t in operands]
        _invalid_in_parts(name, a, b, given_finite, found)
    if name in _UNDERFLOWS and result.is_floating_point():
        tiny = (abs(result) < torch.finfo(result.dtype).tiny) & given_finite
        for t in operands[:1] if name != "multiply" else operands:
            if name not in ("exp", "exp2"):
                tiny = tiny & (t != 0)
        inverse = _INVERSE.get(name)
        if inverse is not None:
            tiny = tiny & (inverse(result, operands[1]) != operands[0])
        _add(found, "under", tiny)


def _invalid_in_parts(name: str, a: Tensor, b: Tensor, finite: Tensor, found: Found) -> None:
    """Look for NaN that a step of a complex product or quotient makes of parts that are infinite.

    Another part may be NaN already. The steps are NumPy's: a product is added up by fused
    operations, a quotient is computed by R. L. Smith's method, which compares parts of the divisor.
    """
    x, y, u, v = a.real, a.imag, b.real, b.imag
    made = torch.zeros_like(finite)
    if name == "multiply":
        sums = [(x, u, -y, v), (x, v, y, u)]
    else:
        turned = abs(u) < abs(v)
        u, v = torch.where(turned, v, u), torch.where(turned, u, v)
        x, y = torch.where(turned, y, x), torch.where(turned, x, y)
        ratio, one = v / u, torch.ones_like(u)
        by_zero = (x == 0) | (y == 0)  # 0 / 0
        made = torch.isnan(b) | torch.where(u == 0, by_zero, _makes_nan(ratio, v, u))
        sums = [(x, one, y, ratio), (y, one, -x, ratio)]
    for p, q, r, s in sums:
        first, second = p * q, r * s
        made = made | _makes_nan(second, r, s) | _makes_nan(first + second, first, second)
        made = made | (_makes_nan(first, p, q) & ~torch.isnan(second))
    _add(found, "invalid", made & ~finite)


def _makes_nan(result: Tensor, a: Tensor, b: Tensor) -> Tensor:
    return torch.isnan(result) & ~torch.isnan(a) & ~torch.isnan(b)


def _integer(name: str, operands: Sequence[Tensor], found: Found) -> None:
    divisor = operands[-1]
    if divisor.dtype in _UNSIGNED:
        divisor = divisor.to(torch.int64)
    zero = divisor == 0
    _add(found, "divide", zero)
    if name == "reciprocal":
        _add(found, "invalid", zero)
    elif name in ("floor_divide", "divmod"):
        dividend = operands[0]
        if dividend.dtype not in _UNSIGNED:
            smallest = dividend == torch.iinfo(dividend.dtype).min
            _add(found, "over", smallest & (divisor == -1))


def _add(found: Found, kind: str, where: Tensor) -> None:
    found[kind] = found[kind] | where if kind in found else where


# --- sums and products of many elements ---


Every = Callable[[Tensor], Tensor]
"""For each element of a fold's result, whether a mask holds for all elements that it combines."""


def over(axes: tuple[int, ...], keepdims: bool) -> Every:
    """``Every`` for a reduction."""
    return lambda mask: reductions.all(mask, axes, keepdims)


def along(axis: int) -> Every:
    """``Every`` for an accumulation."""
    return lambda mask: torch.cumsum(~mask, axis) == 0


def check_sum(x: Tensor, result: Tensor, every: Every, operation: str = "reduce") -> None:
    """Look for the errors of a sum of ``x``."""
    errstate.report(find_fold("add", x, result, every), operation)


def find_fold(name: str, x: Tensor, result: Tensor, every: Every) -> set[str]:
    """The errors of a sum or product of ``x``; other folds are checked at each step."""
    if name not in ("add", "multiply") or not _inexact(x) or not errstate.looked_for():
        return set()
    if not _inexact(result):
        return _cast(x, result)
    x, result = x.detach(), result.detach()
    found = _folded(result, every(torch.isfinite(x)), every(~torch.isnan(x)))
    if name == "multiply" and result.is_floating_point():
        found["under"] = (abs(result) < torch.finfo(result.dtype).tiny) & every(x != 0)
    return _kinds(found)


def check_along(operation: str, x: Tensor, axis: int, result: Tensor) -> None:
    """Look for the errors of a transform: each result depends on all elements along an axis."""
    if not errstate.looked_for():
        return
    x, result = x.detach(), result.detach()
    finite, no_nan = [t.all(axis, keepdim=True) for t in (torch.isfinite(x), ~torch.isnan(x))]
    errstate.report(_kinds(_folded(result, finite, no_nan)), operation)


def check_product(
    operation: str,
    function: Callable[[Tensor, Tensor], Tensor],
    a: Tensor,
    b: Tensor,
    result: Tensor,
) -> None:
    """Look for the errors of a product of vectors or matrices, ``function(a, b)``."""
    if not _inexact(result) or not errstate.looked_for():
        return
    a, b, result = a.detach(), b.detach(), result.detach()

    def anywhere(test: Callable[[Tensor], Tensor]) -> Tensor:
        """The results that combine at least one element which passes a test."""
        left, right = test(a).double(), test(b).double()
        return function(left, torch.ones_like(right)) + function(torch.ones_like(left), right) > 0

    found = _folded(result, ~anywhere(_not_finite), ~anywhere(torch.isnan))
    if result.is_floating_point() and result.dtype.itemsize > 2:
        tiny = function(abs(a), abs(b)) < torch.finfo(result.dtype).tiny
        found["under"] = tiny & (function((a != 0).double(), (b != 0).double()) > 0)
    errstate.report(_kinds(found), operation)


def _not_finite(x: Tensor) -> Tensor:
    return ~torch.isfinite(x)


def _folded(result: Tensor, finite: Tensor, no_nan: Tensor) -> Found:
    """The errors of a fold; the masks mark results of finite elements, and of no NaN."""
    nan = torch.isnan(result)
    return {"over": ~torch.isfinite(result) & finite, "invalid": nan & no_nan}


# --- casts ---


def check_cast(x: Tensor, result: Tensor, operation: str = "cast") -> None:
    """Look for the errors of a cast."""
    errstate.report(_cast(x, result), operation)


def check_numbers(numbers: Sequence[complex], result: Tensor) -> None:
    """Look for Python numbers that are beyond the range of the dtype they became."""
    if not errstate.looked_for():
        return
    if _inexact(result) and result.dtype not in (torch.float64, torch.complex128):
        values = result.detach().reshape(-1).tolist()
        if any(map(_overflows, numbers, values)):
            errstate.report({"over"}, "cast")


def _overflows(number: complex, value: complex) -> bool:
    return cmath.isfinite(number) and not cmath.isfinite(value)


def _cast(x: Tensor, result: Tensor) -> set[str]:
    """The errors of a cast; to an integer dtype, only ``invalid`` can occur."""
    if not errstate.looked_for() or result.dtype is torch.bool:
        return set()
    x, result = x.detach(), result.detach()
    if x.is_complex() and result.is_complex():
        x, result = [torch.view_as_real(t.resolve_conj()) for t in (x, result)]
    elif x.is_complex() or result.is_complex():
        x, result = [t.real if t.is_complex() else t for t in (x, result)]
    found: Found = {}
    if result.is_floating_point():
        if result.dtype.itemsize < x.dtype.itemsize:
            found["over"] = torch.isinf(result)
            if x.is_floating_point():
                found["over"] = found["over"] & torch.isfinite(x)
                tiny = abs(result) < torch.finfo(result.dtype).tiny
                found["under"] = tiny & (result.to(x.dtype) != x)
    elif x.is_floating_point():
        low, high = _RANGES[result.dtype]
        x = torch.trunc(x.double())  # the bounds do not fit in 16-bit floats
        found["invalid"] = ~((x >= low) & (x < high))
    return _kinds(found)


_RANGES = {
    **dict.fromkeys((torch.int8, torch.uint8, torch.int16, torch.uint16), (-(2.0**31), 2.0**31)),
    torch.int32: (-(2.0**31), 2.0**31),
    **dict.fromkeys((torch.uint32, torch.int64), (-(2.0**63), 2.0**63)),
    torch.uint64: (-(2.0**63), 2.0**64),
}
"""The range that processors convert to each dtype without an error; small ones use int32."""
