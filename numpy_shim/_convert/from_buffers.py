"""Arrays from buffers, iterables, text, functions and other libraries."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy
import torch
from torch import Tensor

from xp_torch._kernels import interchange

from .._array.ndarray import AnyArray, array_of, ndarray, view_of
from .._base.axes import integer_of_64_bits, normalize_shape
from .._base.dtypes import HostDtypeError, torch_dtype
from .._base.host_setting import may_hand
from .._base.typing import ArrayLike, Buffer, Device, DTypeLike, ShapeLike, SupportsDLPack
from .._kernels.casting import cast
from .arguments import as_tensor
from .foreign import placed
from .from_data import check_like, loaded
from .one_storage import on_one_storage
from .sequences import from_python

__all__ = ["from_dlpack", "frombuffer", "fromfunction", "fromiter", "fromstring"]


_T = TypeVar("_T")


def frombuffer(
    buffer: Buffer,
    dtype: DTypeLike = None,
    count: int = -1,
    offset: int = 0,
    *,
    like: ArrayLike | None = None,
) -> ndarray:
    """A 1-D array on a buffer's memory; a copy where that is read-only.

    Parameters
    ----------
    buffer : bytes-like
        An object with the buffer protocol.
    dtype : dtype, optional
        The dtype of the data; by default the default float. Byte-swapped data is copied
        into native order.
    count : int
        How many items; all of them by default.
    offset : int
        Where to begin, in bytes.
    like : ndarray, optional
        As in ``array``.

    Returns
    -------
    ndarray
        1-D, of ``count`` items.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.frombuffer(b"\\x01\\x02", dtype=np.uint8)
    array([1, 2], dtype=uint8)
    """
    check_like("frombuffer", like)
    swapped, kind = _byte_order("frombuffer", dtype)
    memory = _bytes_of(buffer)
    total, count = memory.shape[0], integer_of_64_bits("frombuffer", "count", count)
    if not 0 <= offset <= total:
        raise ValueError(
            f"frombuffer: offset must be non-negative and no greater than buffer length ({total})"
        )
    left, size = total - offset, kind.itemsize
    if count < 0:
        if left % size:
            raise ValueError("frombuffer: buffer size must be a multiple of element size")
        count = left // size
    elif left < count * size:
        raise ValueError("frombuffer: buffer is smaller than requested size")
    read = memory[offset : offset + count * size]
    if swapped:
        read = read.reshape(-1, size).flip(1).reshape(-1)
    elif read.data_ptr() % size or read.storage_offset() % size:
        read = read.clone()  # torch cannot view unaligned bytes
    made = array_of(placed("frombuffer", read.view(kind).detach(), None))
    shares = made._tensor.data_ptr() == memory.data_ptr() + offset
    if shares and (isinstance(buffer, AnyArray) or not memoryview(buffer).readonly):
        made._base = buffer
    return made


def _bytes_of(buffer: Any) -> Tensor:
    """The memory of a buffer, or of a contiguous array, as bytes; read-only memory is copied."""
    if isinstance(buffer, (AnyArray, Tensor)):
        tensor = as_tensor("frombuffer", buffer, "buffer")
        if not tensor.is_contiguous():
            raise ValueError("frombuffer: ndarray is not C-contiguous")
        return tensor.view(-1).view(torch.uint8)
    view = memoryview(buffer)
    if not view.c_contiguous:
        raise ValueError("frombuffer: ndarray is not C-contiguous")
    view = view.cast("B") if view.nbytes else view
    memory = interchange.from_buffer(view, torch.uint8, view.readonly).reshape(-1)
    is_theirs = isinstance(buffer, numpy.ndarray) and not view.readonly
    return on_one_storage(memory, buffer) if is_theirs else memory


def _byte_order(name: str, dtype: object) -> tuple[bool, torch.dtype]:
    """Whether data of a dtype is byte-swapped, and the torch dtype of its values."""
    if isinstance(dtype, (str, numpy.dtype)):
        found = numpy.dtype(dtype)
        if not found.isnative:
            if may_hand():
                raise HostDtypeError(f"{name}: dtype {found} is not in native byte order")
            return True, torch_dtype(name, found.newbyteorder("="))
    return False, torch_dtype(name, dtype)


def fromiter(
    iter: Iterable[object], dtype: DTypeLike, count: int = -1, *, like: ArrayLike | None = None
) -> ndarray:
    """A 1-D array of the numbers from an iterable.

    Parameters
    ----------
    iter : iterable
        Generators too.
    dtype : dtype
        The dtype.
    count : int
        How many to take; by default all of them.
    like : ndarray, optional
        As in ``array``.

    Returns
    -------
    ndarray
        1-D, in ``dtype``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fromiter((i * i for i in range(4)), dtype=int)
    array([0, 1, 4, 9])
    """
    check_like("fromiter", like)
    wanted = torch_dtype("fromiter", dtype)
    count = integer_of_64_bits("fromiter", "count", count)
    values = list(iter if count < 0 else itertools.islice(iter, count))
    if len(values) < count:
        raise ValueError(
            f"iterator too short: Expected {count} but iterator had only {len(values)} items."
        )
    tensor = from_python("fromiter", values, "iter", wanted)
    if tensor.dim() != 1:
        raise ValueError("setting an array element with a sequence.")
    return array_of(cast(tensor, wanted))


def fromstring(
    string: str | bytes,
    dtype: DTypeLike = None,
    count: int = -1,
    *,
    sep: str,
    like: ArrayLike | None = None,
) -> ndarray:
    """A 1-D array of the numbers in a text.

    Parameters
    ----------
    string : str
        The text.
    dtype : dtype, optional
        By default the default float.
    count : int
        How many numbers to read; all by default.
    sep : str
        The separator; white space in it matches any white space.
    like : ndarray, optional
        As in ``array``.

    Returns
    -------
    ndarray
        1-D, in ``dtype``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fromstring("1, 2, 3", sep=",", dtype=int)
    array([1, 2, 3])
    """
    check_like("fromstring", like)
    wanted = torch_dtype("fromstring", dtype)
    if not sep:
        raise ValueError(
            "fromstring: the binary mode of fromstring is removed, use frombuffer instead"
        )
    text = string.decode("latin-1") if isinstance(string, (bytes, bytearray)) else string
    words = text.split(sep.strip() or None)
    while words and not words[-1].strip():
        words.pop()
    if 0 <= count < len(words):
        words = words[:count]
    words = [_PAYLOAD.sub(r"\1", word.strip()) for word in words]
    values = [float(word) != 0 for word in words] if wanted is torch.bool else words
    return array_of(from_python("fromstring", values, "string", wanted))


_PAYLOAD = re.compile(r"^([+-]?nan)\(\w*\)$", re.IGNORECASE)
"""Read NaN with a payload, as C does; Python's ``float`` does not."""


