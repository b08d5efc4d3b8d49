"""Devices: accepted arguments, and the devices of this machine."""

from __future__ import annotations

import torch
from torch.compiler import is_dynamo_compiling

from .._torch.internals import count_function_modes, mode_device, tensor_type_device
from .box import note_device

CPU = torch.device("cpu")


def present() -> list[torch.device]:
    """The devices that hold values on this machine: the CPU, and each one of the accelerator."""
    kind = torch.accelerator.current_accelerator(check_available=True)
    if kind is None:
        return [CPU]
    return [CPU, *(torch.device(kind.type, i) for i in range(torch.accelerator.device_count()))]


def lacking_dtypes(device: torch.device) -> frozenset[torch.dtype]:
    """The dtypes that a device cannot store: float64 and complex128 on Apple's MPS.

    The module of a device written in Python tells of its own, by a function of this name.
    """
    if device.type in ("cpu", "cuda"):
        return frozenset()
    if device.type == "mps":
        return frozenset({torch.float64, torch.complex128})
    ask = getattr(getattr(torch, device.type, None), "lacking_dtypes", frozenset)
    found: frozenset[torch.dtype] = ask()
    return found


def device_of_doubles(device: torch.device | None) -> torch.device | None:
    """Where float64 values for a device are computed: there, or on the CPU if it lacks float64."""
    if is_dynamo_compiling() or (device is None and default_is_cpu()):
        return device
    place = torch.get_default_device() if device is None else device
    return CPU if torch.float64 in lacking_dtypes(place) else device


def default_is_cpu() -> bool:
    """Whether new tensors go to the CPU. Without a mode but the default device, torch knows."""
    if not is_dynamo_compiling():
        if not count_function_modes():
            if tensor_type_device() == "cpu":
                return True
        elif (device := mode_device()) is not None:
            return device.type == "cpu"
    return torch.empty(0).is_cpu  # costs a quarter of asking torch for the default device


def default_device() -> torch.device:
    """Where new tensors go, maybe without the index; asking torch may cost two operators."""
    device = None if is_dynamo_compiling() else mode_device()
    return torch.get_default_device() if device is None else device


def normalize_device(name: str, device: object, argument: str = "device") -> torch.device:
    """Convert a device or its name to a ``torch.device`` that exists, with its index.

    Raises a ``ValueError`` that names it for anything else.
    """
    if isinstance(device, str):
        try:
            found = torch.device(device)
        except RuntimeError:
            raise ValueError(f"{name}: {argument} {device!r} is not a device") from None
    elif isinstance(device, torch.device):
        found = device
    else:
        raise ValueError(f"{name}: {argument} must be a torch.device or its name, not {device!r}")
    kind, index = found.type, found.index
    if kind != "cpu":
        note_device()
    if kind in ("cpu", "meta"):
        return found if index is None else torch.device(kind)  # type: ignore[redundant-expr]
    if kind == "cuda" and torch.cuda.is_available():
        if index is None:
            return torch.device(kind, torch.cuda.current_device())
        if index < torch.cuda.device_count():
            return found
    elif _exists(found):
        # There is one MPS device, and its tensors name it with an index.
        return torch.device(kind, 0) if kind == "mps" and not index else found
    raise ValueError(
        f"{name}: {argument} {str(found)!r} is not on this machine, which has "
        f"{', '.join(map(str, present()))}"
    )


def _exists(device: torch.device) -> bool:
    """Whether torch can create a tensor on a device of a type unknown to this module."""
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, ImportError):
        # torch says "not compiled with" in an AssertionError, "no kernel" in a
        # NotImplementedError (a RuntimeError) and "no module torch.hpu" in an ImportError.
        return False
    return True


def move(name: str, tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Copy ``tensor`` to another device. ``ValueError`` for a source without values (meta).

    torch stages a copy from pageable memory before the call returns, so nobody need wait for it. A
    copy from pinned memory must be awaited, because the owner may write to that memory.
    """
    if tensor.is_meta and device.type != "meta":
        raise ValueError(f"{name}: an array on the meta device has no values to move to {device}")
    staged = device.type == "cuda" and tensor.is_cpu and not tensor.is_pinned()
    return tensor.to(device, non_blocking=staged)
