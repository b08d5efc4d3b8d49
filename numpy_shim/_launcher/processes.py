"""Carries a redirection into processes that ``multiprocessing`` starts afresh.

A forked child inherits everything. A spawned one starts a new interpreter, receives a pickle and
imports the main program again: the redirection must be installed before that.
"""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import spawn
from typing import Any

from .._host import crossings
from . import pandas_scalars, torch_functions
from .device import set_device
from .imports import Redirection


class _Carrier:
    """A value whose unpickling, in the new process, installs the redirection there."""

    def __init__(self, redirection: Redirection, device: str) -> None:
        self._arguments = (
            redirection.namespace, redirection.roots, device,
            crossings.mode(), crossings.shared_folder(),
        )  # fmt: skip

    def __reduce__(self) -> tuple[Callable[..., None], tuple[Any, ...]]:
        return _resume, self._arguments


def in_started_processes(redirection: Redirection, device: str) -> None:
    """Run every process that is started from now on under the redirection and on the device."""
    plain = spawn.get_preparation_data

    def get_preparation_data(name: str) -> dict[str, Any]:
        data: dict[str, Any] = plain(name)
        data["numpy_shim"] = _Carrier(redirection, device)  # read first, then ignored
        return data

    spawn.get_preparation_data = get_preparation_data


def _resume(
    namespace: str, roots: tuple[str, ...], device: str, host_copies: str, folder: str
) -> None:
    set_device(device)
    redirection = Redirection(namespace, roots)
    redirection.install()
    torch_functions.install()
    pandas_scalars.install()
    crossings.watch(host_copies, redirection.runs, folder)
    in_started_processes(redirection, device)
