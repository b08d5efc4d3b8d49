"""The device that the tests run on, as torch's default."""

from __future__ import annotations

import importlib

MODULES = {"npy": "xp_backend.npy", "jax": "conformance._jax_device"}
"""Devices that a module defines when it is imported."""


def set_default(device: str) -> None:
    """Make a device torch's default; define it first if a module of ours does."""
    import torch

    module = MODULES.get(device.partition(":")[0])
    if module is not None:
        importlib.import_module(module)
    torch.set_default_device(device)
