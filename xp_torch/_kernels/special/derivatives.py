"""Special functions with derivatives that are special functions too.

Autograd through a series would cost as much memory as the series has steps, and would be NaN where
a branch that was not taken has no derivative. So each function names its partial derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch.compiler import is_compiling

from ..blocks import elements_in_blocks, is_large

Function = Callable[..., Any]
Kernel = TypeVar("Kernel", bound=Function)

_WIDER = {torch.float32: torch.float64, torch.complex64: torch.complex128}
_NARROWER = {wide: narrow for narrow, wide in _WIDER.items()}


def special(*derivatives: Function | None) -> Callable[[Kernel], Kernel]:
    """Make a kernel of a function of tensors of one shape in double precision.

    ``derivatives`` has for each operand the function of the operands that is the partial
    derivative, a tuple for a function with several results; ``None`` where there is none.
    The kernel broadcasts its operands, and computes single precision in double precision.
    """

    def decorate(function: Kernel) -> Kernel:
        apply = _with_derivatives(function, derivatives)

        def kernel(*operands: Tensor) -> Any:
            narrow = all(t.dtype in _WIDER for t in operands)
            wide = [t.to(_WIDER.get(t.dtype, t.dtype)) for t in operands]
            if len(wide) > 1:
                shape = torch.broadcast_shapes(*[t.shape for t in wide])  # type: ignore[no-untyped-call]
                wide = [t.expand(shape) for t in wide]
            in_blocks = not any(t.requires_grad for t in wide) and all(is_large(t) for t in wide)
            result = elements_in_blocks(function, wide) if in_blocks else apply(*wide)
            if not narrow:
                return result
            if isinstance(result, tuple):
                return tuple([r.to(_NARROWER[r.dtype]) for r in result])
            return result.to(_NARROWER[result.dtype])

        kernel.__name__ = kernel.__qualname__ = function.__name__
        kernel.__module__, kernel.__doc__ = function.__module__, function.__doc__
        kernel.steps = function  # type: ignore[attr-defined]
        return kernel  # type: ignore[return-value]

    return decorate


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
        def setup_context(ctx: Any, inputs: tuple[Tensor, ...], output: Any) -> None:
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx: Any, *grads: Tensor) -> Any:
            operands = ctx.saved_tensors
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
            operands = ctx.saved_tensors
            totals: list[Any] = []
            for i, tangent in enumerate(tangents):
                if tangent is not None:
                    parts = [tangent * slope for slope in partial(i, operands)]
                    totals = [t + p for t, p in zip(totals, parts, strict=True)] or parts
            return totals[0] if len(totals) == 1 else tuple(totals)

    def apply(*operands: Tensor) -> Any:
        if is_compiling():
            return Traced.apply(*operands)  # type: ignore[no-untyped-call]
        return Special.apply(*operands)  # type: ignore[no-untyped-call]

    return apply
