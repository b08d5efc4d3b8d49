"""Sets the device that a program runs on."""

from __future__ import annotations

import importlib

import torch

from xp_torch._core.devices import normalize_device

from .threads import in_started_threads

MODULES = {"npy": "xp_backend.npy"}
"""Devices that a module of the distribution defines when it is imported."""


class LaunchError(Exception):
    """The program cannot be started; the message says why."""


def set_device(device: str) -> None:
    """Make a device torch's default, after testing it; does nothing for an empty name."""
    if not device:
        return
    module = MODULES.get(device.partition(":")[0])
    try:
        if module is not None:
            importlib.import_module(module)
        normalize_device("--device", device)
        torch.empty(0, device=device)
    except ValueError as error:
        raise LaunchError(str(error)) from None
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise LaunchError(f"the device {device!r} cannot be used: {reason}") from None
    torch.set_default_device(device)
    in_started_threads(lambda: torch.device(device))
