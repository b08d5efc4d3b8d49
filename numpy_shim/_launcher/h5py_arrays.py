"""Lets h5py select by arrays of a program, read into them and write from them.

h5py checks in C for NumPy's own class. In a launched program its data sets get NumPy's array on the
same memory, or a copy of an array of a device; what was read goes back to the device.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

from xp_torch._torch.patches import when_imported

from .._array.ndarray import AnyArray
from .._host import exchange
from .._host.frames import pass_over


def install() -> None:
    """Change the methods of data sets when h5py is imported."""
    when_imported("h5py._hl.dataset", _change)


def _change(module: ModuleType) -> None:
    dataset: Any = getattr(module, "Dataset", None)
    try:
        changes = {
            "read_direct": _on_the_host(dataset.read_direct, is_written=True),
            "write_direct": _on_the_host(dataset.write_direct, is_written=False),
            "__getitem__": _selecting(dataset.__getitem__),
            "__setitem__": _selecting(dataset.__setitem__),
        }
    except AttributeError:  # another h5py, which refuses arrays of ours
        return
    for name, change in changes.items():
        setattr(dataset, name, change)


def _selecting(theirs: Callable[..., Any]) -> Any:
    """An item read or written: a selection by arrays of ours gives arrays of ours."""
    what = f"h5py.Dataset.{theirs.__name__}"

    @wraps(theirs)
    def call(self: object, key: object, *args: object, **kwargs: object) -> Any:
        device = exchange.device_of((key, args))
        if device is None:
            return theirs(self, key, *args, **kwargs)
        key, args = exchange.to_host((key, args), what)
        return exchange.back(theirs(self, key, *args, **kwargs), device, what)

    return pass_over(call)


def _on_the_host(theirs: Callable[..., Any], is_written: bool) -> Any:
    what = f"h5py.Dataset.{theirs.__name__}"

    @wraps(theirs)
    def call(self: object, array: object, *args: object, **kwargs: object) -> Any:
        if not isinstance(array, AnyArray):
            return theirs(self, array, *args, **kwargs)
        host = exchange.to_host(array, what)
        result = theirs(self, host, *args, **kwargs)
        if is_written and not array._tensor.is_cpu:
            array[...] = exchange.back(host, array._tensor.device, what)
        return result

    return pass_over(call)
