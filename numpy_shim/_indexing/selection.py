"""``x[key]`` and ``x[key] = value`` for every array, key and value.

``keys`` parses a key, and ``views`` selects its basic part. This module gathers or puts the
elements that index arrays select.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
import torch
from numpy.exceptions import ComplexWarning
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._core.dtypes import SIGNED_TWIN, WIDE_UNSIGNED
from xp_torch._core.errors import REFUSALS, translate
from xp_torch._kernels import host_reads, searching
from xp_torch._kernels import indexing as kernels
from xp_torch._kernels.blocks import is_large
from xp_torch._kernels.manipulation import moving
from xp_torch._torch.internals import break_graph, is_certain, is_transformed, may_break_graph

from .._array import views
from .._array.memory import apart_in_trace, overlaps_itself, root, uncovered
from .._array.ndarray import AnyArray, ndarray, scalar
from .._array.scalars import TensorScalar
from .._base.axes import without_leading_ones
from .._base.dtypes import INTEGERS, NOTHING, NUMPY, HostDtypeError
from .._base.promotion import PYTHON_NUMBERS
from .._base.release import SIZE_ONE_IS_A_NUMBER
from .._base.scalar_types import STORED, check_elements
from .._base.tracing import warn
from .._convert.arguments import array_of, assign, check_devices, from_other
from .._convert.foreign import as_index
from .._convert.sequences import tensor_from
from .._host import crossings
from .._host.numpy_calls import cast_on_host
from .._kernels.backwards import values as values_of
from .._kernels.casting import cast
from .._kernels.numbers import full_scalar
from .keys import EVERYTHING, Parsed, check_bounds, parse, shape_text

GET = "__getitem__"
SET = "__setitem__"

SERIAL = 3000
"""From this many values on, torch puts them with several threads, in any order (measured)."""


def get_general(a: ndarray, key: object) -> Any:
    """``a[key]``.

    A view at an index that is a scalar on a device, or in a trace, would wait for its value. So the
    elements are gathered, and may not be written: that would be lost, where NumPy writes to ``a``.
    A launched program, which does what it does with NumPy, waits and gets the view.
    """
    parsed = parse(GET, a._tensor, key)
    view = views.select(a, parsed.basic)
    if parsed.indices:
        if parsed.by_scalars and not parsed.copies:
            if is_dynamo_compiling() and may_break_graph():
                break_graph()
                return _at_values(view, parsed)
            if crossings.mode() and not is_compiling() and not is_transformed():
                return _at_values(view, parsed)
            return views.locked(_gathered(view._tensor, parsed))
        tensor = _gathered(view._tensor, parsed)
    elif parsed.scalar or parsed.copies:
        tensor = view._tensor.clone()
    else:
        return view
    if not parsed.scalar:
        return array_of(tensor)
    return scalar(tensor)


def _at_values(a: ndarray, parsed: Parsed) -> ndarray:
    """The view at index tensors without axes, whose values are read."""
    key: list[Any] = [slice(None)] * a.ndim
    for axis, index in zip(parsed.axes, parsed.indices, strict=True):
        key[axis] = int(crossings.value(index, "index()"))
    return get_general(a, tuple(key))  # type: ignore[no-any-return]


_gather = moving(lambda x, key: x[key])


def _gathered(t: Tensor, parsed: Parsed) -> Tensor:
    """The elements that index tensors select along axes of ``t``."""
    t, start, indices = _arranged(t, parsed)
    try:
        result = _gather(t, (EVERYTHING,) * start + tuple(indices))
    except REFUSALS as error:
        _explain(GET, t, parsed, error)
    if not t.numel():  # torch does not check indices then
        _check_indices(GET, t, parsed)
    return result if parsed.shape else result.squeeze(start)


def _arranged(t: Tensor, parsed: Parsed) -> tuple[Tensor, int, list[Tensor]]:
    """The tensor, and the index tensors behind so many axes, for which torch gives NumPy's order.

    If the index tensors are all 0-D, they get an axis: torch would read a 0-D index and wait for
    it.
    """
    axes = parsed.axes
    indices = []
    for i in parsed.indices:
        if not i.dim():
            i = i.reshape(1)
        # Dynamo would not see in a tuple that an index tensor runs backwards.
        indices.append(i if type(i) is Tensor else values_of(i))
    if len(indices) > 1 and 0 in parsed.shape:  # torch would check the values even so
        indices = [i.expand(parsed.shape) for i in indices]
    if not parsed.front:
        return t, axes[0], indices
    return t.movedim(axes, tuple(range(len(axes)))), 0, indices


def _check_indices(name: str, t: Tensor, parsed: Parsed) -> None:
    if is_compiling() or 0 in parsed.shape:
        return  # a trace has no values; NumPy does not check indices that are broadcast to size 0
    start = 0 if parsed.front else parsed.axes[0]
    axes = list(range(start, start + len(parsed.indices)))
    check_bounds(name, t, axes, parsed.indices)


def _explain(name: str, t: Tensor, parsed: Parsed, error: Exception) -> Any:
    """Raise NumPy's error instead of torch's."""
    _check_indices(name, t, parsed)
    translate(name, error)


def set_general(a: ndarray, key: Any, value: Any) -> None:
    """``a[key] = value``."""
    t = a._tensor
    if type(t) is not Tensor and not views.is_writeable(a):
        raise ValueError(f"{SET}: assignment destination is read-only")
    if issubclass(type(a), TensorScalar):
        raise TypeError(f"'{type(a).__name__}' object does not support item assignment")
    mask = None if type(key) is tuple and len(key) != 1 else _whole_mask(t, key)
    parsed = None if mask is not None else parse(SET, t, key)
    is_sequence = isinstance(value, (list, tuple))
    try:
        scalar = parsed is not None and parsed.scalar
        basic = parsed is not None and not scalar and not parsed.indices
        if basic and type(value) in STORED and not is_compiling():
            check_elements(t.dtype, (value,))  # by a mask or an index array it is cast
        try:
            source = (element if scalar else replacement)(SET, t, value, a)
        except Exception as refused:  # of an object's __float__, too
            is_cast = isinstance(value, numpy.ndarray) and not isinstance(refused, HostDtypeError)
            if scalar or not is_cast or _takes_values(t, key, value.shape):
                raise
            return
        if parsed is None:
            _set_masked(a, mask, source)
        elif not parsed.indices:
            _set_basic(a, parsed, source, is_sequence)
        else:
            _set_gathered(a, parsed, source)
    except RuntimeError as error:
        translate(SET, error)


def _takes_values(t: Tensor, key: object, shape: tuple[int, ...]) -> bool:
    """Whether a key selects elements; an error where values of a shape do not fit them.

    NumPy casts the values of an array after that.
    """
    taken = array_of(torch.zeros(t.shape, dtype=torch.bool, device=t.device))
    set_general(taken, key, torch.ones(shape, dtype=torch.bool, device=t.device))
    return bool(taken._tensor.any())


def replacement(name: str, t: Tensor, value: object, target: ndarray | None = None) -> Tensor:
    """The value as a tensor of the dtype of ``t`` that shares no memory with it.

    ``target`` is the array of ``t``; with it, a trace copies fewer values.
    """
    if isinstance(value, AnyArray):
        tensor = value._tensor
    elif isinstance(value, Tensor):
        tensor = value
    elif value is None and t.dtype in NOTHING:
        return full_scalar(name, "value", NOTHING[t.dtype], t.dtype, t.device)
    elif type(value) in PYTHON_NUMBERS:
        return full_scalar(name, "value", value, t.dtype, t.device)
    else:
        try:
            tensor = tensor_from(name, value, "value", dtype=t.dtype, device=t.device)
        except HostDtypeError as error:
            tensor = cast_on_host(error, name, value, t).to(t.device)
    check_devices(name, [t, tensor])
    if tensor.dtype is not t.dtype:
        if tensor.is_complex() and not t.is_complex() and t.dtype is not torch.bool:
            warn_of_parts(name)
        return cast(tensor, t.dtype)
    if target is not None and is_compiling() and isinstance(value, AnyArray):
        return tensor if apart_in_trace(target, value) else tensor.clone()
    return tensor.clone() if _may_share(t, tensor) else tensor


def _may_share(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors may share elements. In a trace, tensors of one dtype may."""
    if is_compiling() and a.dtype is not b.dtype and type(a) is type(b) is Tensor:
        return root(a) is root(b)  # a special tensor has no base in a trace
    try:
        return kernels.shares_memory(a, b)
    except RuntimeError:  # tensors inside a torch.func transform have no addresses
        return True


