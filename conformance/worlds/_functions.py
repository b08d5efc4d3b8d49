"""Worlds that call the function under test in their own way: compiled, with a gradient."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch.autograd.gradcheck import GradcheckError
from torch.autograd.gradcheck import gradcheck as compare_gradients

import xp_torch

from ._calls import Call
from ._comparison import arrays_of, difference


def _copied(call: Call) -> Call:
    """The call with arrays of its own: the function may write to them."""
    return call.mapped(lambda x: xp_torch.asarray(x, copy=True))


def compiled(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    xp: object,
    rtol: float | None = None,
    gradcheck: bool = False,
) -> Any:
    """Compile the function in one graph, call it, and compare with the call without a compiler.

    The graph is run as it was traced (Dynamo's backend "eager"): whether inductor can generate
    code for it does not depend on the function under test.
    """
    call = Call(function, args, kwargs)
    wanted = _copied(call)()
    traced = torch.compile(function, fullgraph=True, backend="eager", dynamic=False)
    with warnings.catch_warnings():
        # array_api_compat caches answers about types, which a trace may compute again.
        warnings.filterwarnings("ignore", "Dynamo detected a call to a `functools.lru_cache`")
        got = Call(traced, args, kwargs)()
    if text := difference(got, wanted, rtol):
        call.fail(f"compiled, {text}")
    return got


def gradient(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    xp: object,
    rtol: float | None = None,
    gradcheck: bool = False,
) -> Any:
    """Call the function; its floating-point results, or one of them, carry the gradient."""
    call = Call(function, args, kwargs)
    result = call()
    if any(_requires(array) for _, array in call.arrays()):
        kinds = ("real floating", "complex floating")
        found = [x for x in arrays_of(result) if xp_torch.isdtype(x.dtype, kinds)]
        if found and not any(map(_requires, found)):
            call.fail("the result does not carry the gradient of the arguments")
    if gradcheck:
        _check_gradient(call)
    return result


def _requires(array: Any) -> bool:
    return bool(xp_torch.to_torch(array).requires_grad)


def _check_gradient(call: Call) -> None:
    """Compare the derivative with finite differences, in float64."""
    slots = [slot for slot, array in call.arrays() if _requires(array)]

    def over_tensors(*tensors: object) -> Any:
        arrays = {str(s): xp_torch.asarray(t) for s, t in zip(slots, tensors, strict=True)}
        found = arrays_of(call.replaced(**arrays)())
        floating = [x for x in found if xp_torch.isdtype(x.dtype, "real floating")]
        return tuple(xp_torch.to_torch(x) for x in floating)

    values = dict(call.arrays())
    inputs = [
        xp_torch.to_torch(values[slot]).detach().to(torch.float64).requires_grad_()
        for slot in slots
    ]
    try:
        compare_gradients(over_tensors, inputs)
    except GradcheckError as error:
        call.fail(f"the gradient is wrong: {str(error).splitlines()[0]}", error)
