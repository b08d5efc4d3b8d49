"""``x[key]``, ``x[key] = value`` and ``del x[key]``.

The fast paths take plain arrays and the everyday keys; everything else is parsed by ``_keys``,
selected by ``_views`` and, where there are index arrays, gathered or put here.
"""

from __future__ import annotations

from types import EllipsisType, NoneType
from typing import Any

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._core import box as _box
from xp_torch._core.dtypes import SIGNED_TWIN, WIDE_UNSIGNED
from xp_torch._core.errors import REFUSALS, translate
from xp_torch._kernels import indexing as kernels
from xp_torch._kernels.manipulation import moving

from . import _views as views
from ._axes import broadcast_shapes
from ._convert import PYTHON_NUMBERS, array_of, assign, cast, check_devices, full_scalar
from ._dtypes import NUMPY
from ._keys import Parsed, check_bounds, parse
from ._ndarray import SCALAR_TYPES, ndarray, new
from ._scalars import generic

GET = "__getitem__"
SET = "__setitem__"
_BASIC = frozenset({int, slice, NoneType, EllipsisType})
_MOVED = frozenset(NUMPY) - WIDE_UNSIGNED
_FLOATS = frozenset({torch.float32, torch.float64})
_EXACT = 2**53
SERIAL = 32768
"""torch puts more values than these with several threads, in any order."""


def getitem(self: ndarray, key: Any, /) -> Any:
    """The elements that ``key`` selects, by NumPy's rules of indexing."""
    if type(self) is ndarray:
        t = self._tensor
        kind = type(key)
        try:
            if kind is slice:
                out = new(ndarray)
                out._tensor = t[key]
                out._base = self
                return out
            if kind is int:
                found = t[key]
                if found.dim():
                    out = new(ndarray)
                    out._tensor = found
                    out._base = self
                    return out
                out = new(SCALAR_TYPES[t.dtype])
                out._tensor = found.clone()
                return out
            if kind is tuple:
                ellipses = 0
                for item in key:
                    if item is Ellipsis:
                        ellipses += 1
                    elif type(item) not in _BASIC:
                        ellipses = 2
                        break
                if ellipses < 2:
                    found = t[key]
                    if found.dim() or ellipses:
                        out = new(ndarray)
                        out._tensor = found
                        out._base = self
                        return out
                    out = new(SCALAR_TYPES[t.dtype])
                    out._tensor = found.clone()
                    return out
            elif kind is ndarray:
                k = key._tensor
                if (
                    (k.dtype is torch.int64 or k.dtype is torch.bool)
                    and k.dim()
                    and t.numel()
                    and t.dtype in _MOVED
                    and not (_box.several_devices and t.device != k.device)
                ):
                    out = new(ndarray)
                    out._tensor = t[k]
                    return out
        except REFUSALS:
            pass  # the general twin takes it, or says what is wrong with it
    return _getitem_general(self, key)


def _getitem_general(a: ndarray, key: Any) -> Any:
    shaped = views.forward_of(a)[0]
    parsed = parse(GET, shaped, key)
    view = views.select(a, parsed.basic)
    if parsed.indices:
        tensor = _gathered(view._tensor, parsed)
    elif parsed.scalar or parsed.copies:
        tensor = view._tensor.clone()
    else:
        return view
    if not parsed.scalar:
        return array_of(tensor)
    out = new(SCALAR_TYPES[tensor.dtype])
    out._tensor = tensor
    return out


_gather = moving(lambda x, key: x[key])


def _gathered(t: Tensor, parsed: Parsed) -> Tensor:
    """What index tensors select along axes of ``t``."""
    t, key, start, flat = _arranged(t, parsed)
    try:
        result = _gather(t, key)
    except REFUSALS as error:
        _explain(GET, t, parsed, error)
    if not result.numel():
        _check_empty(GET, t, parsed)
    return result.squeeze(start) if flat else result


def _arranged(t: Tensor, parsed: Parsed) -> tuple[Tensor, tuple[Any, ...], int, bool]:
    """The tensor and the key that torch gives NumPy's order of axes for.

    Also where the axes of the index tensors start, and whether these are all 0-D: then they
    have been given an axis, since torch would read a 0-D index and wait for it.
    """
    places, indices = parsed.places, parsed.indices
    flat = all(not i.dim() for i in indices)
    indices = [i if i.dim() else i.reshape(1) for i in indices]
    start = 0 if parsed.front else places[0]
    if parsed.front:
        t = t.permute(*places, *[i for i in range(t.dim()) if i not in places])
        return t, tuple(indices), start, flat
    return t, (slice(None),) * start + tuple(indices), start, flat


