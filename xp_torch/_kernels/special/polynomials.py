"""Orthogonal polynomials of integer orders, by their recurrences (DLMF 18.9).

Orders are tensors, too: a step of the recurrence changes the elements whose order it has not
passed. Gradients in the argument and the parameters go through the steps.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .gamma import binom
from .series import nan_where

State = tuple[Tensor, Tensor]


def _climb(name: str, n: Tensor, state: State, step: Callable[[int, State], State]) -> State:
    """The state of each element after as many steps as its order says, from step 0 on.

    The highest order decides how many steps there are, so that its value is read.
    """
    if n.numel() and not bool(((n >= 0) & (n == n.floor())).all()):
        raise NotImplementedError(f"{name}: orders that are negative, or no integers")
    for k in range(int(n.max()) if n.numel() else 0):
        on = n > k
        made = step(k, state)
        state = torch.where(on, made[0], state[0]), torch.where(on, made[1], state[1])
    return state


def _wide(*operands: Tensor) -> list[Tensor]:
    """Operands of one shape in double precision."""
    shape = torch.broadcast_shapes(*[t.shape for t in operands])  # type: ignore[no-untyped-call]
    return [t.double().expand(shape) for t in operands]


def _narrowed(value: Tensor, *operands: Tensor) -> Tensor:
    single = all(t.dtype is torch.float32 for t in operands)
    return value.float() if single else value


def eval_chebyt(n: Tensor, x: Tensor) -> Tensor:
    """The Chebyshev polynomial of the first kind (DLMF 18.9.1)."""
    order, z = _wide(n, x)
    value, _ = _climb(
        "eval_chebyt", order, (torch.ones_like(z), z), lambda _, s: (s[1], 2 * z * s[1] - s[0])
    )
    return _narrowed(nan_where(torch.isnan(z), value), n, x)


def eval_chebyu(n: Tensor, x: Tensor) -> Tensor:
    """The Chebyshev polynomial of the second kind (DLMF 18.9.1)."""
    order, z = _wide(n, x)
    value, _ = _climb(
        "eval_chebyu", order, (torch.ones_like(z), 2 * z), lambda _, s: (s[1], 2 * z * s[1] - s[0])
    )
    return _narrowed(nan_where(torch.isnan(z), value), n, x)


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


def eval_legendre(n: Tensor, x: Tensor) -> Tensor:
    """The Legendre polynomial.

    Near the ends of the interval the differences of the polynomials are summed, and elsewhere the
    polynomials themselves: each is exact where it is used.
    """
    order, z = _wide(n, x)
    plain, _ = _climb(
        "eval_legendre", order, (torch.ones_like(z), z),
        lambda k, s: (s[1], ((2 * k + 3) * z * s[1] - (k + 1) * s[0]) / (k + 2)),
    )  # fmt: skip
    from_end = z.abs() - 1

    def differ(k: int, state: State) -> State:
        value, difference = state
        difference = ((2 * k + 1) * from_end * value + k * difference) / (k + 1)
        return value + difference, difference

    ends, _ = _climb("eval_legendre", order, (torch.ones_like(z), torch.zeros_like(z)), differ)
    odd = (torch.remainder(order, 2) != 0) & (z < 0)
    value = torch.where(z.abs() > 0.5, torch.where(odd, -ends, ends), plain)
    return _narrowed(value, n, x)


def eval_sh_legendre(n: Tensor, x: Tensor) -> Tensor:
    """``P_n(2 x - 1)``."""
    return _narrowed(eval_legendre(n, 2 * x.double() - 1), n, x)


def eval_genlaguerre(n: Tensor, alpha: Tensor, x: Tensor) -> Tensor:
    """The generalized Laguerre polynomial; NaN for ``alpha`` of -1 and less."""
    order, a, z = _wide(n, alpha, x)

    def differ(k: int, state: State) -> State:
        value, difference = state
        difference = (-z * value + k * difference) / (k + a + 1)
        return value + difference, difference

    one = torch.ones_like(z)
    value, _ = _climb("eval_genlaguerre", order, (one, torch.zeros_like(z)), differ)
    value = binom(order + a, order) * value
    return _narrowed(nan_where((a <= -1) | torch.isnan(z + a), value), n, alpha, x)


def eval_laguerre(n: Tensor, x: Tensor) -> Tensor:
    """The Laguerre polynomial."""
    return _narrowed(eval_genlaguerre(n, torch.zeros_like(x), x), n, x)


def eval_gegenbauer(n: Tensor, alpha: Tensor, x: Tensor) -> Tensor:
    """The Gegenbauer polynomial."""
    order, a, z = _wide(n, alpha, x)
    value, _ = _climb(
        "eval_gegenbauer", order, (torch.ones_like(z), 2 * a * z),
        lambda k, s: (s[1], (2 * z * (k + 1 + a) * s[1] - (k + 2 * a) * s[0]) / (k + 2)),
    )  # fmt: skip
    return _narrowed(nan_where(torch.isnan(z + a), value), n, alpha, x)


def eval_jacobi(n: Tensor, alpha: Tensor, beta: Tensor, x: Tensor) -> Tensor:
    """The Jacobi polynomial."""
    order, a, b, z = _wide(n, alpha, beta, x)

    def differ(k: int, state: State) -> State:
        value, difference = state
        if k == 0:
            difference = (a + b + 2) * (z - 1) / (2 * (a + 1))
        else:
            t = 2 * k + a + b
            rise = t * (t + 1) * (t + 2) * (z - 1) * value + 2 * k * (k + b) * (t + 2) * difference
            difference = rise / (2 * (k + a + 1) * (k + a + b + 1) * t)
        return value + difference, difference

    one = torch.ones_like(z)
    value, _ = _climb("eval_jacobi", order, (one, torch.zeros_like(z)), differ)
    value = binom(order + a, order) * value
    linear = a + 1 + 0.5 * (a + b + 2) * (z - 1)  # also where gamma(a + 1) has a pole
    value = torch.where(order == 0, 1.0, torch.where(order == 1, linear, value))
    return _narrowed(value, n, alpha, beta, x)


def eval_sh_jacobi(n: Tensor, p: Tensor, q: Tensor, x: Tensor) -> Tensor:
    """The shifted Jacobi polynomial, whose highest power has the factor 1."""
    order, a, b, z = _wide(n, p, q, x)
    value = eval_jacobi(order, a - b, b - 1, 2 * z - 1) / binom(2 * order + a - 1, order)
    return _narrowed(value, n, p, q, x)
