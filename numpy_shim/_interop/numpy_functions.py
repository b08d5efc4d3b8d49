"""NumPy's own functions and ufuncs on our arrays: they dispatch to ours of the same name.

``numpy.sin(a)``, ``numpy.concatenate([a, b])``, ``numpy_array + a`` and ``numpy.float64(2) * a``
all arrive here (NEP 13 and NEP 18) and give arrays of ours, whole arrays at a time. If
numpy_shim lacks a function, the call is a ``TypeError``; NumPy never computes instead.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, Final

import numpy

from xp_torch._torch.internals import increment_version

from .._array.ndarray import ARRAYS, AnyArray, ndarray
from .._base.dtypes import TORCH
from .._base.host_setting import may_hand
from .._base.scalar_types import STORED
from .._convert.arguments import as_array
from .._convert.to_numpy import shared
from .._host.numpy_calls import call_numpy, is_beside, is_host
from .._kernels.backwards import forward_of
from .._ufunc import declarations
from .._ufunc.elementwise import binary_ufunc, extremum_ufunc
from . import dask_hooks


def _shim() -> Any:
    return sys.modules["numpy_shim"]


_COUNTERPARTS: dict[Any, Any] = {
    ours._numpys: ours
    for ours in vars(declarations).values()
    if isinstance(ours, binary_ufunc) and not isinstance(ours, extremum_ufunc)
}
"""The ufunc of ours for each of NumPy's of two operands and one result."""

_REFLECTED = {theirs: ours._reflected for theirs, ours in _COUNTERPARTS.items()}


def array_ufunc(self: ndarray, ufunc: Any, method: str, /, *inputs: Any, **kwargs: Any) -> Any:
    """A real ufunc called on arrays of ours: the one of ours by its name (NEP 13)."""
    if method == "__call__" and not kwargs and ufunc in _REFLECTED:
        # ``numpy.float64(2) * a``, in a loop of scalars and small arrays.
        left, right = inputs[0], inputs[-1]
        kind = type(left)
        if type(right) is ndarray and (kind in STORED or kind is numpy.ndarray):
            result = _REFLECTED[ufunc](right, left)
            if result is not NotImplemented:
                return result
        elif (type(right) is ndarray and is_beside(left)) or (kind is ndarray and is_beside(right)):
            return call_numpy(ufunc.__name__, ufunc, inputs, {})
    if method == "__call__" and not kwargs and (_is_plain(inputs[0]) or _is_plain(inputs[-1])):
        # ``numpy.float64(2) * a``: what NumPy's scalars and arrays do with an array of ours.
        counterpart = _COUNTERPARTS.get(ufunc)
        if counterpart is not None and (type(inputs[0]) is ndarray or type(inputs[1]) is ndarray):
            return counterpart(*inputs)
    out = kwargs.get("out")
    for x in (*inputs, *(out or ())):
        if not isinstance(x, ARRAYS) and _is_foreign(x):
            return NotImplemented
    if not isinstance(ufunc, (numpy.ufunc, _shim().ufunc)):
        raise TypeError(f"__array_ufunc__: expected a ufunc, not {type(ufunc).__name__}")
    name: str = ufunc.__name__
    if may_hand() and any(map(is_host, (*inputs, *(out or ())))):
        theirs = ufunc if method == "__call__" else getattr(ufunc, method)
        return call_numpy(name, theirs, inputs, kwargs)
    ours: Any = getattr(_shim(), name, None)
    if ufunc is not ours and getattr(numpy, name, None) is not ufunc:
        return _by_its_owner(ufunc, method, inputs, kwargs)
    if ours is None:
        raise TypeError(
            f"{name}: numpy_shim has no ufunc of this name; call it on x.__array__(), which is "
            "an array of NumPy's"
        )
    call = ours if method == "__call__" else getattr(ours, method)
    if out is None or all(o is None or isinstance(o, AnyArray) for o in out):
        if out is not None and method != "__call__":
            kwargs["out"] = out[0]
        return call(*inputs, **kwargs)
    del kwargs["out"]
    results = call(*inputs, **kwargs)
    return _into_numpy(name, results, out, _core_axes(name, inputs))


def _is_plain(x: Any) -> bool:
    """Whether ``x`` is a scalar or array of NumPy's own class that torch can store."""
    kind = type(x)
    return kind in STORED or (kind is numpy.ndarray and x.dtype in TORCH)