def _check_empty(name: str, t: Tensor, parsed: Parsed) -> None:
    """torch does not look at indices that select nothing; NumPy does."""
    if not is_compiling() and t.is_cpu and not t.numel():
        _check_indices(name, t, parsed)


def _check_indices(name: str, t: Tensor, parsed: Parsed) -> None:
    start = 0 if parsed.front else parsed.places[0]
    places = list(range(start, start + len(parsed.indices)))
    check_bounds(name, t, places, parsed.indices)


def _explain(name: str, t: Tensor, parsed: Parsed, error: Exception) -> Any:
    """Raise what NumPy raises in place of an error of torch's."""
    _check_indices(name, t, parsed)
    translate(name, error)


def setitem(self: ndarray, key: Any, value: Any, /) -> None:
    """Replace the elements that ``key`` selects by ``value``, cast to the array's dtype."""
    if type(self) is ndarray:
        t = self._tensor
        kind = type(key)
        try:
            if kind is int or kind is slice or (kind is tuple and _is_basic(key)):
                if isinstance(value, ndarray):
                    v = value._tensor
                    if v.dtype is t.dtype and not (_box.several_devices and t.device != v.device):
                        target = t[key]
                        if not kernels.shares_memory(t, v):
                            if v.dim() <= target.dim():
                                target.copy_(v)
                                return
                        elif _is_same(target, v):
                            return  # what x[key] += 1 does last
                elif _is_plain(value, t.dtype):
                    t[key].fill_(value)
                    return
            elif kind is ndarray:
                k = key._tensor
                if k.dim() and t.numel() and not (_box.several_devices and t.device != k.device):
                    if k.dtype is torch.bool:
                        if k.shape == t.shape and _is_plain(value, t.dtype):
                            t.masked_fill_(k, value)
                            return
                    elif k.dtype is torch.int64 and k is not t:
                        if isinstance(value, ndarray):
                            v = value._tensor
                            if v.dtype is t.dtype and not (
                                v.dim() > k.dim() + t.dim() - 1
                                or v.numel() > SERIAL
                                or (_box.several_devices and t.device != v.device)
                                or kernels.shares_memory(t, v)
                                or kernels.shares_memory(t, k)
                            ):
                                t.index_put_((k,), v)
                                return
                        elif _is_plain(value, t.dtype):
                            t[k] = value
                            return
        except REFUSALS:
            pass  # the general twin takes it, or says what is wrong with it
    _setitem_general(self, key, value)


def _is_basic(key: tuple[Any, ...]) -> bool:
    """Whether a tuple is of ints, slices, ``None`` and at most one ellipsis."""
    ellipses = 0
    for item in key:
        if item is Ellipsis:
            ellipses += 1
        elif type(item) not in _BASIC:
            return False
    return ellipses < 2


def _is_plain(value: Any, dtype: torch.dtype) -> bool:
    """Whether torch fills with a Python number as NumPy does."""
    kind = type(value)
    if kind is float:
        return dtype in _FLOATS
    if kind is int:
        return (dtype is torch.int64 or dtype in _FLOATS) and -_EXACT <= value <= _EXACT
    return kind is bool and dtype is torch.bool


