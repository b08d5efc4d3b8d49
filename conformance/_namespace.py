"""Import a namespace by its name, and describe it.

`python -m conformance._namespace MODULE [DEVICE]` prints that as JSON. The runner calls it in a
subprocess, so that a namespace that crashes at import does not stop the runner.
"""

from __future__ import annotations

import importlib
import json
import os
import site
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._device import set_default
from ._results import UnableError
from ._target import target


@dataclass(frozen=True)
class About:
    """The description of a namespace."""

    version: str
    api_version: str
    target: dict[str, str] = field(default_factory=dict)


class NamespaceError(UnableError):
    """A namespace that cannot be imported or cannot be put on the device."""


def load(name: str) -> Any:
    """The namespace: a module, or an attribute of one, as in the suite's variable."""
    package, _, rest = name.partition(".")
    module = importlib.import_module(package)
    if not rest:
        return module
    return getattr(module, rest, None) or importlib.import_module(name)


def _describe(name: str, device: str) -> dict[str, Any]:
    if device:
        import torch

        set_default(device)
        torch.empty(0)
    xp = load(name)
    if device:
        got = str(xp.empty((1,)).device)
        if got.split(":")[0] != device.split(":")[0]:
            raise TypeError(
                f"{name} does not follow torch's default device: an array came out on {got!r}, "
                f"not on {device!r}; --device is for namespaces over torch"
            )
    version = getattr(xp, "__version__", "") or getattr(load(name.split(".")[0]), "__version__", "")
    on = getattr(xp.empty((1,)), "device", "cpu") if hasattr(xp, "empty") else "cpu"
    return {
        "version": str(version),
        "api_version": getattr(xp, "__array_api_version__", ""),
        "target": target(on),
    }


def search_path() -> str:
    """`PYTHONPATH` for a subprocess: this package, and the user's working folder."""
    root = str(Path(__file__).parents[1])
    paths = [os.getcwd(), *filter(None, [os.environ.get("PYTHONPATH")])]
    # The site-packages ahead of the standard library could hide a module of it.
    return os.pathsep.join(paths if root in site.getsitepackages() else [root, *paths])


def about(name: str, device: str | None = None, environment: dict[str, str] | None = None) -> About:
    """Describe a namespace in a subprocess. Raises NamespaceError with the last line."""
    variables = environment or {**os.environ, "PYTHONPATH": search_path()}
    done = subprocess.run(
        [sys.executable, "-m", "conformance._namespace", name, *([device] if device else [])],
        capture_output=True,
        text=True,
        env=variables,
        check=False,
    )
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    last = lines[-1] if lines else f"the interpreter ended with status {done.returncode}"
    if done.returncode != 0:
        raise NamespaceError(f"{name} cannot be tested: {last}")
    return About(**json.loads(last))


if __name__ == "__main__":
    print(json.dumps(_describe(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")))
