"""``python -m tests.xp_backend.on_library MODULE``: the checks of a device over another library.

A process has one backend, so each library needs its own. The program prints a line for each check
that fails, and the report's transfers that no check asked for.
"""

from __future__ import annotations

import importlib
import sys

import torch

import xp_backend
from tests.xp_backend.test_device import BODIES


def same(got: object, expected: object) -> None:
    if isinstance(expected, torch.Tensor):
        assert isinstance(got, torch.Tensor)
        assert got.dtype is expected.dtype, (got.dtype, expected.dtype)
        torch.testing.assert_close(got.cpu(), expected, equal_nan=True)
    else:
        assert got == expected


def main(module: str) -> int:
    if module == "jax.numpy":
        importlib.import_module("jax").config.update("jax_enable_x64", True)
    env = xp_backend.from_array_api("lib", importlib.import_module(module))
    failed = 0
    for name, body in BODIES.items():
        try:
            same(body(env.name), body("cpu"))
        except Exception as error:
            failed += 1
            print(f"{name}: {type(error).__name__}: {str(error).splitlines()[:1]}")
    print(f"{len(BODIES) - failed} of {len(BODIES)} passed")
    return failed


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1]), 100))
