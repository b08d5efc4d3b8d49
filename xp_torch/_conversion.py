"""``asarray`` and ``from_dlpack`` convert other objects to arrays; ``to_torch`` converts back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from ._array import Array
from ._core import defaults
from ._core.box import box, note_device
from ._core.devices import CPU, default_is_cpu, move, normalize_device
from ._core.dtypes import BOUNDS, name_of
from ._core.errors import CopyError, shown, type_name
from ._core.scalars import SCALAR_TYPES, python_scalar, to_kind, truth
from ._creation import default_dtype
from ._data_types import DTYPES, Device, check_dtype, drops_imaginary, dtype_names, is_dtype, named
from ._dispatch import check_devices, tensor_of
from ._kernels import creation, interchange
from ._mesh.dtensors import from_dtensor, to_dtensor

__all__ = ["asarray", "from_dlpack", "to_torch"]

_INT64_MAX = BOUNDS[torch.int64][1]
_UINT64_MAX = BOUNDS[torch.uint64][1]
_MAX_DEPTH = 64
_ALIKE = ({float}, {int})

# The dtypes that every version of the standard has.
_PLAIN = frozenset(d for d in DTYPES if not d.is_complex)


def asarray(
    obj: object,
    /,
    *,
    dtype: torch.dtype | None = None,
    device: Device | None = None,
    copy: bool | None = None,
) -> Array:
    """Convert an object to an array. It is also the conversion function from torch.

    Parameters
    ----------
    obj : Array, torch.Tensor, Python scalar, nested sequence of them, or other array
        The data: an array or tensor on any device, a ``DTensor``, a bool, int, float or complex,
        lists and tuples of those to any depth, an object with ``__dlpack__``, or one that supports
        the buffer protocol (``bytearray``, ``memoryview``, ``array.array``, NumPy's arrays and
        scalars).
    dtype : torch.dtype, optional
        The dtype; by default that of the data, or for Python scalars the default dtype of
        the widest kind among them (uint64 for ints beyond int64).
    device : torch.device or str, optional
        The device of the array; by default where the data is, or for data without a
        device torch's default device.
    copy : bool, optional
        ``True`` always copies. ``False`` never copies, and raises an error if a copy is needed. By
        default a copy is made only if it is needed.

    Returns
    -------
    Array
        The data. An array from a tensor shares memory with it, and the gradient flows between the
        two, also through a copy.

    Raises
    ------
    TypeError
        For anything that is not numbers, arrays inside a sequence (use ``stack``), data of a
        dtype that the namespace does not have, or complex data in a real dtype.
    OverflowError
        For an int out of the range of the dtype.
    ValueError
        For sequences of different lengths, a copy that ``copy=False`` forbids, a dtype that
        is not one of the namespace's, or a device that this machine does not have.

    Notes
    -----
    A copy is needed to change dtype or device, from Python scalars, from read-only memory,
    and from strided memory that torch cannot describe. The input is never changed.

    Source: the array API standard, ``asarray``; *Copy keyword argument behavior*.

    Examples
    --------
    >>> import xp_torch as xp
    >>> import torch
    >>> xp.asarray([[1, 2.5], [True, 4]])
    Array([[1. , 2.5],
           [1. , 4. ]], dtype=float64)
    >>> t = torch.zeros(2, dtype=torch.int64)
    >>> x = xp.asarray(t)
    >>> x[0] = 7
    >>> t
    tensor([7, 0])
    """
    if dtype is None and device is None and copy is None:
        if type(obj) is Tensor:
            if _is_plain(obj):
                return box(Array, obj)
        elif type(obj) is Array:
            return obj
        elif type(obj) is list and not torch.compiler.is_compiling():
            kinds = set(map(type, obj))
            if kinds in _ALIKE:
                made = defaults.INT if int in kinds else defaults.float_dtype()
                try:
                    t = torch.tensor(obj, dtype=made, device=CPU)
                except (RuntimeError, ValueError, OverflowError):
                    pass  # an int out of range, for which torch's versions raise different errors
                else:
                    if default_is_cpu():
                        out = Array()
                        out._tensor = t
                        return out
    return _asarray_general(obj, dtype, device, copy)


def _asarray_general(obj: Any, dtype: Any, device: Any, copy: Any) -> Array:
    copy = None if copy is None else truth("asarray", "copy", copy)
    if dtype is not None:
        check_dtype("asarray", dtype, error=ValueError)
    on_device = None if device is None else normalize_device("asarray", device)
    if isinstance(obj, Array):
        if dtype is None and device is None and not copy:
            return obj
        return box(Array, _adapted("asarray", obj._tensor, dtype, on_device, copy, ValueError))
    if isinstance(obj, Tensor):
        tensor = _resolved("asarray", obj, copy, ValueError)
        return box(Array, _adapted("asarray", tensor, dtype, on_device, copy, ValueError))
    if type(obj) not in SCALAR_TYPES and not isinstance(obj, (list, tuple, str)):
        foreign = _foreign(obj, copy)
        if foreign is not None:
            tensor, copied = foreign
            copy = None if copied else copy
            return box(Array, _adapted("asarray", tensor, dtype, on_device, copy, ValueError))
        if not isinstance(obj, (complex, float, int, Sequence)):
            raise TypeError(
                f"asarray: obj must be an array, a Python scalar, a sequence of them, or have "
                f"__dlpack__ or the buffer protocol, not {type_name(obj)}"
            )
    if copy is False:
        raise ValueError(
            f"asarray: copy=False, but the data of a Python {type_name(obj)} must be copied"
        )
    return box(Array, _from_python(obj, dtype, on_device))


def _adapted(
    name: str,
    tensor: Tensor,
    dtype: torch.dtype | None,
    device: torch.device | None,
    copy: bool | None,
    error: type[Exception],
) -> Tensor:
    """Convert a tensor to the requested dtype and device, with a copy as ``copy`` says."""
    recast = dtype is not None and tensor.dtype is not dtype
    moved = device is not None and tensor.device != device
    if not (recast or moved):
        return tensor.clone() if copy else tensor
    if copy is False:
        wanted = name_of(dtype) if recast else str(device)
        has = name_of(tensor.dtype) if recast else str(tensor.device)
        raise error(f"{name}: copy=False, but {has} data must be copied to {wanted}")
    if recast and dtype is not None:
        if drops_imaginary(tensor.dtype, dtype):
            raise TypeError(
                f"{name}: complex data has no {name_of(dtype)} value; take its real or imag part"
            )
        tensor = tensor.to(dtype)
    return move(name, tensor, device) if moved and device is not None else tensor


def _is_plain(tensor: Tensor) -> bool:
    """Whether a tensor can be wrapped without further checks."""
    if tensor.dtype not in _PLAIN or tensor.layout is not torch.strided:
        return False
    return torch.compiler.is_compiling() or not (tensor.is_neg() or tensor.is_meta)


def _resolved(name: str, tensor: Tensor, copy: bool | None, error: type[Exception]) -> Tensor:
    """Check dtype and layout of a tensor, and resolve its conjugate and negative bits."""
    if type(tensor) is not Tensor:
        tensor = from_dtensor(tensor)
    if not is_dtype(tensor.dtype):
        raise TypeError(
            f"{name}: a {named(tensor.dtype)} tensor is not supported; cast it to one of the "
            f"dtypes {dtype_names()}"
        )
    if tensor.layout is not torch.strided:
        raise TypeError(
            f"{name}: a tensor of layout {tensor.layout} is not supported; make it dense first"
        )
    if torch.compiler.is_compiling():  # in a trace, which cannot read the bits and the device
        return tensor.resolve_conj() if tensor.dtype.is_complex else tensor
    if tensor.is_meta:
        note_device()
    if tensor.is_conj() or tensor.is_neg():
        # Lazily conjugated tensors are refused or misread by many of torch's kernels.
        if copy is False:
            raise error(
                f"{name}: copy=False, but a lazily conjugated or negated tensor must be copied"
            )
        return tensor.resolve_conj().resolve_neg()
    return tensor


def _foreign(obj: object, copy: bool | None) -> tuple[Tensor, bool] | None:
    """Convert another library's array to a tensor; tell whether it is a copy. Else ``None``."""
    view = _memory_of(obj)
    if view is not None:
        dtype = interchange.buffer_dtype(view)
        if dtype is None or not is_dtype(dtype):
            raise TypeError(
                f"asarray: data of buffer format {view.format!r} is not supported; the dtypes "
                f"are {dtype_names()}"
            )
        if not hasattr(obj, "__dlpack__") or view.readonly or interchange.has_negative_strides(obj):
            copied = bool(copy) or not interchange.is_shareable(view)
            if copied and copy is False:
                raise ValueError(
                    "asarray: copy=False, but memory that is read-only or not contiguous must be "
                    "copied"
                )
            return interchange.from_buffer(view, dtype, copied), copied
    if hasattr(obj, "__dlpack__") and not isinstance(obj, type):
        try:
            return _imported("asarray", obj), False
        except BufferError as error:
            raise TypeError(f"asarray: {type_name(obj)} is not supported: {error}") from error
    return None


