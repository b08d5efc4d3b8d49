"""Carries a redirection into processes that ``multiprocessing`` or joblib's loky starts afresh.

A forked child inherits everything. A spawned one starts a new interpreter, receives a pickle and
imports the main program again: the redirection must be installed before that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

from xp_torch._core.box import sent_by_value
from xp_torch._torch.patches import when_imported

from .._array.ndarray import AnyArray
from .._host import crossings
from . import (
    float_scalars,
    h5py_arrays,
    library_calls,
    memory,
    numba_arrays,
    pandas_arrays,
    pandas_scalars,
    sympy_arrays,
    torch_functions,
)
from .device import set_device
from .imports import Redirection

_SPAWNING = (
    "multiprocessing.spawn",
    "joblib.externals.loky.backend.spawn",
    "loky.backend.spawn",
)
"""Modules whose ``get_preparation_data`` makes what a new process reads first."""


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

    def carry(spawn: ModuleType) -> None:
        plain = spawn.get_preparation_data

        def get_preparation_data(*args: object, **kwargs: object) -> dict[str, Any]:
            data: dict[str, Any] = plain(*args, **kwargs)
            data["numpy_shim"] = _Carrier(redirection, device)  # read first, then ignored
            return data

        spawn.get_preparation_data = get_preparation_data  # type: ignore[attr-defined]

    for name in _SPAWNING:
        when_imported(name, carry)
    when_imported("joblib._memmapping_reducer", _send_by_joblib)


def change_libraries() -> None:
    """Let libraries take our arrays, in the program's process and in those that it starts."""
    for library in (
        torch_functions, pandas_scalars, pandas_arrays, float_scalars, h5py_arrays, library_calls,
        numba_arrays, sympy_arrays,
    ):  # fmt: skip
        library.install()


def _resume(
    namespace: str, roots: tuple[str, ...], device: str, host_copies: str, folder: str
) -> None:
    memory.keep_freed()
    set_device(device)
    redirection = Redirection(namespace, roots)
    redirection.install()
    change_libraries()
    crossings.watch(host_copies, redirection.runs, folder)
    in_started_processes(redirection, device)


def _send_by_joblib(reducer: ModuleType) -> None:
    """Let joblib's processes send and return arrays of ours as such, where it makes NumPy's.

    On the CPU a large array that is sent stays a file, which several processes read.
    """
    back, sent = reducer.reduce_array_memmap_backward, reducer.ArrayMemmapForwardReducer.__call__

    @wraps(back)
    def reduce_array_memmap_backward(a: object) -> Any:
        return sent_by_value(a) if isinstance(a, AnyArray) else back(a)

    def __call__(self: Any, a: Any) -> Any:  # noqa: N807
        is_elsewhere = isinstance(a, AnyArray) and not a._tensor.is_cpu
        return sent_by_value(a) if is_elsewhere else sent(self, a)

    reducer.reduce_array_memmap_backward = reduce_array_memmap_backward  # type: ignore[attr-defined]
    reducer.ArrayMemmapForwardReducer.__call__ = __call__