def _is_same(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors are the same elements of memory in the same order; not in a trace."""
    return (
        not is_compiling()
        and a.data_ptr() == b.data_ptr()
        and a.shape == b.shape
        and a.stride() == b.stride()
    )


def _setitem_general(a: ndarray, key: Any, value: Any) -> None:
    if isinstance(a, generic):
        raise TypeError(f"'{type(a).__name__}' object does not support item assignment")
    if not views.is_writeable(a):
        raise ValueError(f"{SET}: assignment destination is read-only")
    forward = views.forward_of(a)[0]
    mask = _whole_mask(forward, key)
    parsed = None if mask is not None else parse(SET, forward, key)
    try:
        source = _value(forward, value)
        if parsed is None:
            _set_masked(a, mask, source)
        elif not parsed.indices:
            _set_basic(a, parsed, source)
        else:
            _set_gathered(a, parsed, source)
    except RuntimeError as error:
        translate(SET, error)


def _value(t: Tensor, value: Any) -> Tensor:
    """The value as a tensor of the dtype of ``t`` that shares no memory with it."""
    if isinstance(value, ndarray):
        tensor = value._tensor
    elif isinstance(value, Tensor):
        tensor = value
    elif type(value) in PYTHON_NUMBERS:
        return full_scalar(SET, "value", value, t.dtype, t.device)
    else:
        from ._nested import tensor_from  # it needs this package's arrays

        tensor = tensor_from(SET, value, "value", dtype=t.dtype, device=t.device)
    check_devices(SET, [t, tensor])
    if tensor.dtype is not t.dtype:
        return cast(tensor, t.dtype)
    return tensor.clone() if kernels.shares_memory(t, tensor) else tensor


def _fitted(value: Tensor, shape: Any, what: str) -> Tensor:
    """The value without leading axes of size 1 that the selection lacks; it broadcasts."""
    extra = value.dim() - len(shape)
    given = value
    if extra > 0 and all(n == 1 for n in value.shape[:extra]):
        value = value.reshape(value.shape[extra:])
    missing = len(shape) - value.dim()
    if missing < 0 or any(n != 1 and n != shape[missing + i] for i, n in enumerate(value.shape)):
        raise ValueError(f"{SET}: {what.format(tuple(given.shape), tuple(shape))}")
    return value


def _set_basic(a: ndarray, parsed: Parsed, value: Tensor) -> None:
    target = views.select(a, parsed.basic)
    if parsed.scalar and value.dim():
        raise ValueError(f"{SET}: setting an array element with a sequence.")
    shape = views.forward_of(target)[0].shape
    fitted = _fitted(value, shape, "could not broadcast input array from shape {} into shape {}")
    assign(target, fitted)


def _set_gathered(a: ndarray, parsed: Parsed, value: Tensor) -> None:
    view = views.select(a, parsed.basic)
    plain = type(view) is ndarray
    # A reversed view is put into as a copy, and then written whole.
    whole = view._tensor
    t, key, start, flat = _arranged(whole, parsed)
    indices = [i for i in key if isinstance(i, Tensor)]
    common = broadcast_shapes(SET, *[i.shape for i in indices])
    rest = tuple(t.shape)
    shape = rest[:start] + common + rest[start + len(indices) :]
    if flat:
        value = (
            value.unsqueeze(start - len(shape)) if value.dim() > len(shape) - 1 - start else value
        )
    fitted = _fitted(
        value, shape,
        "shape mismatch: value array of shape {} could not be broadcast to indexing result of "
        "shape {}",
    )  # fmt: skip
    if any(kernels.shares_memory(t, i) for i in indices):
        key = tuple([i.clone() if isinstance(i, Tensor) else i for i in key])
    try:
        _put(t, key, fitted)
    except REFUSALS as error:
        _explain(SET, t, parsed, error)
    if 0 in shape:
        _check_empty(SET, t, parsed)
    if not plain:
        assign(view, whole)


def _put(t: Tensor, key: tuple[Any, ...], value: Tensor) -> None:
    if t.dtype in WIDE_UNSIGNED:
        twin = SIGNED_TWIN[t.dtype]
        t, value = t.view(twin), value.view(twin)
    t[key] = value


def _whole_mask(t: Tensor, key: Any) -> Tensor | None:
    """The mask, if the key is one of the array's own shape: NumPy has rules of its own for it."""
    if isinstance(key, tuple) and len(key) == 1:
        key = key[0]
    if isinstance(key, ndarray):
        key = key._tensor
    if isinstance(key, Tensor) and key.dtype is torch.bool and key.shape == t.shape and key.dim():
        check_devices(SET, [t, key])
        return key
    return None


def _set_masked(a: ndarray, mask: Any, value: Tensor) -> None:
    if value.dim() > 1:
        raise TypeError(
            f"{SET}: NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, "
            f"input has {value.dim()} dimensions"
        )
    whole = a._tensor
    if kernels.shares_memory(whole, mask):
        mask = mask.clone()
    if value.numel() == 1:
        kernels.put_where(whole, mask, value)
    else:
        indices = mask.nonzero(as_tuple=True)
        count = indices[0].shape[0]
        if count != value.shape[0]:
            raise ValueError(
                f"{SET}: NumPy boolean array indexing assignment cannot assign {value.shape[0]} "
                f"input values to the {count} output values where the mask is true"
            )
        _put(whole, indices, value)
    if type(a) is not ndarray:
        assign(a, whole)


def delitem(self: ndarray, key: Any, /) -> None:
    """Raise ``ValueError``: the size of an array is fixed."""
    raise ValueError("cannot delete array elements")


for _name, _function in ((GET, getitem), (SET, setitem), ("__delitem__", delitem)):
    _function.__name__ = _name
    _function.__qualname__ = f"ndarray.{_name}"
    _function.__module__ = "numpy_shim"
    setattr(ndarray, _name, _function)
