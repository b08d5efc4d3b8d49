"""``where`` is a device with values, or ``npy``, where a copy to the host is an error."""

from __future__ import annotations

import pytest

from tests.conftest import present_devices


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Unless the test or its file says where."""
    said = any("where" in mark.args[0] for mark in metafunc.definition.iter_markers("parametrize"))
    if "where" in metafunc.fixturenames and not said and not hasattr(metafunc.module, "where"):
        metafunc.parametrize("where", [*present_devices(), "npy"])