def _memory_of(obj: Any) -> memoryview | None:
    try:
        return memoryview(obj)
    except (TypeError, ValueError, BufferError):
        # NumPy raises ValueError for a dtype that the protocol has no format for.
        return None


def _imported(name: str, obj: object) -> Tensor:
    """Another library's array through DLPack, sharing its memory."""
    if interchange.has_negative_strides(obj):
        raise BufferError(f"{name}: an array with negative strides must be copied first")
    try:
        tensor = interchange.from_dlpack(obj)
    except RuntimeError as error:
        raise BufferError(f"{name}: {str(error).splitlines()[0]}") from None
    return _resolved(name, tensor, None, BufferError)


def _from_python(obj: object, dtype: torch.dtype | None, device: torch.device | None) -> Tensor:
    """Convert a Python scalar, or nested sequences of them, to a tensor."""
    shape, leaves = _flattened(obj)
    kinds = set(map(type, leaves))
    if dtype is not None and kinds == {Array}:
        return _gathered(leaves, dtype, device).reshape(shape)
    if not kinds <= SCALAR_TYPES:
        leaves = [_scalar(v) for v in leaves]
        kinds = set(map(type, leaves))
    if dtype is None:
        dtype = _inferred(kinds, leaves, device)
    if not shape:
        value = to_kind("asarray", "obj", leaves[0], dtype)
        return creation.full((), value, dtype, device)
    values = _of_kind(kinds, leaves, dtype)
    if torch.compiler.is_compiling():  # Dynamo cannot trace get_default_device
        return torch.tensor(values, dtype=dtype, device=device).reshape(shape)
    # Create it on the CPU and move it: torch.tensor would wait for the device.
    tensor = torch.tensor(values, dtype=dtype, device=CPU)
    if len(shape) != 1:
        tensor = tensor.reshape(shape)
    if device is None:
        if default_is_cpu():
            return tensor
        device = torch.get_default_device()
    return tensor if device.type == "cpu" else move("asarray", tensor, device)


