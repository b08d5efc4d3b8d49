"""Sets the device that a program runs on."""

from __future__ import annotations

import torch

from .threads import in_started_threads


class LaunchError(Exception):
    """The program cannot be started; the message says why."""


def set_device(device: str) -> None:
    """Make a device torch's default, after testing it; does nothing for an empty name."""
    if not device:
        return
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise LaunchError(f"the device {device!r} cannot be used: {reason}") from None
    torch.set_default_device(device)
    in_started_threads(lambda: torch.device(device))
