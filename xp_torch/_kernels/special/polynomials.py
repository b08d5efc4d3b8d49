"""Orthogonal polynomials of integer orders, by their recurrences (DLMF 18.9).

Orders are tensors, too: a step of the recurrence changes the elements whose order it has not
passed. Gradients in the argument and the parameters go through the steps.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch
from torch import Tensor

from ..blocks import elements_in_blocks, is_large, repeated
from .gamma import binom
from .series import mended, nan_where

State = tuple[Tensor, Tensor]
Parameter = Any  # a tensor, or the number that all its elements are, whose steps are cheaper


def _climb(name: str, n: Parameter, state: State, step: Callable[[int, State], State]) -> State:
    """The state of each element after as many steps as its order says, from step 0 on.

    The highest order decides how many steps there are, so that its value is read.
    """
    common = isinstance(n, float)
    valid = (n >= 0) & (n == n // 1)
    if not (valid if common else n.numel() == 0 or bool(valid.all())):
        raise NotImplementedError(f"{name}: orders that are negative, or no integers")
    for k in range(int(n if common else n.max() if n.numel() else 0)):
        made = step(k, state)
        if not common:
            on = n > k
            made = torch.where(on, made[0], state[0]), torch.where(on, made[1], state[1])
        state = made
    return state


def _of_elements(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """A function of parameters and ``x`` in double precision: of other operands, and in blocks."""

    def in_double(*operands: Tensor) -> Tensor:
        numbers = [None if t.requires_grad else repeated(t) for t in operands[:-1]]
        parameters = [t if m is None else m for t, m in zip(operands, numbers, strict=False)]
        return function(*parameters, operands[-1])

    @wraps(function)
    def kernel(*operands: Tensor) -> Tensor:
        shape = torch.broadcast_shapes(*[t.shape for t in operands])  # type: ignore[no-untyped-call]
        wide = [t.double().expand(shape) for t in operands]
        in_blocks = not any(t.requires_grad for t in wide) and all(is_large(t) for t in wide)
        value = elements_in_blocks(in_double, wide) if in_blocks else in_double(*wide)
        return _narrowed(value, *operands)

    return kernel


def _narrowed(value: Tensor, *operands: Tensor) -> Tensor:
    single = all(t.dtype is torch.float32 for t in operands)
    return value.float() if single else value


def _nan_at_order_0(n: Parameter, x: Tensor, value: Tensor) -> Tensor:
    """NaN where ``x`` is, of order 0 too, which has no steps."""
    return value if isinstance(n, float) and n > 0 else nan_where(torch.isnan(x), value)


@_of_elements
def eval_chebyt(n: Parameter, x: Tensor) -> Tensor:
    """The Chebyshev polynomial of the first kind (DLMF 18.9.1)."""
    twice = 2 * x
    value, _ = _climb(
        "eval_chebyt", n, (torch.ones_like(x), x), lambda _, s: (s[1], twice * s[1] - s[0])
    )
    return _nan_at_order_0(n, x, value)


@_of_elements
def eval_chebyu(n: Parameter, x: Tensor) -> Tensor:
    """The Chebyshev polynomial of the second kind (DLMF 18.9.1)."""
    twice = 2 * x
    value, _ = _climb(
        "eval_chebyu", n, (torch.ones_like(x), twice), lambda _, s: (s[1], twice * s[1] - s[0])
    )
    return _nan_at_order_0(n, x, value)


def eval_chebyc(n: Tensor, x: Tensor) -> Tensor:
    """``2 T_n(x / 2)``."""
    return 2 * eval_chebyt(n, 0.5 * x)


def eval_chebys(n: Tensor, x: Tensor) -> Tensor:
    """``U_n(x / 2)``."""
    return eval_chebyu(n, 0.5 * x)


def eval_sh_chebyt(n: Tensor, x: Tensor) -> Tensor:
    """``T_n(2 x - 1)``."""
    return _narrowed(eval_chebyt(n, 2 * x.double() - 1), n, x)


def eval_sh_chebyu(n: Tensor, x: Tensor) -> Tensor:
    """``U_n(2 x - 1)``."""
    return _narrowed(eval_chebyu(n, 2 * x.double() - 1), n, x)


@_of_elements
def eval_legendre(n: Parameter, x: Tensor) -> Tensor:
    """The Legendre polynomial.

    Near the ends of the interval the differences of the polynomials are summed, and elsewhere the
    polynomials themselves: each is exact where it is used.
    """
    outer = x.abs() > 0.5
    if isinstance(n, float):
        order = n
        middle = _legendre(order, x)
        return mended(middle, outer, lambda x: _legendre_by_differences(order, x), (x, 1.0))
    return torch.where(outer, _legendre_by_differences(n, x), _legendre(n, x))


def _legendre(n: Parameter, x: Tensor) -> Tensor:
    return _climb(
        "eval_legendre", n, (torch.ones_like(x), x),
        lambda k, s: (s[1], torch.addcmul(
            s[0] * (-(k + 1) / (k + 2)), x, s[1], value=(2 * k + 3) / (k + 2)
        )),
    )[0]  # fmt: skip


def _legendre_by_differences(n: Parameter, x: Tensor) -> Tensor:
    from_end = x.abs() - 1

    def differ(k: int, state: State) -> State:
        value, difference = state
        difference = torch.addcmul(
            difference * (k / (k + 1)), from_end, value, value=(2 * k + 1) / (k + 1)
        )
        return value + difference, difference

    ends, _ = _climb("eval_legendre", n, (torch.ones_like(x), torch.zeros_like(x)), differ)
    return torch.where((n % 2 != 0) & (x < 0), -ends, ends)


def eval_sh_legendre(n: Tensor, x: Tensor) -> Tensor:
    """``P_n(2 x - 1)``."""
    return _narrowed(eval_legendre(n, 2 * x.double() - 1), n, x)


def _value_at_1(n: Parameter, a: Parameter, like: Tensor) -> Tensor:
    """``binom(n + a, n)``."""
    top, order = (t if isinstance(t, Tensor) else like.new_tensor(t) for t in (n + a, n))
    return binom(top, order)


@_of_elements
def eval_genlaguerre(n: Parameter, a: Parameter, x: Tensor) -> Tensor:
    """The generalized Laguerre polynomial; NaN for ``a`` of -1 and less."""

    def differ(k: int, state: State) -> State:
        value, difference = state
        difference = torch.addcmul(k * difference, x, value, value=-1) / (k + a + 1)
        return value + difference, difference

    value, _ = _climb("eval_genlaguerre", n, (torch.ones_like(x), torch.zeros_like(x)), differ)
    value = _value_at_1(n, a, x) * value
    if isinstance(a, float) and a > -1:
        return _nan_at_order_0(n, x, value)
    return nan_where((a <= -1) | torch.isnan(x + a), value)


def eval_laguerre(n: Tensor, x: Tensor) -> Tensor:
    """The Laguerre polynomial."""
    return eval_genlaguerre(n, x.new_zeros(()), x)


@_of_elements
def eval_gegenbauer(n: Parameter, a: Parameter, x: Tensor) -> Tensor:
    """The Gegenbauer polynomial."""
    value, _ = _climb(
        "eval_gegenbauer", n, (torch.ones_like(x), 2 * a * x),
        lambda k, s: (s[1], (2 * (k + 1 + a) * x * s[1] - (k + 2 * a) * s[0]) / (k + 2)),
    )  # fmt: skip
    return _nan_at_order_0(n, x + a, value)


@_of_elements
def eval_jacobi(n: Parameter, a: Parameter, b: Parameter, x: Tensor) -> Tensor:
    """The Jacobi polynomial."""
    from_end = x - 1

    def differ(k: int, state: State) -> State:
        value, difference = state
        if k == 0:
            difference = (a + b + 2) / (2 * (a + 1)) * from_end
        else:
            t = 2 * k + a + b
            scale = 2 * (k + a + 1) * (k + a + b + 1) * t
            rise = t * (t + 1) * (t + 2) / scale * (from_end * value)
            difference = rise + 2 * k * (k + b) * (t + 2) / scale * difference
        return value + difference, difference

    value, _ = _climb("eval_jacobi", n, (torch.ones_like(x), torch.zeros_like(x)), differ)
    value = _value_at_1(n, a, x) * value
    linear = a + 1 + 0.5 * (a + b + 2) * from_end  # also where gamma(a + 1) has a pole
    if isinstance(n, float):
        return value if n > 1 else linear if n else torch.ones_like(x)
    return torch.where(n == 0, 1.0, torch.where(n == 1, linear, value))


def eval_sh_jacobi(n: Tensor, p: Tensor, q: Tensor, x: Tensor) -> Tensor:
    """The shifted Jacobi polynomial, whose highest power has the factor 1."""
    order, a, b = n.double(), p.double(), q.double()
    value = eval_jacobi(order, a - b, b - 1, 2 * x.double() - 1) / binom(2 * order + a - 1, order)
    return _narrowed(value, n, p, q, x)