def warn_of_parts(name: str) -> None:
    """NumPy's warning where complex values are cast to real ones."""
    message = f"{name}: Casting complex values to real discards the imaginary part"
    warn(message, ComplexWarning)


def _fitted(value: Tensor, shape: Sequence[int], message: str) -> Tensor:
    """The value without leading axes of size 1 that the selection lacks, so that it broadcasts."""
    if not value.dim():
        return value
    given = value.shape
    value = without_leading_ones(value, len(shape))
    missing = len(shape) - value.dim()
    if missing < 0 or any(
        is_certain(n != 1) and is_certain(n != shape[missing + i])
        for i, n in enumerate(value.shape)
    ):
        raise ValueError(f"{SET}: {message.format(shape_text(given), shape_text(shape))}")
    return value


def _set_basic(a: ndarray, parsed: Parsed, value: Tensor, is_sequence: bool) -> None:
    target = views.select(a, parsed.basic)
    shape = target._tensor.shape
    if is_sequence and value.dim() > len(shape):
        raise ValueError(
            f"{SET}: setting an array element with a sequence. The value has {value.dim()} "
            f"dimensions, the selection {len(shape)}"
        )
    message = "could not broadcast input array from shape {} into shape {}"
    assign(target, _fitted(value, shape, message))


def element(name: str, t: Tensor, value: object, target: ndarray | None = None) -> Tensor:
    """The value for one element of ``t``: 0-D, of its dtype, and in memory of its own.

    For a sequence NumPy takes its truth, or raises by dtype, as for an array with axes.
    """
    dtype = t.dtype
    if type(value) in STORED and not is_compiling():
        check_elements(dtype, (value,))
    if isinstance(value, (list, tuple)):
        if dtype is torch.bool:
            value = bool(value)
        elif dtype.is_complex or dtype in INTEGERS:
            raise TypeError(f"{name}: an element must be a number, not {type(value).__name__}")
        else:
            raise ValueError(f"{name}: setting an array element with a sequence.")
    if not isinstance(value, numpy.ndarray) or value.size == 1:  # else it may be text, or objects
        source = replacement(name, t, value, target)
        if not source.dim():
            return source
        if source.numel() == 1 and (SIZE_ONE_IS_A_NUMBER or dtype is torch.bool):
            return source.reshape(())  # for booleans, the truth of an array of one element
    if dtype.is_complex:
        raise TypeError(f"{name}: only 0-dimensional arrays can be converted to Python scalars")
    raise ValueError(f"{name}: setting an array element with a sequence.")


