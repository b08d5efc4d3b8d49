"""Hypothesis profiles and the devices that device-dependent tests run on."""

from __future__ import annotations

import importlib
import os
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"  # SciPy reads it once, when it is imported

import pytest
import torch
from hypothesis import HealthCheck, settings

from tests import quick_compiler, shared_draws, slow, together
from tests.parameter_ids import parameter_id
from xp_torch._torch.patches import when_imported

settings.register_profile(
    "xp-torch",
    max_examples=int(os.environ.get("XP_TORCH_EXAMPLES", "25")),
    deadline=None,
    derandomize="XP_TORCH_SEED" not in os.environ,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
    ],
    database=None,
)
settings.load_profile("xp-torch")
torch.set_num_threads(1)
quick_compiler.use()
when_imported("torch._dynamo.config", lambda module: quick_compiler.use())


def present_devices() -> list[str]:
    """The devices with real values on this machine: the CPU, and CUDA where there is one.

    ``XP_TORCH_DEVICES=npy`` names others; ``npy`` is defined for it.
    """
    if named := os.environ.get("XP_TORCH_DEVICES"):
        if "npy" in named.split(","):
            importlib.import_module("xp_backend.npy")
        return named.split(",")
    return ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that are marked slow, too")
    parser.addoption("--apart", action="store_true", help="run each case as a test of its own")
    if not pluginmanager.hasplugin("timeout"):  # pytest-timeout is optional beside a GPU
        parser.addini("timeout", "not in force without pytest-timeout")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(together.Count())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "device" in metafunc.fixturenames:
        metafunc.parametrize("device", present_devices())


def pytest_make_parametrize_id(config: pytest.Config, val: Any, argname: str) -> str | None:
    return parameter_id(val)


@pytest.hookimpl(trylast=True)  # after other files have put marks on the items
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    slow.deselect(config, items)
    if shared_draws.requested():
        shared_draws.share(items)
    # torch starts a thread for each device at the first backward pass of a process: a device that
    # is defined later has none.
    of_backend = [item for item in items if "xp_backend" in item.path.parts]
    if len(of_backend) < len(items):
        for item in of_backend:
            item.add_marker(pytest.mark.skip("in a process of its own: pytest tests/xp_backend"))
    together.gather(config, items)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for line in shared_draws.summary():
        terminalreporter.write_line(line)
