"""Convert arrays to NumPy's own: they share memory on the CPU; a setting allows other copies."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.lib.stride_tricks import as_strided

from xp_torch._core.context import here, make_context_local

from .._array import views
from .._array.host_view import to_numpy as to_numpy
from .._array.ndarray import ndarray
from .._array.scalars import TensorScalar
from .._base.settings import Setting
from .._host import crossings

__all__ = ["allow_implicit_host_copy"]

_implicit_host_copy: Any = False
"""Whether copies are allowed; ``NEVER`` inside of ``no_host``; ``MIXED`` if contexts differ."""

NEVER = "never"


class HostRefusedError(TypeError):
    """A library's code asked for the values on the host where that is not allowed."""


_this = make_context_local(__name__, "_implicit_host_copy")


class allow_implicit_host_copy(Setting):
    """Whether ``numpy.asarray(x)`` and similar calls may copy an array from a device to the host.

    Off at first, since such a copy waits for the device and is easily made by accident, in a
    loop. Plotting libraries need it: switch it on for a script, or in a ``with`` block.

    Parameters
    ----------
    value : bool
        Whether to allow it from now on, in the current context (thread or asyncio task). A new
        thread starts with ``False``, a new task with the value of the context that made it.

    Notes
    -----
    Source: none of NumPy's; ``cupy`` refuses implicit copies as well.

    Examples
    --------
    >>> import numpy, numpy_shim as np
    >>> with np.allow_implicit_host_copy():
    ...     numpy.asarray(np.arange(3))
    array([0, 1, 2])
    """

    _module = _this
    _name = "_implicit_host_copy"

    def __init__(self, value: bool = True) -> None:
        super().__init__(bool(value))


class no_host(Setting):
    """While a library's code runs on arrays of ours: it gets none on the host.

    An array on a device would be copied, and one with a gradient would lose it.
    """

    _module = _this
    _name = "_implicit_host_copy"

    def __init__(self) -> None:
        super().__init__(NEVER)


def is_never_copied() -> bool:
    """Whether a library's code runs on arrays of ours, and gets none on the host."""
    return here(_this, "_implicit_host_copy") is NEVER


def shared(name: str, a: ndarray) -> numpy.ndarray[Any, Any]:
    """A real NumPy array on the memory of ``a``, read-only if ``a`` is.

    It carries no gradient. It is a copy for a scalar and for a lazily conjugated tensor.

    Raises ``TypeError`` for an array on a device, unless ``allow_implicit_host_copy`` is on or a
    launched program may copy.
    """
    tensor, flips = views.forward_of(a)
    if tensor.requires_grad or not tensor.is_cpu:
        allowed = here(_this, "_implicit_host_copy")
        if allowed is NEVER:
            raise HostRefusedError(f"{name}: the values are not read on the host here")
        tensor = tensor.detach()
        if not tensor.is_cpu:
            tensor = crossings.copied(tensor, name, allowed)
    tensor = tensor.resolve_conj().resolve_neg()
    if isinstance(a, TensorScalar):
        tensor = tensor.clone()
    array = to_numpy(tensor)
    if flips:
        array = numpy.flip(array, flips)
    if not isinstance(a, TensorScalar) and not views.is_writeable(a):
        array.flags.writeable = False
    return array


def memory_of(host: numpy.ndarray[Any, Any]) -> tuple[memoryview, int]:
    """The memory that a NumPy array with elements lies in, and the offset of its first element."""
    flags = host.flags
    if flags.c_contiguous:
        return host.data, 0
    if flags.f_contiguous:
        return host.T.data, 0
    size = host.itemsize
    low = high = 0  # bytes from the first element to the lowest and the highest one
    for count, step in zip(host.shape, host.strides, strict=True):
        if step < 0:
            low += (count - 1) * step
        else:
            high += (count - 1) * step
    if low:
        host = host[tuple(slice(None, None, -1 if step < 0 else 1) for step in host.strides)]
    # torch's strides are whole elements.
    whole = as_strided(host, ((high - low) // size + 1,), (size,), writeable=flags.writeable)
    return memoryview(whole), -low  # type: ignore[arg-type]