def _gathered(scalars: list[Array], dtype: torch.dtype, device: torch.device | None) -> Tensor:
    """Join 0-D arrays in nested sequences without reading their values.

    In the standard, sequences hold Python scalars. Its test suite, and array-api-strict with a
    given dtype, accept 0-D arrays too.
    """
    tensors = [a._tensor for a in scalars]
    for tensor in tensors:
        if tensor.ndim:
            raise TypeError(
                "asarray: a sequence must not hold arrays of more than 0 dimensions; use stack"
            )
    check_devices("asarray", *tensors)
    tensors = [_adapted("asarray", t, dtype, None, None, ValueError) for t in tensors]
    return _adapted("asarray", torch.stack(tensors), None, device, None, ValueError)


def _flattened(obj: Any) -> tuple[list[int], list[Any]]:
    """The shape and the elements of nested sequences, level by level."""
    shape: list[int] = []
    level = [obj]
    while level and any(_is_sequence(kind) for kind in set(map(type, level))):
        lengths = {len(v) if _is_sequence(type(v)) else -1 for v in level}
        if len(lengths) > 1:
            raise ValueError(
                f"asarray: the nested sequences differ in length or depth in dimension {len(shape)}"
            )
        shape.append(lengths.pop())
        if len(shape) > _MAX_DEPTH:
            raise ValueError(f"asarray: more than {_MAX_DEPTH} nested sequences")
        level = list(chain.from_iterable(level))
    return shape, level


def _is_sequence(kind: type) -> bool:
    if kind is list or kind is tuple:
        return True
    if kind in SCALAR_TYPES or issubclass(kind, (str, bytes, bytearray, memoryview)):
        return False
    return issubclass(kind, Sequence)


def _scalar(value: object) -> Any:
    """An element of a sequence as a Python scalar."""
    if type(value) in SCALAR_TYPES:
        return value
    if isinstance(value, (Array, Tensor)) or hasattr(value, "__dlpack__"):
        raise TypeError(f"asarray: a sequence must not hold arrays ({type_name(value)}); use stack")
    view = None if isinstance(value, (bytes, bytearray)) else _memory_of(value)
    if view is not None and view.ndim == 0:  # NumPy's scalars
        dtype = interchange.buffer_dtype(view)
        if dtype is not None:
            return interchange.from_buffer(view, dtype, True).item()
    return python_scalar("asarray", "an element of a sequence", value)


