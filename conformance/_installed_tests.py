"""The pytest run of tests that another package ships, in the place where it is installed."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ._runner import has_xdist
from ._session import PLUGINS, limits
from .pytest_plugin import DEVICE
from .session_plugin import MODULE

CONFIGURATION = Path(__file__).with_name("backends") / "pytest.ini"


@dataclass(frozen=True, kw_only=True)
class InstalledTests:
    """The settings of a run; file names are relative to the folder `root`."""

    plugin: ClassVar[str]
    """The module of the pytest plug-in that brings the namespace into the tests."""

    devices: ClassVar[tuple[str, ...]] = (DEVICE,)
    """The environment variables that name a device."""

    module: str
    root: Path
    files: tuple[str, ...]
    jobs: int
    timeout: float = 300.0
    only: str | None = None
    device: str | None = None

    def named(self) -> dict[str, str]:
        """The environment variables that tell the plug-in what to do."""
        raise NotImplementedError

    def on_device(self) -> dict[str, str]:
        """The environment variables for the device, none without one."""
        return dict.fromkeys(self.devices, self.device) if self.device else {}

    def words(self) -> list[str]:
        """The pytest command."""
        options = ["--continue-on-collection-errors", "--tb=short", *limits(self.timeout)]
        if has_xdist():
            options += ["-n", str(self.jobs), "--max-worker-restart", "1000000"]
        if self.only:
            options += ["-k", self.only]
        return [sys.executable, *self._pytest(), *options, *self.files]

    def _pytest(self) -> list[str]:
        folder = str(self.root)
        paths = ["-c", str(CONFIGURATION), "--rootdir", folder, "--confcutdir", folder]
        return ["-m", "pytest", *paths, "-p", "no:cacheprovider"]

    def variables(self) -> dict[str, str]:
        """The environment of the tests."""
        variables = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            # Parameters held in sets must have the same order in all workers of pytest-xdist.
            "PYTHONHASHSEED": "0",
            MODULE: self.module,
        }
        variables.setdefault("OMP_NUM_THREADS", "1")  # threads slow small arrays down
        for name in ("PYTEST_ADDOPTS", *self.devices):
            variables.pop(name, None)
        # With -p, a worker of pytest-xdist loads the plug-in after the library's conftest.
        variables["PYTEST_PLUGINS"] = ",".join((*PLUGINS, self.plugin))
        return variables | self.named()

    def repeat(self, test_id: str) -> str:
        """The shell command that repeats one test."""
        named = {**self.named(), "PYTEST_PLUGINS": f"{PLUGINS[0]},{self.plugin}"}
        told = " ".join(f"{k}={shlex.quote(v)}" for k, v in named.items())
        words = shlex.join(["python", *self._pytest(), test_id])
        return f"cd {shlex.quote(str(self.root))} && {told} {words}"