def _set_gathered(a: ndarray, parsed: Parsed, value: Tensor) -> None:
    view = a if _is_whole(parsed.basic) else views.select(a, parsed.basic)
    own = view._tensor
    # A reversed view: values go to a copy, written back whole.
    whole = own if type(own) is Tensor else values_of(own)
    shared = None if a._tensor.is_contiguous() else places_in_memory(view)
    t, start, indices = _arranged(whole if shared is None else shared[1], parsed)
    shape = (*t.shape[:start], *(parsed.shape or (1,)), *t.shape[start + len(indices) :])
    if not parsed.shape and value.dim() > len(shape) - 1 - start:
        value = value.unsqueeze(start - len(shape))
    if value.dim() > len(shape) and not value.numel():
        value = value.reshape(value.shape[-len(shape) :] if shape else ())
    message = "shape mismatch: value array of shape {} could not be broadcast to indexing result "
    fitted = _fitted(value, shape, message + "of shape {}")
    for at, i in enumerate(indices):
        if _may_share(t, i):
            indices[at] = i.clone()
    _check_indices(SET, t, parsed)  # before anything is written
    try:
        if shared is None:
            _put(t, start, indices, fitted)
        else:
            places = t[(EVERYTHING,) * start + tuple(indices)]
            _put(shared[0], 0, (places,), fitted.expand(shape))
    except REFUSALS as error:
        _explain(SET, t, parsed, error)
    if whole is not own and shared is None:
        assign(view, whole)


