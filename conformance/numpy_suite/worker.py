"""The process that runs test files, `python -m conformance.numpy_suite.worker` with arguments.

It reads commands from its standard input, a JSON object a line: `root` and `file`, the file to
run; `skip`, functions that are left out; `done`, tests that have been run; `only`, patterns. It
writes the events of `conformance.pytest_plugin`, and `ended` with pytest's status after each file.
The namespace is imported once. If the worker dies, the runner starts another one.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import hypothesis
import pytest

from ..pytest_plugin import emit
from . import _conversion_guard
from ._bridge import Bridge
from .plugin import Plugin


def limit_memory(size: int) -> None:
    """Let an allocation beyond the limit fail, if the system supports that."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


def main(module: str, memory: int, may_convert: list[str] | None) -> None:
    """Run test files on a module until the input ends; `memory` is a limit in bytes.

    Only the modules in `may_convert` may convert a tensor to NumPy. None allows all modules.
    """
    hypothesis.settings.register_profile(
        "numpy",
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    hypothesis.settings.load_profile("numpy")
    if may_convert is not None:
        _conversion_guard.close(may_convert)
    bridge = Bridge(module)
    if memory:
        limit_memory(memory)
    emit("ready")
    for line in sys.stdin:
        command = json.loads(line)
        bridge.root = Path(command["root"])
        plugin = Plugin(bridge, command["skip"], command["done"], command["only"])
        status = pytest.main(
            [
                *("-p", "conformance.pytest_plugin", "-p", "no:cacheprovider", "-p", "no:xdist"),
                # This plug-in would collect garbage five times at the end of each file.
                *("-p", "no:unraisableexception"),
                *("-p", "no:hypothesispytest", "--noconftest", "-q", "-c", command["config"]),
                *("--rootdir", command["root"], "--import-mode=importlib"),
                str(Path(command["root"]) / command["file"]),
            ],
            plugins=[plugin],
        )
        emit("ended", status=int(status))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]))