def _by_its_owner(ufunc: Any, method: str, inputs: Any, kwargs: Any) -> Any:
    """A ufunc of another library, as ``scipy.special.erf``, on the memory of the arrays.

    Its code is compiled for NumPy's arrays. Results that torch can store are arrays of ours.
    """
    name = f"{ufunc.__name__}"

    def opened(x: object) -> Any:
        return shared(name, x) if isinstance(x, AnyArray) else x

    out = kwargs.get("out")
    written = [o for o in out or () if isinstance(o, AnyArray)]
    for o in written:
        if not o._tensor.is_cpu or o._tensor.requires_grad:
            raise TypeError(
                f"{name}: out is on {o.device} or has a gradient; it is written by NumPy"
            )
    if out is not None:
        kwargs["out"] = tuple(opened(o) for o in out)
    if "where" in kwargs:
        kwargs["where"] = opened(kwargs["where"])
    results = getattr(ufunc, method)(*[opened(x) for x in inputs], **kwargs)
    for o in written:
        increment_version((forward_of(o._tensor)[0],))
    made = results if isinstance(results, tuple) else (results,)
    targets = out if out is not None else (None,) * len(made)
    closed = tuple(_of_ours(r) if t is None else t for r, t in zip(made, targets, strict=True))
    return closed if isinstance(results, tuple) else closed[0]


def _of_ours(x: object) -> Any:
    """An array of ours on a result's memory; what torch has no storage for as it is."""
    if isinstance(x, numpy.ndarray) and x.dtype in TORCH:
        return as_array("__array_ufunc__", x)
    return x


def _core_axes(name: str, inputs: tuple[Any, ...]) -> int:
    """How many last axes of a product of vectors or matrices do not broadcast to ``out=``."""
    if name == "matmul":
        return 2 - sum(numpy.ndim(x) == 1 for x in inputs)
    return 1 if name in ("matvec", "vecmat") else 0


def _into_numpy(name: str, results: object, out: tuple[Any, ...], core: int) -> Any:
    """Results written to real NumPy arrays, as ``numpy_array += ours`` asks.

    The last ``core`` axes of a result do not broadcast.
    """
    made = results if isinstance(results, tuple) else (results,)
    for result, target in zip(made, out, strict=True):
        if isinstance(target, AnyArray):
            target[...] = result
        elif target is not None:
            own = result.shape[result.ndim - core :] != target.shape[max(target.ndim - core, 0) :]
            if own or result.ndim > target.ndim:  # ``copyto`` leaves out leading axes of size 1
                raise ValueError(
                    f"{name}: non-broadcastable output operand with shape {target.shape} doesn't "
                    f"match the broadcast shape {tuple(result.shape)}"
                )
            values = shared(name, result) if isinstance(result, AnyArray) else result
            numpy.copyto(target, values, casting="same_kind")
    kept = tuple(r if o is None else o for r, o in zip(made, out, strict=True))
    return kept if isinstance(results, tuple) else kept[0]


def _is_foreign(x: object) -> bool:
    """Whether the type of ``x`` overrides ufuncs."""
    return hasattr(type(x), "__array_ufunc__")


_CONVERSIONS: Final = frozenset({numpy.atleast_1d, numpy.atleast_2d})
"""Functions of NumPy's that libraries call, as ``asarray``, on what a program's functions return.

``asarray`` itself is not dispatched: it gives NumPy's array."""

_COMPILED: Final = frozenset(
    {"scipy.optimize._differentiable_functions", "scipy.optimize._slsqp_py"}
)
"""Modules that give the result to compiled code, which takes NumPy's arrays only."""


def _is_for_compiled_code(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__") in _COMPILED


def array_function(self: ndarray, /, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """A function of NumPy's called on arrays of ours: the one of ours by its name (NEP 18)."""
    if not all(issubclass(t, ARRAYS) or not hasattr(t, "__array_function__") for t in types):
        return NotImplemented
    if not isinstance(args, tuple):
        raise TypeError(f"args must be a tuple, not {type(args).__name__}")
    if not isinstance(kwargs, dict):
        raise TypeError(f"kwargs must be a dict, not {type(kwargs).__name__}")
    home: Any = _shim()
    for part in (func.__module__ or "numpy").split(".")[1:]:
        home = getattr(home, part, None)
    ours: Any = getattr(home, func.__name__, None)
    implementation: Any = func
    if ours is func and func.__module__.startswith("numpy_shim."):
        # A function of numpy_shim.polynomial: NumPy's text, run on our functions.
        return implementation._implementation(*args, **kwargs)
    if (func.__module__ or "").split(".")[0] != "numpy":
        # Made with NumPy's dispatcher, which would come back here, or not dispatched at all.
        return getattr(func, "_implementation", func)(*args, **kwargs)
    if ours is func and may_hand():  # about what torch has no storage for: ``np.lib.recfunctions``
        return call_numpy(func.__name__, func, args, kwargs)
    if ours is None or ours is func:
        raise TypeError(
            f"{func.__module__}.{func.__name__} has no counterpart in numpy_shim; call it on "
            "x.__array__(), which is an array of NumPy's"
        )
    if func in _CONVERSIONS and type(self) is ndarray and _is_for_compiled_code(sys._getframe(1)):
        return func(*(shared(func.__name__, x) if type(x) is ndarray else x for x in args))
    if func in dask_hooks.QUESTIONS:
        answer = dask_hooks.answered(func, sys._getframe(1), self, kwargs)
        if answer is not None:
            return answer
    return ours(*args, **kwargs)
