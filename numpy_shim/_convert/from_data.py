"""Arrays from data: numbers and sequences, other libraries' arrays, objects that hold arrays."""

from __future__ import annotations

from typing import Any

import numpy
import torch
from numpy import _CopyMode
from numpy.exceptions import ComplexWarning
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core.box import TensorBox
from xp_torch._core.devices import default_is_cpu, move, normalize_device
from xp_torch._core.errors import translate
from xp_torch._kernels.host_reads import FEW

from .._array import views
from .._array.host_view import BEHAVED, array_on, memory_of
from .._array.layout import laid_out, order_of
from .._array.ndarray import AnyArray, array_of, ndarray, new
from .._array.scalars import TensorScalar
from .._base import defaults
from .._base.axes import MAX_DIMS
from .._base.dtypes import FLOAT64, TORCH, torch_dtype
from .._base.tracing import warn
from .._base.typing import ArrayLike, Device, DTypeLike, Order
from .._kernels.casting import cast
from .arguments import as_tensor
from .foreign import foreign, is_subclass, no_copy, refuse_swapped
from .one_storage import is_kept_in_place, on_memory_of, on_one_storage
from .sequences import from_python, quick_memory, quick_number

__all__ = ["array", "asanyarray", "asarray", "copy"]


def array(
    object: object,
    dtype: DTypeLike = None,
    *,
    copy: bool | None = True,
    order: Order = "K",
    subok: bool = False,
    ndmin: int = 0,
    ndmax: int = 0,
    like: ArrayLike | None = None,
    device: Device = None,
) -> ndarray:
    """An array of the data in an object, by default with memory of its own.

    Parameters
    ----------
    object : array_like
        Numbers and sequences nested to any depth, arrays, tensors and 0-D arrays among them;
        NumPy's arrays and scalars, buffers, and objects with ``__dlpack__``, ``__array__`` or
        ``__array_interface__``. Text and objects only where ``dtype`` names a number type.
    dtype : dtype, optional
        By default the dtype that holds all elements (NEP 50; here numbers are not weak).
    copy : bool or None
        ``True`` copies, ``None`` only where it is needed, ``False`` never.
    order : {'K', 'A', 'C', 'F'}
        The layout in memory.
    subok : bool
        Accepted; there are no subclasses to pass through.
    ndmin, ndmax : int
        The least number of axes (new ones go first) and the most (0 for 64).
    like : ndarray, optional
        One of our arrays, or ``None``: the result is one of ours either way.
    device : torch.device or str, optional
        Where the array lives; by default where the data is, or torch's default device.

    Returns
    -------
    ndarray
        Gradients flow from a tensor through the array.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.array([[1, 2.5], [True, 4]])
    array([[1. , 2.5],
           [1. , 4. ]])
    """
    if (
        copy is True
        and order == "K"
        and ndmin == 0
        and ndmax == 0
        and device is None
        and like is None
    ):
        kind = type(object)
        if kind is list or kind is tuple:
            wanted = None if dtype is None else _everyday(dtype)
            if dtype is None or wanted is not None:
                made = quick_memory(object, None, wanted)
                if made is not None:
                    return array_on(made)
        elif kind is ndarray and (
            dtype is None or _everyday(dtype) is object._tensor.dtype  # type: ignore[attr-defined]
        ):
            return copy_of("array", object)  # type: ignore[arg-type]
        elif not is_compiling() and issubclass(kind, numpy.ndarray) and not subok:
            if _is_short(object, dtype):
                return array_on(numpy.array(object))
            tensor = _memory_of(object, dtype)
            if tensor is not None:
                return array_of(tensor.clone())
        else:
            tensor = _number_of(object, dtype)
            if tensor is not None:
                return array_of(tensor)
    return _general_array(object, dtype, copy, order, subok, ndmin, ndmax, like, device)


def _general_array(
    object: object,
    dtype: DTypeLike,
    copy: bool | None,
    order: Order,
    subok: bool,
    ndmin: int,
    ndmax: int,
    like: ArrayLike | None,
    device: Device,
) -> ndarray:
    check_like("array", like)
    limit = _checked_limits(ndmin, ndmax)
    if (
        type(object) is ndarray
        and copy is True and order == "K" and not ndmin and device is None
        and torch_dtype("array", dtype) is object._tensor.dtype
    ):  # fmt: skip
        return copy_of("array", object)
    if not subok:
        object = _without_class(object)
    result = loaded("array", object, "object", dtype, order, device, _checked_copy(copy))
    ndim = result.ndim
    if ndim > limit and not isinstance(object, (AnyArray, Tensor, numpy.ndarray)):
        raise ValueError(
            "setting an array element with a sequence. The requested array would exceed the "
            f"maximum number of dimension of {limit}."
        )
    if ndim >= ndmin:
        return result
    widened = views.reshaped(result, (1,) * (ndmin - ndim) + result.shape)
    assert widened is not None
    return widened if result is object else array_of(widened._tensor)


