"""Special functions with derivatives that are special functions too.

Autograd through a series would cost as much memory as the series has steps, and would be NaN where
a branch that was not taken has no derivative. So each function names its partial derivatives.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch.compiler import is_compiling

from ..blocks import elements_in_blocks, is_large, repeated
from .series import readable

Function = Callable[..., Any]
Kernel = TypeVar("Kernel", bound=Function)

_WIDER = {torch.float32: torch.float64, torch.complex64: torch.complex128}
_NARROWER = {wide: narrow for narrow, wide in _WIDER.items()}


def special(
    *derivatives: Function | None, numbers_to: float | None = None
) -> Callable[[Kernel], Kernel]:
    """Make a kernel of a function of tensors of one shape in double precision.

    ``derivatives`` has for each operand the function of the operands that is the partial
    derivative, a tuple for a function with several results; ``None`` where there is none.
    The kernel broadcasts its operands, and computes single precision in double precision.
    With ``numbers_to`` the function takes a number up to that size for its first operand, too: all
    elements are of one order.
    """

    def decorate(function: Kernel) -> Kernel:
        apply = _with_derivatives(function, derivatives)

        def kernel(*operands: Any) -> Any:
            orders: tuple[float, ...] = ()
            if numbers_to is not None:
                orders, operands = _number_apart(numbers_to, *operands)
            narrow = all(t.dtype in _WIDER for t in operands)
            wide = [t.to(_WIDER.get(t.dtype, t.dtype)) for t in operands]
            if len(wide) > 1:
                shape = torch.broadcast_shapes(*[t.shape for t in wide])  # type: ignore[no-untyped-call]
                wide = [t.expand(shape) for t in wide]
            if any(t.requires_grad for t in wide) or not all(is_large(t) for t in wide):
                result = apply(*orders, *wide)
            elif orders:
                result = elements_in_blocks(lambda t: function(*orders, t), wide)
            else:
                result = elements_in_blocks(function, wide)
            if not narrow:
                return result
            if isinstance(result, tuple):
                return tuple([r.to(_NARROWER[r.dtype]) for r in result])
            return result.to(_NARROWER[result.dtype])

        kernel.__name__ = kernel.__qualname__ = function.__name__
        kernel.__module__, kernel.__doc__ = function.__module__, function.__doc__
        kernel.steps = function  # type: ignore[attr-defined]
        kernel.takes_number = numbers_to is not None  # type: ignore[attr-defined]
        return kernel  # type: ignore[return-value]

    return decorate


def _number_apart(
    most: float, order: Tensor | float, *others: Tensor
) -> tuple[tuple[float, ...], tuple[Tensor, ...]]:
    """The order, if it is one number for all elements and not too large, and the tensors."""
    number = None
    if isinstance(order, (int, float)):
        number = float(order)
    elif not order.requires_grad and readable(order) and order.dtype == others[0].dtype:
        number = repeated(order)
        if order.numel() == 1 and order.dim() <= others[0].dim():
            number = float(order)
    if number is not None and abs(number) <= most:
        return (number,), others
    if not isinstance(order, Tensor):
        order = torch.full((), order, dtype=others[0].dtype, device=others[0].device)
    return (), (order, *others)


def in_double(function: Kernel) -> Kernel:
    """A composition of kernels: single precision is computed in double, and rounded once."""

    @functools.wraps(function)
    def composed(*operands: Tensor) -> Tensor:
        if any(t.dtype is not torch.float32 for t in operands):
            return function(*operands)  # type: ignore[no-any-return]
        return function(*[t.double() for t in operands]).float()  # type: ignore[no-any-return]

    return composed  # type: ignore[return-value]


def along(function: Function, i: int) -> Function:
    """The partial derivative for operand ``i`` by forward mode through the steps of a function.

    It costs twice the function and no memory for its steps.
    """

    def derivative(*operands: Tensor) -> Tensor:
        def of_one(t: Tensor) -> Any:
            return function(*operands[:i], t, *operands[i + 1 :])

        x = operands[i].contiguous()  # torch refuses a tangent whose elements share memory
        return torch.func.jvp(of_one, (x,), (torch.ones_like(x),))[1]  # type: ignore[no-any-return]

    return derivative


def _with_derivatives(function: Function, derivatives: tuple[Function | None, ...]) -> Function:
    name = function.__name__

    def partial(i: int, operands: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        derivative = derivatives[i]
        if derivative is None:
            raise NotImplementedError(
                f"{name}: the derivative with respect to operand {i + 1} is not implemented"
            )
        found = derivative(*operands)
        return found if isinstance(found, tuple) else (found,)

    class Traced(torch.autograd.Function):
        generate_vmap_rule = True
        forward = staticmethod(function)  # Dynamo counts its parameters

        @staticmethod
        def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
            tensors = [x for x in inputs if isinstance(x, Tensor)]
            ctx.orders = inputs[: len(inputs) - len(tensors)]
            ctx.save_for_backward(*tensors)
            ctx.save_for_forward(*tensors)

        @staticmethod
        def backward(ctx: Any, *grads: Tensor) -> Any:
            operands = (*ctx.orders, *ctx.saved_tensors)
            found: list[Tensor | None] = []
            for i, x in enumerate(operands):
                if not ctx.needs_input_grad[i]:
                    found.append(None)
                    continue
                total: Any = 0
                for grad, slope in zip(grads, partial(i, operands), strict=True):
                    total = total + grad * slope.conj()
                real = total.is_complex() and not x.is_complex()
                found.append(total.real if real else total)
            return tuple(found)

    class Special(Traced):  # Dynamo refuses functions that have a forward mode of their own
        @staticmethod
        def jvp(ctx: Any, *tangents: Tensor | None) -> Any:
            operands = (*ctx.orders, *ctx.saved_tensors)
            totals: list[Any] = []
            for i, tangent in enumerate(tangents):
                if tangent is not None:
                    parts = [tangent * slope for slope in partial(i, operands)]
                    pairs = zip(totals, parts, strict=True)
                    totals = [t + p for t, p in pairs] if totals else parts
            return totals[0] if len(totals) == 1 else tuple(totals)

    def apply(*operands: Tensor) -> Any:
        if is_compiling():
            return Traced.apply(*operands)  # type: ignore[no-untyped-call]
        return Special.apply(*operands)  # type: ignore[no-untyped-call]

    return apply