def _is_whole(items: Sequence[object]) -> bool:
    """Whether a basic key selects everything as it is."""
    for item in items:
        if type(item) is not slice or item.start is not None or item.stop is not None:
            return False
        if item.step is not None:
            return False
    return True


def _put(
    t: Tensor, start: int, indices: Sequence[Tensor], value: Tensor, distinct: bool = False
) -> None:
    """Put values at index tensors behind ``start`` axes.

    If an index is repeated (never if they are ``distinct``), the last value stays, as in NumPy.
    On the CPU torch puts many values with several threads in any order, so they are put a few
    at a time.
    """
    if t.dtype in WIDE_UNSIGNED:
        twin = SIGNED_TWIN[t.dtype]
        t, value = t.view(twin), value.view(twin)
    if (
        not distinct
        and value.numel() > 1
        and host_reads.possible(t)
        and torch.get_num_threads() > 1
    ):
        indices = torch.broadcast_tensors(*indices)
        count = indices[0].numel() * t.shape[:start].numel()
        if count * t.shape[start + len(indices) :].numel() >= SERIAL:
            _put_in_order(t, start, indices, value)
            return
    if value.requires_grad and not distinct:
        value = _last_gradient(t, start, indices, value)
    t[(EVERYTHING,) * start + tuple(indices)] = value


def _last_gradient(t: Tensor, start: int, indices: Any, value: Tensor) -> Tensor:
    """The values, without the gradient of those that a later one with the same index replaces."""
    indices = torch.broadcast_tensors(*indices)
    flat = torch.zeros_like(indices[0])
    for axis, index in enumerate(indices):
        size = t.shape[start + axis]
        flat = flat * size + torch.where(index < 0, index + size, index)
    flat = flat.reshape(-1)
    order = torch.arange(flat.shape[0], device=flat.device)
    elements = t.shape[start : start + len(indices)].numel()
    last = order.new_zeros(elements).scatter_reduce(0, flat, order, "amax")
    kept = (last[flat] == order).reshape(indices[0].shape)
    kept = kept.reshape(*kept.shape, *[1] * (t.dim() - start - len(indices)))
    return torch.where(kept, value, value.detach())