def _inferred(kinds: set[type], leaves: list[Any], device: torch.device | None) -> torch.dtype:
    """The default dtype of the widest kind; uint64 if only it can hold the ints."""
    for kind in (complex, float):
        if kind in kinds:
            return default_dtype("asarray", kind, device)
    if int in kinds:
        largest = max(leaves)
        return torch.uint64 if _INT64_MAX < largest <= _UINT64_MAX else defaults.INT
    return torch.bool if kinds else defaults.float_dtype_on(device)


def _of_kind(kinds: set[type], leaves: list[Any], dtype: torch.dtype) -> list[Any]:
    """Check the range of scalars, and convert them for ``torch.tensor`` and a dtype."""
    if dtype in BOUNDS and kinds <= {int, bool}:
        low, high = BOUNDS[dtype]
        if leaves and not (low <= min(leaves) and max(leaves) <= high):
            worst = min(leaves) if min(leaves) < low else max(leaves)
            raise OverflowError(f"asarray: {shown(worst)} is out of range for {name_of(dtype)}")
        return leaves
    if kinds <= {float} and dtype.is_floating_point:
        return leaves
    return [to_kind("asarray", "an element", v, dtype) for v in leaves]


def from_dlpack(x: object, /, *, device: Device | None = None, copy: bool | None = None) -> Array:
    """Convert another library's array to an array.

    Parameters
    ----------
    x : object with ``__dlpack__`` and ``__dlpack_device__``
        The array to convert.
    device : torch.device or str, optional
        The device of the result; by default where ``x`` is.
    copy : bool, optional
        ``True`` always copies. ``False`` never copies, and raises an error if a copy is needed. By
        default the memory is shared if possible.

    Returns
    -------
    Array
        The data. The gradient flows from an ``xp_torch`` array or a tensor.

    Raises
    ------
    AttributeError
        If ``x`` has no ``__dlpack__``.
    BufferError
        If ``x`` cannot export its data. Also if ``copy=False`` forbids a copy; that error is a
        ``ValueError`` too, because the standard names both.
    TypeError
        For data of a dtype that the namespace does not have.
    ValueError
        For a device that this machine does not have.

    Notes
    -----
    Memory that is known to be read-only is copied, because torch would write to it.

    Source: the array API standard, ``from_dlpack``; *Data interchange mechanisms*.

    Examples
    --------
    >>> import xp_torch as xp
    >>> import torch
    >>> xp.from_dlpack(torch.arange(3))
    Array([0, 1, 2], dtype=int64)
    """
    name = "from_dlpack"
    copy = None if copy is None else truth(name, "copy", copy)
    on_device = None if device is None else normalize_device(name, device)
    if isinstance(x, Array):
        tensor = x._tensor
    elif isinstance(x, Tensor):
        tensor = _resolved(name, x, copy, CopyError)
    elif not hasattr(x, "__dlpack__") or isinstance(x, type):
        raise AttributeError(f"{name}: {type_name(x)} has no __dlpack__ method")
    else:
        tensor = _imported(name, x)
        view = _memory_of(x)
        if view is not None and view.readonly:
            if copy is False:
                raise CopyError(f"{name}: copy=False, but read-only memory must be copied")
            copy = True
    return box(Array, _adapted(name, tensor, None, on_device, copy, CopyError))


def to_torch(x: Array, /) -> Tensor:
    """Convert an array to its tensor, without a copy.

    Parameters
    ----------
    x : Array
        Any dtype, any shape, on any device.

    Returns
    -------
    torch.Tensor
        The tensor itself: it shares memory with the array, and the gradient flows. A
        distributed array gives a ``DTensor``.

    Raises
    ------
    TypeError
        For anything but an array.

    Notes
    -----
    Not in the standard. This function and ``asarray(tensor)`` are the two conversion functions
    between the namespace and torch.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.to_torch(xp.asarray([1.0, 2.0]))
    tensor([1., 2.], dtype=torch.float64)
    """
    tensor = x._tensor if type(x) is Array else tensor_of("to_torch", "x", x)
    return tensor if type(tensor) is Tensor else to_dtensor(tensor)
