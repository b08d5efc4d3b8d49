"""The device ``jax``: importing this module makes it, over JAX's arrays, with 64-bit dtypes."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy

import xp_backend

# Without it JAX has no float64, int64, uint64 and complex128.
config: Any = jax.config  # without types, whether or not JAX is installed
config.update("jax_enable_x64", True)

environment = xp_backend.from_array_api("jax", jax.numpy, complex_of=jax.lax.complex)
"""The backend: ``environment.report()`` tells what it did."""