def _put_in_order(t: Tensor, start: int, indices: Any, value: Tensor) -> None:
    """Put values for a part of the indices at a time; the indices have one shape."""
    shape = indices[0].shape
    kept = t.shape[:start] + t.shape[start + len(indices) :]
    value = value.expand(t.shape[:start] + shape + t.shape[start + len(indices) :])
    value = value.movedim(tuple(range(start, start + len(shape))), tuple(range(len(shape))))
    value = value.reshape(-1, *kept)
    front = t.permute(
        *range(start, start + len(indices)),
        *range(start),
        *range(start + len(indices), t.dim()),
    )
    flat = [i.reshape(-1) for i in indices]
    step = max((SERIAL - 1) // max(kept.numel(), 1), 1)
    for i in range(0, flat[0].shape[0], step):
        front[tuple([f[i : i + step] for f in flat])] = value[i : i + step]


def _whole_mask(t: Tensor, key: object) -> Tensor | None:
    """The key if it is a mask of the array's shape, for which NumPy has special rules."""
    if isinstance(key, tuple):
        (key,) = key
    if isinstance(key, (list, bool, numpy.ndarray, numpy.bool)):
        try:
            key = from_other(SET, as_index(key), "an index", t.device)
        except (TypeError, ValueError):
            return None  # it will be refused as an index
    if isinstance(key, AnyArray):
        key = key._tensor
    if isinstance(key, Tensor) and key.dtype is torch.bool and key.shape == t.shape:
        check_devices(SET, [t, key])
        return key
    return None


_COPIED = frozenset(NUMPY) - WIDE_UNSIGNED
"""The dtypes that ``torch.where`` takes."""


def assign_where(a: ndarray, mask: Tensor, value: Tensor) -> None:
    """Write ``value``, of the dtype of ``a``, where ``mask`` is true, and what was there else."""
    t = a._tensor
    if (
        type(a) is ndarray
        and type(t) is Tensor
        and is_large(t)
        and value.dtype in _COPIED
        and not (_may_share(t, mask) or _may_share(t, value))  # torch sees it in dense memory alone
    ):
        try:
            torch.where(mask, value, t, out=t)  # no new memory
            return
        except RuntimeError:
            pass  # a gradient, or elements that share memory
    assign(a, searching.where(mask, value, t))


def put_masked(a: ndarray, mask: Tensor, value: Tensor) -> None:
    """Write ``value``, of the dtype of ``a``, where ``mask`` is true; both broadcast to ``a``.

    Elements where it is false are not written: others may be in the same memory.
    """
    t = a._tensor
    found = places_in_memory(a)
    if found is None:
        assign_where(a, mask, value)
        return
    memory, places = found
    mask = mask.expand(t.shape)
    _put(memory, 0, (places[mask],), value.expand(t.shape)[mask])


def places_in_memory(a: ndarray) -> tuple[Tensor, Tensor] | None:
    """The memory of an array whose elements share some, and the place of each element in it.

    ``None`` where each element has memory of its own, and in a trace, which does not know.
    """
    t = a._tensor
    if is_compiling() or not t.numel() or t.is_contiguous() or not overlaps_itself(a):
        return None
    return uncovered(a)


def _set_masked(a: ndarray, mask: Any, value: Tensor) -> None:
    if value.dim() > 1:
        raise TypeError(
            f"{SET}: NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, "
            f"input has {value.dim()} dimensions"
        )
    own = a._tensor
    whole = turned = values_of(own)
    if not whole.dim():
        whole, mask = whole.unsqueeze(0), mask.unsqueeze(0)
    if _may_share(whole, mask):
        mask = mask.clone()
    shared = places_in_memory(a)
    if not value.dim() or (not is_compiling() and value.shape[0] == 1):
        if shared is None:
            kernels.put_where(whole, mask, value)
        else:
            _put(shared[0], 0, (shared[1][mask],), value)
    elif is_compiling():
        kernels.put_in_order(whole, mask, value)
    else:
        indices = mask.nonzero(as_tuple=True)
        count = indices[0].shape[0]
        if count != value.shape[0]:
            raise ValueError(
                f"{SET}: NumPy boolean array indexing assignment cannot assign {value.shape[0]} "
                f"input values to the {count} output values where the mask is true"
            )
        if shared is None:
            _put(whole, 0, indices, value, distinct=True)
        else:
            _put(shared[0], 0, (shared[1][mask],), value)
    if turned is not own and shared is None:  # as in _set_gathered
        assign(a, turned)
