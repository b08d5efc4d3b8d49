"""The device ``npy``: it is defined when a test of this folder runs, and never the default."""

from __future__ import annotations

import importlib

import pytest

from xp_backend import BackendEnvironment, BackendTensor


@pytest.fixture
def env() -> BackendEnvironment:
    """The backend ``npy``, with its counters at zero."""
    if BackendTensor.environment is None:
        importlib.import_module("xp_backend.npy")
    found: BackendEnvironment = BackendTensor.environment
    assert found.name == "npy"
    found.report(reset=True)
    return found