def _everyday(dtype: object) -> torch.dtype | None:
    """The dtype of floats or of ``numpy.float64`` where one is named so; ``None`` for others."""
    if dtype is float:
        return defaults.float_dtype()
    return torch.float64 if dtype is numpy.float64 else None


def _is_short(x: Any, dtype: object) -> bool:
    """Whether a NumPy array is a vector of few float64 that is wanted as such on the CPU.

    NumPy copies it in a quarter of torch's time, and the copy is the view that the array keeps.
    """
    return (
        x.ndim == 1
        and x.dtype is FLOAT64
        and x.size <= FEW
        and (dtype is None or _everyday(dtype) is torch.float64)
        and default_is_cpu()
    )


def _memory_of(x: Any, dtype: object) -> Tensor | None:
    """The memory of an array of NumPy's or of a subclass, as a tensor.

    ``None`` where torch does not take it as it is, for another ``dtype`` than its own,
    and where arrays are made on another device.
    """
    wanted = None if dtype is None else _everyday(dtype)
    if (dtype is not None and wanted is None) or not default_is_cpu():
        return None
    if x.flags.num & BEHAVED != BEHAVED:
        return None
    tensor = memory_of(x)
    return tensor if wanted is None or tensor is None or tensor.dtype is wanted else None


def _number_of(x: object, dtype: object) -> Tensor | None:
    """A single number as a tensor; ``None`` for other objects, and for another ``dtype``."""
    wanted = None if dtype is None else _everyday(dtype)
    if dtype is not None and wanted is None:
        return None
    tensor = quick_number(x)
    return tensor if wanted is None or tensor is None or tensor.dtype is wanted else None


def _without_class(x: object) -> object:
    """An array of a subclass of NumPy's as an array of NumPy's on its memory; others unchanged.

    Neither ``array`` nor ``asarray`` keep the class, so that numbers need no call of NumPy's.
    """
    if is_compiling() or not is_subclass(x):
        return x
    given: Any = x
    return numpy.ndarray.view(given, numpy.ndarray) if given.dtype in TORCH else x


def _checked_limits(ndmin: int, ndmax: int) -> int:
    if not 0 <= ndmax <= MAX_DIMS:
        raise ValueError(f"array: ndmax must be in the range [0, {MAX_DIMS}]")
    limit = ndmax or MAX_DIMS
    if ndmin > limit:
        raise ValueError(f"array: ndmin must be <= ndmax ({limit})")
    return limit


def _checked_copy(copy: object) -> bool | None:
    if isinstance(copy, str):
        raise ValueError("strings are not allowed for 'copy' keyword. Use True/False/None instead.")
    return None if copy is None or copy is _CopyMode.IF_NEEDED else bool(copy)


def check_like(name: str, like: object) -> None:
    """Raise ``TypeError`` unless ``like`` is ``None`` or an array of ours."""
    if like is not None and not isinstance(like, (AnyArray, Tensor)):
        raise TypeError(
            f"{name}: like must be an array of numpy_shim or None, not {type(like).__name__}"
        )


def loaded(
    name: str, obj: Any, argument: str, dtype: Any, order: Any, device: Any, copy: bool | None
) -> ndarray:
    """An array of ``obj`` in a dtype, order and device, copied as ``copy`` says.

    ``obj`` itself if it is an array that needs no change.
    """
    wanted = None if dtype is None else torch_dtype(name, dtype)
    device = None if device is None else normalize_device(name, device)
    fresh = False
    given: ndarray | None = None  # the array to return if nothing changes
    owner: Any = None
    if isinstance(obj, AnyArray):
        given, tensor = obj, obj._tensor
        if copy is None and isinstance(obj, TensorScalar):
            copy = True
    elif isinstance(obj, Tensor):
        tensor = as_tensor(name, obj, argument)
        if not is_compiling() and (tensor.is_conj() or tensor.is_neg()):
            tensor, fresh = tensor.resolve_conj().resolve_neg(), True
    else:
        if isinstance(obj, numpy.ndarray):
            if not obj.dtype.isnative and wanted is None:
                refuse_swapped(name, argument, obj.dtype)
            same = wanted is None or wanted is TORCH.get(obj.dtype)
            if same and not copy and is_kept_in_place(obj, device):
                given = on_memory_of(name, obj, argument)
        if given is not None:
            given._base, tensor = obj, given._tensor
        elif (found := foreign(name, obj, argument, device, copy)) is None:
            tensor, fresh = from_python(name, obj, argument, wanted, device), True
        else:
            source, fresh = found
            if isinstance(source, AnyArray):
                given, tensor = source, source._tensor
            else:
                tensor, owner = source, None if isinstance(obj, TensorBox) else obj
    if fresh or (copy is False and isinstance(obj, TensorScalar)):
        _forbid(name, copy)
    if wanted is not None and tensor.dtype is not wanted:
        _forbid(name, copy)
        if tensor.is_complex() and not wanted.is_complex and wanted is not torch.bool:
            warn(
                f"{name}: Casting complex values to real discards the imaginary part",
                ComplexWarning,
            )
        tensor, fresh, given = cast(tensor, wanted), True, None
    if device is not None and tensor.device != device:
        _forbid(name, copy)
        tensor, fresh, given = move(name, tensor, device), True, None
    if order is not None and (copy or order_of(name, order, "K") != "A"):
        before, tensor = tensor, laid_out(name, tensor, order)
        if before is not tensor:
            _forbid(name, copy)
            fresh, given = True, None
    if copy and not fresh:
        try:
            tensor = tensor.clone()
        except RuntimeError as error:
            translate(name, error)
    elif given is not None:
        return given
    moved = isinstance(owner, numpy.ndarray) and not tensor.is_cpu  # to the default device
    if owner is None or fresh or copy or moved:
        return array_of(tensor)
    if tensor._base is not None:
        tensor = tensor.detach()  # not a view of torch's, whose base would be searched for
    made = array_of(tensor)
    made._base = owner
    return made