def fromfunction(
    function: Callable[..., _T],
    shape: ShapeLike,
    *,
    dtype: DTypeLike = float,
    like: ArrayLike | None = None,
    **kwargs: object,
) -> _T:
    """The result of ``function`` on the coordinates of every element of a shape.

    Parameters
    ----------
    function : callable
        Called once, with one array of coordinates per axis.
    shape : tuple of int
        The shape of the coordinate arrays.
    dtype : dtype
        Their dtype.
    like : ndarray, optional
        As in ``array``.
    **kwargs
        Passed on to ``function``.

    Returns
    -------
    object
        What ``function`` returns.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.fromfunction(lambda i, j: i + j, (2, 3), dtype=int)
    array([[0, 1, 2],
           [1, 2, 3]])
    """
    check_like("fromfunction", like)
    sizes = normalize_shape("fromfunction", shape)
    kind = torch_dtype("fromfunction", dtype)
    axes = [cast(torch.arange(n), kind) for n in sizes]
    grids = torch.meshgrid(*axes, indexing="ij") if axes else ()
    return function(*[array_of(g.contiguous()) for g in grids], **kwargs)


def from_dlpack(
    x: SupportsDLPack, /, *, device: Device = None, copy: bool | None = None
) -> ndarray:
    """An array on the memory of another library's array, through ``__dlpack__``.

    Parameters
    ----------
    x : object with ``__dlpack__``
        The array to take over.
    device : torch.device or str, optional
        Where the result lives; by default where ``x`` does.
    copy : bool, optional
        As in ``array``; read-only memory is copied where it is known to be read-only.

    Returns
    -------
    ndarray
        On the memory of ``x``, or on a copy of it.

    Examples
    --------
    >>> import numpy_shim as np
    >>> import torch
    >>> np.from_dlpack(torch.arange(3))
    array([0, 1, 2])
    """
    if not hasattr(x, "__dlpack__") or isinstance(x, type):
        raise AttributeError(f"from_dlpack: {type(x).__name__} has no __dlpack__ method")
    if isinstance(x, numpy.ndarray):  # of a subclass, or of a dtype that DLPack does not have
        numpy.from_dlpack(x)
        x = x.view(numpy.ndarray)
    made = loaded("from_dlpack", x, "x", None, None, device, copy)
    return view_of(made, made._tensor) if made is x else made
