"""NumPy's own functions and ufuncs on our arrays: they dispatch to ours of the same name.

``numpy.sin(a)``, ``numpy.concatenate([a, b])``, ``numpy_array + a`` and ``numpy.float64(2) * a``
all arrive here (NEP 13 and NEP 18) and give arrays of ours, whole arrays at a time. What
numpy_shim has no function for is a ``TypeError``: nothing is computed by NumPy instead.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy

from .._array.ndarray import ARRAYS, AnyArray, ndarray
from .._convert.to_numpy import shared
from .._core.scalar_types import STORED
from .._ufunc import declarations
from .._ufunc.objects import binary_ufunc


def _shim() -> Any:
    return sys.modules["numpy_shim"]


_COUNTERPARTS: dict[Any, Any] = {
    ours._numpys: ours for ours in vars(declarations).values() if type(ours) is binary_ufunc
}
"""The ufunc of ours for each of NumPy's of two operands and one result."""


def array_ufunc(self: ndarray, ufunc: Any, method: str, /, *inputs: Any, **kwargs: Any) -> Any:
    """A real ufunc called on arrays of ours: the one of ours by its name (NEP 13)."""
    if method == "__call__" and not kwargs and type(inputs[0]) in STORED:
        # ``numpy.float64(2) * a``: what NumPy's scalars do with an array of ours.
        counterpart = _COUNTERPARTS.get(ufunc)
        if counterpart is not None and len(inputs) == 2 and type(inputs[1]) is ndarray:
            return counterpart(*inputs)
    out = kwargs.get("out")
    for x in (*inputs, *(out or ())):
        if not isinstance(x, ARRAYS) and _is_foreign(x):
            return NotImplemented
    if not isinstance(ufunc, (numpy.ufunc, _shim().ufunc)):
        raise TypeError(f"__array_ufunc__: expected a ufunc, not {type(ufunc).__name__}")
    name: str = ufunc.__name__
    ours: Any = getattr(_shim(), name, None)
    if ours is None or (ufunc is not ours and getattr(numpy, name, None) is not ufunc):
        raise TypeError(
            f"{name} is not one of NumPy's ufuncs, and numpy_shim has none of this name; "
            "call it on numpy.asarray(x)"
        )
    call = ours if method == "__call__" else getattr(ours, method)
    if out is None or all(o is None or isinstance(o, AnyArray) for o in out):
        if out is not None and method != "__call__":
            kwargs["out"] = out[0]
        return call(*inputs, **kwargs)
    del kwargs["out"]
    results = call(*inputs, **kwargs)
    return _into_numpy(name, results, out)


def _into_numpy(name: str, results: Any, out: tuple[Any, ...]) -> Any:
    """Results written to real NumPy arrays, as ``numpy_array += ours`` asks."""
    made = results if isinstance(results, tuple) else (results,)
    for result, target in zip(made, out, strict=True):
        if isinstance(target, AnyArray):
            target[...] = result
        elif target is not None:
            numpy.copyto(target, shared(name, result), casting="same_kind")
    kept = tuple(r if o is None else o for r, o in zip(made, out, strict=True))
    return kept if isinstance(results, tuple) else kept[0]


def _is_foreign(x: Any) -> bool:
    """Whether ``x`` is of a type with a say of its own about ufuncs."""
    return hasattr(type(x), "__array_ufunc__")


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
        return func(*args, **kwargs)  # none of NumPy's, as NumPy calls one without dispatching
    if ours is None or ours is func:
        raise TypeError(
            f"{func.__module__}.{func.__name__} has no counterpart in numpy_shim; call it on "
            "numpy.asarray(x)"
        )
    return ours(*args, **kwargs)
