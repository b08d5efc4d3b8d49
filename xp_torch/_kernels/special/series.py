"""Sums, logarithms without cancellation, and a root finder: what the families share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch.compiler import is_compiling

from ..._torch.internals import in_forward_mode, is_traced, is_transformed
from ..host_reads import possible

Compute = TypeVar("Compute", bound=Callable[..., Any])
Values = TypeVar("Values", bound=Tensor | tuple[Tensor, ...])

EPSILON = 2.0**-52


def polynomial(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """The polynomial with these coefficients, that of the highest power first (Horner).

    There are two and more. Where torch may write to the steps, it takes one call for each.
    """
    if few(x) and x.dtype is torch.float64:
        return combined(tuple(coefficients[::-1]), powers(x, len(coefficients)))
    total = x * coefficients[0] + coefficients[1]
    if x.dtype is torch.float64 and not x.requires_grad and readable(x):
        for number in _numbers(tuple(coefficients[2:])):
            torch.addcmul(number, total, x, out=total)
        return total
    for c in coefficients[2:]:
        total = total * x + c
    return total


_FEW = 1 << 10


def few(x: Tensor) -> bool:
    """Whether terms are computed side by side: of few elements on a device, outside of traces.

    A call of torch costs more than they do. In forward mode they are not: the second derivative of
    torch's ``cumprod`` is wrong at 0 there.
    """
    if x.is_cpu or x.numel() > _FEW or is_compiling():
        return False
    return not (is_traced() or in_forward_mode())


def orders(count: int, like: Tensor, first: int = 1) -> Tensor:
    """The numbers from ``first`` on, along one more axis at the front."""
    numbers = torch.arange(first, first + count, dtype=like.dtype, device=like.device)
    return numbers.reshape(-1, *[1] * like.dim())


def sum_of_products(ratios: Tensor, weights: Tensor | None = None) -> Tensor:
    """The sum of terms, each the one before times a ratio, by weights; the first is a ratio."""
    terms = torch.cumprod(ratios, 0)
    return (terms if weights is None else terms * weights).sum(0)


def powers(x: Tensor, count: int) -> Tensor:
    """1, x, x**2 and so on, along one more axis at the front."""
    first = torch.ones_like(x)[None]
    return torch.cat((first, torch.cumprod(x.expand(count - 1, *x.shape), 0)))


def combined(rows: tuple[Any, ...], terms: Tensor) -> Tensor:
    """The sum of terms by factors, numbers; of a tuple of such rows a sum for each."""
    factors = _on_device(rows, terms.device)
    shape = (*factors.shape, *[1] * (terms.dim() - 1))
    return (factors.reshape(shape) * terms).sum(factors.dim() - 1)


@lru_cache(256)
def _on_device(values: tuple[Any, ...], device: torch.device) -> Tensor:
    with torch.inference_mode(False):
        return torch.tensor(values, dtype=torch.float64, device=device)


@cache
def _numbers(values: tuple[float, ...]) -> tuple[Tensor, ...]:
    return torch.tensor(values, dtype=torch.float64, device="cpu").unbind()


def constant(function: Compute) -> Compute:
    """Of the same arguments computed once, on the CPU, and a constant of a graph."""

    @lru_cache(256)
    def kept(*arguments: Any) -> Any:
        with torch.device("cpu"):
            return function(*arguments)

    make: Any = torch.compiler.assume_constant_result
    return make(lambda *arguments: kept(*arguments))  # type: ignore[no-any-return]


_STEP = 5


def chebyshev(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """The sum of ``c[k] T_k(x)``.

    It is a sum of ``T_j(T_5(x)) T_i(x)`` with i below 5: T_(m + n) is 2 T_m T_n - T_|m - n| (DLMF
    18.18.21). A term is one step of torch's, and no value depends on more than a few others, which
    keeps inductor from writing out their expressions again and again, as Clenshaw's scheme does.
    """
    rows = _rows_of_products(tuple(coefficients))
    inner = _polynomials(x, _STEP)
    total: Any = 0.0
    for outer, row in zip(_polynomials(inner[_STEP], len(rows) - 1), rows, strict=True):
        part: Any = torch.full_like(x, row[0])
        for polynomial_i, c in zip(inner[1:_STEP], row[1:], strict=True):
            part = torch.add(part, polynomial_i, alpha=c)
        total = part if isinstance(outer, float) else torch.addcmul(total, part, outer)
    return total  # type: ignore[no-any-return]


def _polynomials(x: Tensor, count: int) -> list[Any]:
    """T_0 to T_count of x."""
    found: list[Any] = [1.0, x]
    for k in range(2, count + 1):
        low = k // 2
        found.append(2 * found[low] * found[k - low] - (x if k % 2 else 1.0))
    return found[: count + 1]


@constant
def _rows_of_products(coefficients: tuple[float, ...]) -> list[list[float]]:
    """The factors of ``T_(5 j) T_i``, a row for each j."""
    count = -(-len(coefficients) // _STEP)
    rest = [*coefficients, *[0.0] * (count * _STEP - len(coefficients))]
    rows = []
    for j in range(count - 1, -1, -1):
        row = rest[j * _STEP : (j + 1) * _STEP]
        for i in range(1, _STEP if j else 0):
            rest[j * _STEP - i] -= row[i]
            row[i] *= 2
        rows.append(row)
    return rows[::-1]


def nan_where(condition: Tensor, values: Tensor) -> Tensor:
    """The values, with NaN where the condition holds."""
    return torch.where(condition, math.nan, values)


def readable(x: Tensor) -> bool:
    """Whether steps may depend on values: on the CPU, outside of traces and transforms."""
    return possible(x) and x.is_cpu and not is_transformed()


def branch(
    where: Tensor, function: Callable[..., Any], *operands: tuple[Tensor, float], results: int = 1
) -> Any:
    """A function where a condition holds, of tensors of its shape; elsewhere any value.

    Beside each tensor stands a number for which the function is harmless. It is computed elsewhere,
    but for the CPU, where only the elements are computed that are wanted.
    """
    if not readable(where):
        return function(*[torch.where(where, t, c) for t, c in operands])
    at = where.reshape(-1).nonzero().squeeze(1)
    if len(at) == where.numel():
        return function(*[t for t, _ in operands])
    found: Any = [None] * results
    if len(at):
        part = function(*[t.reshape(-1).index_select(0, at) for t, _ in operands])
        found = part if isinstance(part, tuple) else (part,)
    whole = []
    for values in found:
        made = torch.zeros_like(operands[0][0], memory_format=torch.contiguous_format)
        whole.append(made if values is None else made.view(-1).index_copy_(0, at, values))
    shaped = tuple([w.reshape(where.shape) for w in whole])
    return shaped if results > 1 else shaped[0]


def mended(
    values: Values, where: Tensor, function: Callable[..., Any], *operands: tuple[Tensor, float]
) -> Values:
    """``values``, which are written to, but where a condition holds, those of a function.

    The operands are those of ``branch``. ``values`` may be a tuple, like those of the function.
    """
    whole: Any = values if isinstance(values, tuple) else (values,)
    at: Tensor | None = None
    if not readable(where):
        found = branch(where, function, *operands, results=len(whole))
    else:
        at = where.reshape(-1).nonzero().squeeze(1)
        if len(at) == 0:
            return values
        if len(at) == where.numel():
            return function(*[t for t, _ in operands])  # type: ignore[no-any-return]
        found = function(*[t.reshape(-1).index_select(0, at) for t, _ in operands])
    pairs = zip(whole, found if isinstance(found, tuple) else (found,), strict=True)
    made: Any = tuple(
        [torch.where(where, p, v) if at is None else _changed(v, at, p) for v, p in pairs]
    )
    return made if isinstance(values, tuple) else made[0]  # type: ignore[no-any-return]


def _changed(values: Tensor, at: Tensor, part: Tensor) -> Tensor:
    if values.requires_grad or part.requires_grad:
        return values.reshape(-1).index_copy(0, at, part).reshape(values.shape)
    return values.reshape(-1).index_copy_(0, at, part).reshape(values.shape)


# (atanh(r) - r) / r^3 in r^2 for r between -1/4 and 0.26: computed with 50 digits by mpmath
_ATANH = [
    0.06982180197971741, 0.05652215038214528, 0.06682833498049619, 0.07691652996336212,
    0.0909092457785894, 0.11111110906014379, 0.14285714287071757, 0.19999999999996548,
    0.33333333333333337,
]  # fmt: skip


def log1p_minus(x: Tensor) -> Tensor:
    """``log(1 + x) - x`` without cancellation near 0.

    With ``r = x / (2 + x)``, log(1 + x) is 2 atanh(r) (DLMF 4.6.7), and x is 2 r / (1 - r).
    """
    r = x / (2 + x)
    square = r * r
    near = r * (2 * square * polynomial(square, _ATANH) - x)
    far = ~((x > -0.4) & (x < 0.7))
    return mended(near, far, lambda z: torch.log1p(z) - z, (x, 1.0))


# 1 / (k + 2)! of (exp(x) - 1 - x) / x^2 for |x| up to a half
_EXP = [1 / math.factorial(k) for k in range(14, 1, -1)]


def expm1_minus(x: Tensor) -> Tensor:
    """``exp(x) - 1 - x`` without cancellation near 0."""
    near = x * x * polynomial(x, _EXP)
    return mended(near, ~(x.abs() < 0.5), lambda z: torch.expm1(z) - z, (x, 1.0))


def sin_pi(x: Tensor) -> Tensor:
    """``sin(pi x)``, exact at the integers."""
    half = torch.round(x)
    odd = half - 2 * torch.floor(0.5 * half)
    return torch.sin(math.pi * (x - half)) * (1 - 2 * odd)


def cos_pi(x: Tensor) -> Tensor:
    """``cos(pi x)``, exact at multiples of a half."""
    return sin_pi(torch.remainder(x, 2) + 0.5)


def root(
    function: Callable[..., tuple[Tensor, Tensor, Tensor]],
    start: Tensor,
    low: Tensor,
    high: Tensor,
    steps: int,
    *operands: Tensor,
    near: float = 3e-6,
) -> Tensor:
    """The zero of an increasing function in a bracket, by Halley's steps that stay inside.

    ``function`` of the argument and the operands gives values, slopes, and the second derivative
    over the first. Where a step leaves the bracket, it is halved instead. Where values may be read,
    elements that were ``near`` before a step have no next one: its error is the cube of the step
    times a number of the size of the squared bend.
    """
    value, slope, bend = function(start, *operands)
    low = torch.where(value < 0, start, low)
    high = torch.where(value > 0, start, high)
    step = value / slope
    candidate = start - step / (1 - 0.5 * step * bend).clamp(0.5, 2)
    inside = (candidate >= low) & (candidate <= high)
    x = torch.where(value == 0, start, torch.where(inside, candidate, 0.5 * (low + high)))
    if steps == 1:
        return x
    if not readable(x):
        return root(function, x, low, high, steps - 1, *operands, near=near)
    going = ~((step.abs() * (1 + bend.abs()) < near) | (value == 0))
    given = [(t, 0.0) for t in (x, low, high, *operands)]

    def further(x: Tensor, low: Tensor, high: Tensor, *rest: Tensor) -> Tensor:
        return root(function, x, low, high, steps - 1, *rest, near=near)

    return mended(x, going, further, *given)


def is_integer(x: Tensor) -> Tensor:
    return torch.floor(x) == x
