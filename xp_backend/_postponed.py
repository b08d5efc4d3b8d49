"""What torch's threads of a backward pass cannot do by themselves: carry errors, and end.

torch runs the backward pass of a device in a thread of its own. While an error of Python's leaves
an operator there, torch asks the device guard for its kind, which is a call of Python with the
error still set. That call fails, and the failure ends the process without a message. So the
operator returns a stand-in, and the error is raised where ``backward`` ends, with its traceback.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from . import _views
from ._operators import schema, written
from ._tensor import BackendTensor
from ._torch_internals import at_end_of_backward, tensors_in


def postponed(op: object, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Any:
    """A stand-in for the result of an operator that failed; raises the error where that is safe.

    Only torch's own threads call an operator with no frame of Python below. The stand-in has the
    shape and dtype of the result and is NaN where the dtype has it, since the gradients that are
    computed before ``backward`` ends may reach a leaf.
    """
    if sys._getframe(1).f_back is not None:
        raise error
    result = stand_in(op, args, kwargs)
    raise_later(error)
    return result


def raise_later(error: Exception) -> None:
    """Raise an error where the backward pass that is running ends."""

    def raise_error() -> None:
        raise error

    at_end_of_backward(raise_error)


def carried(hook: Callable[[Tensor], Tensor | None]) -> Callable[[Tensor], Tensor | None]:
    """A hook of a tensor whose error is raised where it is safe; the gradient stays as it is."""

    @functools.wraps(hook)
    def run(grad: Tensor) -> Tensor | None:
        try:
            return hook(grad)
        except Exception as error:
            if sys._getframe(0).f_back is not None:
                raise
            raise_later(error)
            return None

    return run


def stand_in(op: Any, args: tuple[object, ...], kwargs: dict[str, object]) -> Any:
    """What an operator returns, without values."""
    if schema(op).is_mutable:
        names = [a.name for a in schema(op).arguments]
        bound = {**dict(zip(names, args, strict=False)), **kwargs}
        targets = [bound[a.name] for a in written(op)]
        for target in tensors_in(targets):
            target.copy_(unknown(target))
        return targets[0] if len(targets) == 1 else tuple(targets)
    try:
        found = op(*map(on_meta, args), **{k: on_meta(v) for k, v in kwargs.items()})
    except (
        Exception
    ):  # its shape depends on values; a wrong one is torch's own error, which is safe
        first = next(tensors_in([args, kwargs]))
        found = [first for _ in schema(op).returns]
        found = found[0] if len(found) == 1 else tuple(found)
    if isinstance(found, (list, tuple)):
        return type(found)([unknown(t) for t in found])
    return unknown(found)


def on_meta(value: object) -> Any:
    """A value with meta tensors in place of tensors and devices."""
    if isinstance(value, BackendTensor):
        return _views.shadow(value)
    if isinstance(value, Tensor):
        return value.to("meta")
    if isinstance(value, (list, tuple)):
        return type(value)([on_meta(v) for v in value])
    return torch.device("meta") if isinstance(value, torch.device) else value


def unknown(like: object) -> Any:
    """A tensor of the backend without known values: NaN where the dtype has it."""
    if not isinstance(like, Tensor):
        return like
    kind = like.dtype
    value = torch.nan if kind.is_floating_point or kind.is_complex else 0
    made = torch.full(tuple(like.shape), value, dtype=kind, device="cpu")
    return made.to(BackendTensor.environment.device)


def let_threads_finish() -> None:
    """Wait at the end of the process until torch's threads have let go of their last tensors.

    ``backward`` returns before they have. A thread that then asks for Python's lock while the
    interpreter ends would abort the process: https://github.com/pytorch/pytorch/issues/38228
    """
    time.sleep(0.02)