def copy_of(name: str, a: ndarray) -> ndarray:
    """A plain array with memory of its own."""
    out = new(ndarray)
    try:
        out._tensor = a._tensor.clone()
    except RuntimeError as error:  # no memory for it
        translate(name, error)
    out._flat_dtype = a._flat_dtype
    return out


def _forbid(name: str, copy: bool | None) -> None:
    if copy is False:
        raise no_copy(name)


def asarray(
    a: object,
    dtype: DTypeLike = None,
    order: Order = None,
    *,
    device: Device = None,
    copy: bool | None = None,
    like: ArrayLike | None = None,
) -> ndarray:
    """An array of the data in an object, sharing its memory where that is possible.

    As ``array`` with ``copy=None``: an array comes back as it is; a tensor and a writable
    NumPy array are wrapped, without a copy, and gradients flow.

    Parameters
    ----------
    a : array_like
        The data; see ``array``.
    dtype, order, device, copy, like : optional
        As in ``array``.

    Returns
    -------
    ndarray
        The data.

    Examples
    --------
    >>> import numpy_shim as np
    >>> import torch
    >>> t = torch.zeros(2)
    >>> np.asarray(t)[0] = 7
    >>> t
    tensor([7., 0.])
    """
    if order is None and device is None and copy is None and like is None:
        kind = type(a)
        wanted = None if dtype is None else _everyday(dtype)
        if kind is ndarray:
            if dtype is None or wanted is a._tensor.dtype:  # type: ignore[attr-defined]
                return a  # type: ignore[return-value]
        elif (kind is list or kind is tuple) and (dtype is None or wanted is not None):
            made = quick_memory(a, None, wanted)
            if made is not None:
                return array_on(made)
        elif not is_compiling() and issubclass(kind, numpy.ndarray):
            owner: Any = _without_class(a)
            tensor = _memory_of(owner, dtype)
            if tensor is not None:
                out = array_of(on_one_storage(tensor, owner))
                out._base = owner
                return out
        else:
            tensor = _number_of(a, dtype)
            if tensor is not None:
                return array_of(tensor)
    return _general_asarray(a, dtype, order, device, copy, like)


def _general_asarray(
    a: object,
    dtype: DTypeLike,
    order: Order,
    device: Device,
    copy: bool | None,
    like: ArrayLike | None,
) -> ndarray:
    if (
        type(a) is ndarray
        and order is None and device is None and copy is None and like is None
        and torch_dtype("asarray", dtype) is a._tensor.dtype
    ):  # fmt: skip
        return a
    check_like("asarray", like)
    a = _without_class(a)
    return loaded("asarray", a, "a", dtype, order, device, _checked_copy(copy))


def asanyarray(
    a: object,
    dtype: DTypeLike = None,
    order: Order = None,
    *,
    device: Device = None,
    copy: bool | None = None,
    like: ArrayLike | None = None,
) -> ndarray:
    """``asarray``, under NumPy's name for the variant that accepts subclasses.

    Parameters
    ----------
    a : array_like
        The data; see ``array``.
    dtype, order, device, copy, like : optional
        As in ``array``.

    Returns
    -------
    ndarray
        The data, without a copy where that is possible.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.asanyarray([1, 2])
    array([1, 2])
    """
    check_like("asanyarray", like)
    return loaded("asanyarray", a, "a", dtype, order, device, _checked_copy(copy))


def copy(a: ArrayLike, order: Order = "K", subok: bool = False) -> ndarray:
    """A copy with memory of its own; gradients flow through it.

    Parameters
    ----------
    a : array_like
        The data.
    order : {'K', 'A', 'C', 'F'}
        The layout in memory; 'K' keeps that of ``a``.
    subok : bool
        Accepted; there are no subclasses.

    Returns
    -------
    ndarray
        In the shape and dtype of ``a``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> x = np.array([1, 2])
    >>> y = np.copy(x)
    >>> y[0] = 9
    >>> x
    array([1, 2])
    """
    if type(a) is ndarray and order == "K":
        return copy_of("copy", a)
    return loaded("copy", a, "a", None, order, None, True)
