"""A library under test: what each world refuses, and the same written for every library."""

from __future__ import annotations

from typing import Any

import array_api_compat
import numpy as np


def namespace(*arrays: Any) -> Any:
    """The namespace of arrays, which must agree."""
    return array_api_compat.array_namespace(*arrays)


def center(x: Any) -> Any:
    xp = namespace(x)
    return x - xp.mean(x)


def center_by_method(x: Any) -> Any:
    return x - x.mean()


def join(x: Any) -> Any:
    return namespace(x).concatenate([x, x])


def clipped(x: Any) -> Any:
    return namespace(x).clip(x, 1.0, 2.0)


def clipped_with_where(x: Any) -> Any:
    xp = namespace(x)
    return xp.where(x > 2.0, xp.full_like(x, 2.0), xp.where(x < 1.0, xp.ones_like(x), x))


def real_part(x: Any) -> Any:
    return namespace(x).real(x)


def spread(x: Any) -> Any:
    return namespace(x).diff(x)


def contained(x: Any) -> Any:
    xp = namespace(x)
    order = xp.argsort(x)
    return xp.isin(order, order[:1])


def with_numpy(x: Any) -> Any:
    return np.cumsum(x)


def with_host(x: Any) -> Any:
    """The explicit copy to the host, which is portable."""
    xp = namespace(x)
    values = np.cumsum(np.from_dlpack(x.to_device("cpu")) if hasattr(x, "to_device") else x)
    return xp.asarray(values, device=x.device)


def ramp_on_default_device(x: Any) -> Any:
    xp = namespace(x)
    ramp = xp.arange(x.shape[0], dtype=x.dtype)
    ramp = ramp + 1
    return x * ramp


def ramp(x: Any) -> Any:
    xp = namespace(x)
    return x * (xp.arange(x.shape[0], dtype=x.dtype, device=x.device) + 1)


def accumulated_in_double(x: Any) -> Any:
    xp = namespace(x)
    return xp.sum(xp.astype(x, xp.float64))


def accumulated(x: Any) -> Any:
    return namespace(x).sum(x)


def root_to_double_precision(x: Any) -> Any:
    """Newton's iteration with a tolerance that only float64 reaches."""
    xp = namespace(x)
    root = xp.ones(x.shape[0], device=x.device)
    for _ in range(60):
        root = (root + x / root) / 2
    if not xp.max(xp.abs(root * root - x)) < 1e-12:
        raise ArithmeticError("no convergence")
    return root


def root(x: Any) -> Any:
    xp = namespace(x)
    root = xp.ones_like(x)
    for _ in range(60):
        root = (root + x / root) / 2
    if not xp.max(xp.abs(root * root - x)) < 8 * xp.finfo(x.dtype).eps:
        raise ArithmeticError("no convergence")
    return root


def total_above(x: Any) -> Any:
    return namespace(x).sum(x[x > 1.5])


def total_above_with_where(x: Any) -> Any:
    xp = namespace(x)
    return xp.sum(xp.where(x > 1.5, x, xp.zeros_like(x)))


def scaled_if_large(x: Any) -> Any:
    xp = namespace(x)
    if xp.max(x) > 2.0:
        return x / xp.max(x)
    return x


def scaled_where_large(x: Any) -> Any:
    xp = namespace(x)
    largest = xp.max(x)
    return xp.where(largest > 2.0, x / largest, x)


def smooth_through_numpy(x: Any) -> Any:
    """Loses the gradient: the values leave the library."""
    xp = namespace(x)
    return xp.asarray([float(x[i]) ** 2 for i in range(x.shape[0])], dtype=x.dtype)


def smooth(x: Any) -> Any:
    return x**2


def first_zeroed(x: Any) -> Any:
    xp = namespace(x)
    y = xp.asarray(x, copy=True)
    y[0] = 0.0
    return y


def first_zeroed_in_argument(x: Any) -> Any:
    y = x[:2]
    y[0] = 0.0
    return x


def first_zeroed_with_where(x: Any) -> Any:
    xp = namespace(x)
    first = xp.arange(x.shape[0], device=x.device) == 0
    y = xp.where(first, xp.zeros_like(x), x)
    y += 0.0  # makes a new array where arrays are immutable
    return y


def weighted(x: Any, weights: Any) -> Any:
    """Whatever is no array becomes one; two dtypes meet in their common one."""
    arrays = [a for a in (x, weights) if hasattr(a, "shape")]
    xp = namespace(*arrays)
    x, weights = (a if hasattr(a, "shape") else _as_array(xp, a, arrays[0]) for a in (x, weights))
    return xp.sum(x * weights)


def _as_array(xp: Any, value: Any, beside: Any) -> Any:
    kinds = {bool: "bool", int: "numeric", float: ("real floating", "complex floating")}
    if not xp.isdtype(beside.dtype, kinds.get(type(value), "complex floating")):
        raise TypeError(f"{value!r} beside an array of dtype {beside.dtype}")
    return xp.asarray(value, dtype=beside.dtype, device=beside.device)


def weighted_by_shape(x: Any, weights: Any) -> Any:
    xp = namespace(x)
    return xp.sum(x * weights) / weights.shape[0]


def weighted_in_dtype_of_first(x: Any, weights: Any) -> Any:
    """Silently cuts the weights to the dtype of the first array: integers, if that is one."""
    xp = namespace(x, weights)
    return xp.sum(x * xp.astype(weights, x.dtype))


def weighted_through_numpy(x: Any, weights: Any) -> Any:
    return np.sum(np.asarray(x) * np.asarray(weights))


def relative_to_first(x: Any) -> Any:
    return x / x[0]


def relative_to_largest(x: Any) -> Any:
    xp = namespace(x)
    if x.shape[0] == 0:
        raise ValueError("relative_to_largest: x has no elements")
    return x / xp.max(x)


def total_reset(x: Any) -> Any:
    """NumPy's sum is a scalar, which cannot be written to."""
    total = namespace(x).sum(x)
    total[...] = 0.0
    return total


def as_single(x: Any) -> Any:
    return x.astype("float32")


def symmetric_eigenvalues(x: Any) -> Any:
    xp = namespace(x)
    return xp.linalg.eigvalsh(x[:, None] * x[None, :])
