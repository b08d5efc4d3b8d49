"""Marks the tests for which the installed NumPy or torch is too old."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import is_hypothesis_test

from numpy_shim._base.release import RELEASE
from tests.numpy_shim.older_releases import reason_of

_TORCH = tuple(int(part) for part in torch.__version__.split(".")[:2])
_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(_HERE):
            test = item.nodeid[item.nodeid.index(item.path.name) :]
            reason = reason_of(test, RELEASE, _TORCH)
            if reason is not None:
                # programs drawn by number may not have what fails, or on another processor
                drawn = is_hypothesis_test(getattr(item, "function", None)) or item.path.name == (
                    "test_random_writes.py"
                )
                item.add_marker(pytest.mark.xfail(strict=not drawn, reason=reason))
