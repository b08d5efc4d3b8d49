"""`numpy.testing` for other arrays: it converts them to NumPy before it compares them.

The assertions are NumPy's own. Only the arguments of comparisons are converted; assertions that
call a function (`assert_raises`, `assert_warns`) get their arguments unchanged.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

import hypothesis.strategies
import numpy
import numpy.testing
import numpy.testing._private.utils as own

COMPARING = (
    "assert_equal",
    "assert_almost_equal",
    "assert_approx_equal",
    "assert_array_equal",
    "assert_array_less",
    "assert_array_almost_equal",
    "assert_array_almost_equal_nulp",
    "assert_array_compare",
    "assert_array_max_ulp",
    "assert_allclose",
    "assert_string_equal",
    "build_err_msg",
    "print_assert_equal",
    "nulp_diff",
    "integer_repr",
)


def converted(value: Any) -> Any:
    """Convert arrays of another library to NumPy's, also in lists and dicts."""
    kind = type(value)
    if kind in (list, tuple):
        return kind(converted(v) for v in value)
    if kind is dict:
        return {k: converted(v) for k, v in value.items()}
    if isinstance(value, type):
        # A scalar type of the namespace becomes NumPy's, with which NumPy compares dtypes.
        dtype = getattr(value, "dtype", None)
        return dtype.type if isinstance(dtype, numpy.dtype) else value
    # By type: an array of a namespace may answer isinstance as NumPy's.
    if issubclass(kind, numpy.ndarray | numpy.generic):
        return value
    if hasattr(value, "__array__"):
        made = value.__array__()
        if not issubclass(type(made), numpy.ndarray):
            return converted(made)  # an object of the test that returns the namespace's array
        array = made
        is_scalar = isinstance(value, numpy.generic)
        is_scalar = is_scalar or any(k.__name__ == "generic" for k in kind.__mro__)
        return array[()] if is_scalar else array
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*(converted(v) for v in value))
    # torch._numpy's arrays have no `__array__`, but a tensor.
    tensor = getattr(value, "tensor", None)
    if kind.__module__.startswith("torch._numpy") and tensor is not None:
        return tensor.detach().resolve_conj().resolve_neg().numpy()
    return value


def _converting(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*args: object, **kwargs: object) -> Any:
        __tracebackhide__ = True
        return function(*map(converted, args), **{k: converted(v) for k, v in kwargs.items()})

    return wrapped


def adapter(target: Any) -> types.ModuleType:
    """A module with everything of `numpy.testing`, for the arrays of a namespace."""
    made = types.ModuleType("numpy.testing")
    made.__dict__.update({k: v for k, v in vars(own).items() if not k.startswith("__")})
    made.__dict__.update({k: v for k, v in vars(numpy.testing).items() if not k.startswith("__")})
    if target is numpy:
        return made

    def alignment(
        dtype: object = "float32", type: str = "binary", max_size: int = 24
    ) -> Iterator[tuple[Any, ...]]:
        for *arrays, message in vars(own)["_gen_alignment_data"](
            numpy.dtype(getattr(dtype, "name", None) or getattr(dtype, "__name__", dtype)),
            type=type,
            max_size=max_size,
        ):
            yield (*(target.asarray(a) for a in arrays), message)

    made.__dict__.update({name: _converting(getattr(own, name)) for name in COMPARING})
    made.__dict__["_gen_alignment_data"] = alignment
    return made


def masked(target: object) -> types.ModuleType:
    """`numpy.ma.testutils`, whose assertions tests of other areas use for plain arrays."""
    import numpy.ma.testutils as own_masked

    made = types.ModuleType("numpy.ma.testutils")
    made.__dict__.update({k: v for k, v in vars(own_masked).items() if not k.startswith("__")})
    if target is not numpy:
        found = [name for name in COMPARING if hasattr(own_masked, name)]
        made.__dict__.update({name: _converting(getattr(own_masked, name)) for name in found})
    return made


@functools.cache
def stored(target: Any) -> list[Any]:
    """The numeric dtypes of a namespace's arrays."""
    found = []
    for code in numpy.typecodes["All"]:
        try:
            target.zeros(1, dtype=numpy.dtype(code))
        except TypeError:
            continue
        found.append(numpy.dtype(code))
    return found


def stores(target: object, kind: type) -> bool:
    """Whether a namespace has arrays of one of NumPy's scalar types."""
    return numpy.dtype(kind) in stored(target)


def strategies(target: Any) -> types.ModuleType:
    """`hypothesis.extra.numpy`: arrays become the namespace's, dtypes are those that it stores."""
    import hypothesis.extra.numpy as extra

    made = types.ModuleType("hypothesis.extra.numpy")
    made.__dict__.update({k: v for k, v in vars(extra).items() if not k.startswith("__")})
    if target is not numpy:

        def arrays(*args: Any, **kwargs: Any) -> Any:
            return extra.arrays(*args, **kwargs).map(target.asarray)

        def scalar_dtypes() -> Any:
            return hypothesis.strategies.sampled_from(stored(target))

        made.__dict__["arrays"] = arrays
        made.__dict__["scalar_dtypes"] = scalar_dtypes
    return made
