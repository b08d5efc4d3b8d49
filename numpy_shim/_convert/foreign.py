"""Tensors of other libraries' arrays: NumPy's, buffers, and those of the protocols."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NoReturn

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._core.box import TensorBox
from xp_torch._core.devices import default_device, default_is_cpu, move
from xp_torch._kernels import interchange

from .._array.host_view import CARRAY, COMPLEX128_BYTES, WRITEABLE
from .._base.dtypes import FLOAT64, NUMPY, TORCH, HostDtypeError
from .._base.host_setting import may_hand
from .._base.promotion import PYTHON_NUMBERS
from .._base.tracing import caller

TEXT = frozenset({str, bytes})
_SEQUENCES = frozenset({list, tuple, range})

BY_METHOD = frozenset({
    "all", "any", "argmax", "argmin", "argsort", "clip", "cumprod", "cumsum", "max", "mean", "min",
    "prod", "repeat", "round", "std", "sum", "take", "var",
})  # fmt: skip
"""Functions that NumPy leaves to the argument's method, where its class has one: as pandas's mean,
which leaves out NaN, and gives one of pandas's objects."""

OWN: dict[type, Callable[[Any], Tensor]] = {}
"""Functions that make a tensor of our own array-like objects. They keep the gradient and do not
wait for the device, as ``__array__`` would."""


def foreign(
    name: str, x: object, argument: str, device: object = None, copy: bool | None = None
) -> tuple[Any, bool] | None:
    """Another library's array, and whether it is a copy; ``None`` for other objects.

    It is a tensor, or our array if ``__array__`` returns one.
    """
    kind = type(x)
    if kind in _SEQUENCES or kind in PYTHON_NUMBERS or kind in TEXT:
        return None
    if isinstance(x, TensorBox):
        return x._tensor, False
    if isinstance(x, (numpy.ndarray, numpy.generic)):
        if type(x) is not numpy.ndarray and is_subclass(x) and may_hand():
            raise HostDtypeError(f"{name}: {argument} is a {type(x).__name__}, which is NumPy's")
        tensor = from_numpy(name, x, argument, device)
        copied = is_dynamo_compiling() or isinstance(x, numpy.generic) or not is_shareable(x)
        return tensor, copied
    if isinstance(x, type):
        return None
    if kind in OWN:
        return OWN[kind](x), True
    if hasattr(x, "__dlpack__") and not interchange.has_negative_strides(x):
        try:
            return interchange.from_dlpack(x), False
        except (RuntimeError, BufferError, TypeError):
            pass  # read-only memory, or a dtype without a code: try the other protocols
    if hasattr(x, "__array__"):
        if name in BY_METHOD and callable(getattr(kind, name, None)) and may_hand():
            raise HostDtypeError(f"{name}: {argument} is a {kind.__name__}, which has a method")
        made, copied = _by_its_method(name, x, copy)
        if isinstance(made, TensorBox):
            return made, copied
        if not isinstance(made, numpy.ndarray):
            raise ValueError(f"{name}: object __array__ method not producing an array")
        return from_numpy(name, made, argument, device), copied or not is_shareable(made)
    if hasattr(x, "__array_interface__") or hasattr(x, "__array_struct__"):
        made = numpy.array(x, copy=None)
        return from_numpy(name, made, argument, device), not is_shareable(made)
    return _from_memory(name, x, argument, device)


def _by_its_method(name: str, x: Any, copy: bool | None) -> tuple[Any, bool]:
    """The result of an object's ``__array__``, and whether it is known to be a copy."""
    if copy is None:
        return x.__array__(), False
    try:
        return x.__array__(copy=copy), copy
    except TypeError as error:
        if "copy" not in str(error):
            raise
    warnings.warn(
        f"__array__ implementation doesn't accept a copy keyword, so passing copy={copy} failed. "
        "__array__ must implement 'dtype' and 'copy' keyword arguments.",
        DeprecationWarning,
        stacklevel=caller(),
    )
    if not copy:
        raise no_copy(name)
    return x.__array__(), False


def no_copy(name: str) -> ValueError:
    """The error for a copy that ``copy=False`` forbids."""
    return ValueError(
        f"{name}: Unable to avoid copy while creating an array as requested; copy=None copies only "
        "where it is needed. For more details, see https://numpy.org/devdocs/"
        "numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword"
    )


