"""The pytest plug-in of `conformance worlds PATH`: it tells the world and the refusal of each test.

It leaves out tests that run in no world.
"""

from __future__ import annotations

import pytest

from ..pytest_plugin import emit, process, speaks
from .pytest_plugin import REFUSAL, WORLD, world_of

pytest_plugins = ["conformance.worlds.pytest_plugin"]  # where we are not installed


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that have a world, and say which."""
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        world = world_of(item)
        (left if world is None else kept).append(item)
        if world is not None and speaks(config):
            emit("about", id=item.nodeid, world=world.name)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


class _Reporter:
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        properties = dict(report.user_properties)
        if REFUSAL in properties:
            named = {"world": properties[WORLD], "refusal": properties[REFUSAL]}
            emit("about", id=report.nodeid, **named)


def pytest_configure(config: pytest.Config) -> None:
    """Register the hook that hears of reports, in one process."""
    if process(config) is None:
        config.pluginmanager.register(_Reporter())
