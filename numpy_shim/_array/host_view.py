"""NumPy's view of an array's memory on the CPU, through which single elements are read and written.

The tensor and the view share the memory. An array keeps its view with the tensor and the address
it was made for: ``_host`` is ``(tensor, memory, memory.data_ptr, address, view, ndim, (memory,))``,
everything that a read or a write needs. Callers check that the array still holds that tensor, that
its memory is at the same address and that it still has no gradient.
"""

from __future__ import annotations

from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._torch.internals import (
    FORWARD_LEVEL,
    count_modes,
    forward_mode,
    is_transformed,
    transform_level,
)

from .._base.dtypes import NUMPY
from .._kernels.backwards import Locked, forward_of
from .ndarray import ndarray, new

of_memory = torch.from_numpy
"""torch's own function; the launcher puts a slower one in its place for programs."""


def to_numpy(tensor: Tensor) -> numpy.ndarray[Any, Any]:
    """A real NumPy array on a CPU tensor's memory; of bfloat16 in the dtype of ``ml_dtypes``.

    ``RuntimeError`` for a tensor without memory, as a fake one.
    """
    if tensor.dtype is torch.bfloat16:
        return to_numpy(tensor.view(torch.int16)).view(NUMPY[torch.bfloat16])
    try:
        return tensor.numpy()
    except RuntimeError:
        if type(tensor) is Tensor:
            raise
        raise RuntimeError(
            f"the values of a {type(tensor).__name__} cannot be read: it has no memory"
        ) from None


ORDERED, WRITEABLE, BEHAVED, CARRAY = 0x3, 0x400, 0x500, 0x501
"""Bits of ``flags.num`` of NumPy's arrays; ``behaved`` is aligned and writeable, and ``ordered``
has a bit for the order of C and one for that of Fortran.

The attributes ``writeable``, ``behaved`` and ``carray`` say the same, but warn of what NumPy's
``broadcast_arrays`` made.
"""

COMPLEX128_BYTES = 16
"""torch reads and writes complex128 at multiples of this, and elsewhere ends the process.

NumPy aligns it to 8 bytes: a field behind one float64 begins between two multiples.
"""


def borrow_memory(x: numpy.ndarray[Any, Any], beside: Tensor) -> Tensor | None:
    """The memory of NumPy's array as a tensor, to compute with it and ``beside``.

    ``None`` where torch does not take the memory as it is, for a tensor on another device, in a
    trace, and where a gradient is recorded, which may need the values after the program has written
    to the array: the general call copies the array and moves it.
    """
    if is_compiling() or not beside.is_cpu or beside.requires_grad:
        return None
    return memory_of(x) if x.flags.num & BEHAVED == BEHAVED else None


def memory_of(x: numpy.ndarray[Any, Any]) -> Tensor | None:
    """The memory of an array of NumPy's as a tensor; ``None`` where torch does not take it."""
    try:
        made = of_memory(x)
    except (TypeError, ValueError):  # another byte order, steps that are negative, no number
        return None
    if made.dtype is torch.complex128 and made.data_ptr() % COMPLEX128_BYTES:
        return None
    return made


def array_on(made: Tensor | numpy.ndarray[Any, Any]) -> ndarray:
    """An array with axes on a tensor, or on new memory of NumPy's, of a dtype of torch's.

    A vector keeps NumPy's array for its elements, which programs of small arrays read next, unless
    ``host_view`` would give none. Its caller knows that nothing traces.
    """
    out = new(ndarray)
    if not isinstance(made, numpy.ndarray):
        out._tensor = made
        out._flat_dtype = made.dtype
        return out
    t = out._tensor = of_memory(made)
    out._flat_dtype = t.dtype
    if (
        made.ndim == 1
        and type(t) is Tensor
        and transform_level() is None
        and forward_mode[FORWARD_LEVEL] < 0
        and not count_modes()
    ):
        _keep(out, t, t, made)
    return out


def _keep(a: ndarray, t: Tensor, memory: Tensor, view: numpy.ndarray[Any, Any]) -> None:
    """Let an array keep a view of its tensor ``t``, with what shows that it is still right."""
    pointer = memory.data_ptr
    a._host = t, memory, pointer, pointer(), view, view.ndim, (memory,)


def host_view(a: ndarray) -> numpy.ndarray[Any, Any] | None:
    """The view of an array; ``None`` if values cannot be read at once, see ``ndarray.scalar``."""
    # ``is_transformed`` in parts: a call of it would cost as much as the view.
    if (
        is_dynamo_compiling()
        or transform_level() is not None
        or forward_mode[FORWARD_LEVEL] >= 0
        or (count_modes() and is_transformed())
    ):
        return None
    t = a._tensor
    if type(t) is Tensor:
        try:
            view = t.numpy()
            _keep(a, t, t, view)
            return view
        except (RuntimeError, TypeError):
            pass  # of bfloat16, conjugated, with a gradient, or on another device
    memory, flips = forward_of(t)
    if (
        type(memory) is not Tensor
        or not memory.is_cpu
        or memory.requires_grad
        or memory.is_conj()
        or memory.is_neg()
    ):
        return None
    view = to_numpy(memory)
    if flips:
        view = numpy.flip(view, flips)
    if isinstance(t, Locked):
        view.flags.writeable = False
    _keep(a, t, memory, view)
    return view


def kept_view(a: ndarray) -> numpy.ndarray[Any, Any] | None:
    """The view that an array keeps, made if it has none; ``None`` as in ``host_view``."""
    try:
        t, memory, pointer, address, view, _, _ = a._host
        if (
            t is a._tensor
            and pointer() == address
            and not memory.requires_grad
            and not is_dynamo_compiling()
        ):
            return view  # type: ignore[no-any-return]
    except AttributeError:
        pass
    return host_view(a)


ROWS = -2
"""In the place of ``ndim``: of a matrix elements of rows are read, ``a[i][j]``."""


def note_row(row: ndarray) -> None:
    """Let the matrix of a row keep a view for its next rows, too."""
    a = getattr(row, "_base", None)
    if (
        type(a) is ndarray
        and type(a._tensor) is Tensor
        and a._tensor.dim() == 2
        and host_view(a) is not None
    ):
        *kept, _, memory = a._host
        a._host = (*kept, ROWS, memory)


def row_of(a: ndarray, view: numpy.ndarray[Any, Any], i: int) -> ndarray:
    """A row of a matrix that keeps a view, with its own."""
    values = view[i]
    t = a._tensor
    out = new(ndarray)
    row = out._tensor = t[i]
    out._flat_dtype = a._flat_dtype
    out._base = a if t._base is None else getattr(a, "_base", a)
    _keep(out, row, row, values)
    return out


def without_view(kept: object) -> Any:
    """What ``_host`` is without a view; ``loop_reads`` keeps something in its place."""
    return None, None, None, 0, kept, -1, ()


NO_ELEMENT_READ = without_view(None)
"""What ``_host`` is before the first read: finding no attribute costs as much as a row."""