def _from_memory(name: str, x: Any, argument: str, device: object) -> tuple[Tensor, bool] | None:
    try:
        view = memoryview(x)
    except TypeError:
        return None
    dtype = interchange.buffer_dtype(view)
    if dtype is None or dtype not in NUMPY:
        raise HostDtypeError(
            f"{name}: {argument} is a buffer of format {view.format!r}, which torch has no "
            "storage for"
        )
    copied = not interchange.is_shareable(view)
    return placed(name, interchange.from_buffer(view, dtype, copied), device), copied


def is_shareable(x: Any) -> bool:
    """Whether ``torch.from_numpy`` takes an array, of a dtype of torch's, without a copy."""
    if not x.flags.num & WRITEABLE:
        return False
    return min(x.strides, default=0) >= 0 and is_describable(x)


def is_describable(x: Any) -> bool:
    """Whether an array of ours could be on the memory: whole elements, in native byte order."""
    size = x.itemsize
    if size == 0:  # such as np.dtype("V0"), which torch cannot store
        return False
    if not x.flags.aligned or not x.dtype.isnative or any(s % size for s in x.strides):
        return False
    if x.dtype.char != "D":
        return True
    address: int = x.ctypes.data
    return address % COMPLEX128_BYTES == 0


def from_numpy(name: str, x: Any, argument: str, device: Any = None) -> Tensor:
    """A real NumPy array's memory as a tensor; a copy where torch cannot describe it.

    torch has no read-only memory, no negative strides and only the machine's byte order.
    """
    if is_dynamo_compiling():  # which traces NumPy's arrays as tensors
        return placed(name, torch.as_tensor(x), device)
    native = x.dtype
    if native not in TORCH:
        if native.kind == "T":  # StringDType has no byte order to ask for
            refuse_dtype(name, argument, native)
        native = native.newbyteorder("=")
        if native not in TORCH:
            refuse_dtype(name, argument, x.dtype)
    if isinstance(x, numpy.generic) or not is_shareable(x):
        x = numpy.array(x, dtype=native)
    dtype = TORCH[native]
    if dtype is torch.bfloat16:  # torch reads the bfloat16 of ml_dtypes only as bits
        tensor = torch.from_numpy(x.view(numpy.uint16)).view(dtype)
    else:
        # C has several types of one size; torch accepts one of them.
        tensor = torch.from_numpy(x if x.dtype.num == NUMPY[dtype].num else x.view(NUMPY[dtype]))
    return placed(name, tensor, device)


def refuse_dtype(name: str, argument: str, dtype: object) -> NoReturn:
    """Raise NumPy's kind of error for data that needs a dtype without storage in torch."""
    raise HostDtypeError(
        f"{name}: {argument} has dtype {dtype}, which torch has no storage for; numpy_shim holds "
        "booleans and numbers"
    )


def refuse_swapped(name: str, argument: str, dtype: object) -> None:
    """Raise for data in the other byte order where it is to be kept so, which NumPy does.

    Where host dtypes are errors it is converted, as everywhere where the values alone count.
    """
    if may_hand():
        refuse_dtype(name, argument, dtype)


def is_common(x: object) -> bool:
    """Whether a result of NumPy's is the common case, whose memory torch takes at once."""
    if type(x) is not numpy.ndarray or x.dtype is not FLOAT64:
        return False
    return x.flags.num & CARRAY == CARRAY and default_is_cpu()


def is_subclass(x: object) -> bool:
    """Whether ``x`` is of a subclass of NumPy's arrays, as a masked array or a matrix.

    It has more than torch can store, and methods that NumPy calls. A memory map has no more.
    """
    kind = type(x)
    return kind is not numpy.ndarray and issubclass(kind, numpy.ndarray) and kind is not _MAPPED


_MAPPED: type = numpy.memmap


def as_index(x: Any) -> Any:
    """An index without the class of a subclass, which means nothing in an index."""
    return x.view(numpy.ndarray) if is_subclass(x) else x


def placed(name: str, tensor: Tensor, device: Any) -> Tensor:
    """A tensor on the CPU, moved to ``device``, or to torch's default device without one."""
    if device is None:
        if is_compiling() or default_is_cpu():
            return tensor
        device = default_device()
    return tensor if tensor.device == device else move(name, tensor, device)
