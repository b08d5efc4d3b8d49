"""What happens before a call of torch where a default device lets torch ask Python first.

A default device is a mode that sees each call of torch's functions from Python. So writes that
wait on the host can be done before torch computes with the memory that they are for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

import torch
from torch import Tensor
from torch.utils import _device
from torch.utils._device import DeviceContext

from .internals import TENSOR_ATTRIBUTES, count_function_modes, is_view
from .patches import when_imported

_VALUES = frozenset({"T", "mT", "H", "mH", "real", "imag", "data", "grad"})
_OF_MEMORY: frozenset[Any] = frozenset(
    attribute.__get__
    for name, attribute in TENSOR_ATTRIBUTES.items()
    if type(attribute).__name__ == "getset_descriptor" and name not in _VALUES
) | {
    Tensor.dim, Tensor.size, Tensor.numel, Tensor.nelement, Tensor.ndimension, Tensor.stride,
    Tensor.storage_offset, Tensor.is_contiguous, Tensor.is_complex, Tensor.is_floating_point,
    Tensor.is_signed, Tensor.is_conj, Tensor.is_neg, Tensor.is_inference, Tensor.get_device,
    Tensor.element_size, Tensor.__len__, is_view,
}  # fmt: skip
"""Functions that read no values: they need not wait for a write."""


def act_before_calls(waiting: Sequence[object], act: Callable[[], None]) -> bool:
    """Run ``act`` before each call of torch that may read values, while something is ``waiting``.

    In threads with a default device; also before the device is no default any more. ``False``, and
    nothing is changed, where torch's default device is none that is known.
    """
    asked = signature(DeviceContext.__torch_function__).parameters
    constructors = getattr(_device, "_device_constructors", None)
    if list(asked) != ["self", "func", "types", "args", "kwargs"] or constructors is None:
        return False
    constructors = constructors()
    leave: Any = DeviceContext.__exit__

    def of_call(
        self: Any, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if waiting and func not in _OF_MEMORY:
            act()
        if func in constructors and (not kwargs or kwargs.get("device") is None):
            kwargs = {**(kwargs or {}), "device": self.device}
        return func(*args, **kwargs) if kwargs else func(*args)

    def leaving(self: Any, *raised: Any) -> None:
        if waiting:
            act()
        leave(self, *raised)

    DeviceContext.__torch_function__ = of_call  # type: ignore[method-assign]
    DeviceContext.__exit__ = leaving  # type: ignore[method-assign]
    return True


def act_before_compiling(act: Callable[[], None]) -> None:
    """Run ``act`` where something asks Dynamo for compiled code, which does not ask a mode."""

    def change(module: Any) -> None:
        begin = module.OptimizeContext.__init__

        def beginning(self: Any, *args: Any, **kwargs: Any) -> None:
            act()
            begin(self, *args, **kwargs)

        module.OptimizeContext.__init__ = beginning

    when_imported("torch._dynamo.eval_frame", change)


def sees_calls() -> bool:
    """Whether the default device that is set for this thread sees its calls of torch."""
    default = getattr(getattr(torch, "_GLOBAL_DEVICE_CONTEXT", None), "device_context", None)
    return (
        default is not None
        and bool(count_function_modes())
        and torch._C._get_function_stack_at(0) is default
    )
