"""``npy``: NumPy's arrays as a torch device. Importing this module defines it.

It is a device of values that every machine has: a result that leaves it, a value that is read and
an operand of another device are seen by ``environment.report()``. The tests of the array packages
run on it as on CUDA. Arrays are written in place, so views cost nothing.

>>> import torch, xp_backend.npy  # doctest: +SKIP
>>> torch.arange(3, device="npy")[1:].sum().item()  # doctest: +SKIP
3
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from ._array_api import from_array_api
from ._operators import aten

Array = np.ndarray[Any, Any]


def own(value: object) -> Array:
    """The array itself if it is in C order and has memory of its own, else a copy that is."""
    if type(value) is np.ndarray:
        if value.base is None and value.flags.c_contiguous and value.flags.writeable:
            return value
        return value.copy()
    return np.array(value)


def quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """Without NumPy's warnings: torch gives none for a division by zero or an overflow."""

    def run(*args: object, **kwargs: object) -> Any:
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)

    return run


def to_numpy(tensor: torch.Tensor) -> Array:
    if tensor.dtype is torch.bfloat16:
        raise TypeError("NumPy has no bfloat16; convert the tensor to float32 first")
    array: Array = tensor.numpy()
    return array


def to_torch(array: object) -> torch.Tensor:
    return torch.from_numpy(np.array(array))


def as_strided(x: Array, size: Sequence[int], stride: Sequence[int], offset: int = 0) -> Array:
    """A view of the elements at strides of C order, counted in elements."""
    flat = x.reshape(-1)
    if 0 in size:
        return np.empty(size, dtype=x.dtype)
    last = offset + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    if offset < 0 or last >= flat.size:
        raise RuntimeError(f"a view of {last + 1} elements does not fit into {flat.size}")
    steps = [s * x.itemsize for s in stride]
    return np.lib.stride_tricks.as_strided(flat[offset:], tuple(size), steps)


def copy_(target: Array, values: Array) -> Array:
    target[...] = values
    return target


def view_dtype(x: Array, dtype: torch.dtype) -> Array:
    return x.reshape(-1).view(_DTYPES[dtype])


def index(x: Array, indices: Sequence[Array | None]) -> Array:
    found: Array = x[_key(indices)]
    return found


def index_put(
    x: Array, indices: Sequence[Array | None], values: Array, accumulate: bool = False
) -> Array:
    x = x.copy()
    if accumulate:
        np.add.at(x, _key(indices), values)
    else:
        x[_key(indices)] = values
    return x


def _key(indices: Sequence[Array | None]) -> tuple[Any, ...]:
    return tuple(
        slice(None) if i is None else i.astype(bool) if i.dtype == np.uint8 else i for i in indices
    )


_DTYPES = {
    getattr(torch, name): np.dtype(name)
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float16", "float32", "float64", "complex64", "complex128",
    )
}  # fmt: skip

_SCIPYS = {
    "lgamma": "gammaln", "digamma": "digamma", "erf": "erf", "erfc": "erfc", "erfinv": "erfinv",
    "igamma": "gammainc", "igammac": "gammaincc", "special_erfcx": "erfcx",
    "special_ndtri": "ndtri", "special_log_ndtr": "log_ndtr", "special_zeta": "zeta",
    "special_entr": "entr", "special_xlog1py": "xlog1py", "special_i0e": "i0e",
    "special_i1": "i1", "special_i1e": "i1e", "special_bessel_j0": "j0",
    "special_bessel_j1": "j1", "special_bessel_y0": "y0", "special_bessel_y1": "y1",
    "special_modified_bessel_k0": "k0", "special_modified_bessel_k1": "k1",
    "special_scaled_modified_bessel_k0": "k0e", "special_scaled_modified_bessel_k1": "k1e",
    "special_modified_bessel_i0": "i0", "special_modified_bessel_i1": "i1",
}  # fmt: skip
"""By torch's operator, the function of ``scipy.special``."""


def special() -> dict[str, Callable[..., Any]]:
    """By operator, a function of NumPy's arrays; SciPy is imported at the first call of one."""
    if importlib.util.find_spec("scipy") is None:
        return {}
    found = {f"{name}.default": _computed(scipys) for name, scipys in _SCIPYS.items()}
    return {**found, "polygamma.default": _polygamma}


def _computed(name: str) -> Callable[..., Any]:
    def run(*arrays: Any) -> Any:
        function = getattr(importlib.import_module("scipy.special"), name)
        dtype = np.result_type(*arrays)
        if dtype.kind not in "fc":
            dtype = np.dtype(np.float32)  # torch's default, which its own functions give
        return np.asarray(function(*[np.asarray(x, dtype) for x in arrays])).astype(dtype)

    return run


def _polygamma(n: int, x: object) -> Any:
    return _computed("polygamma")(n, x) if n else _computed("digamma")(x)


environment = from_array_api("npy", np, cpu_to_backend=to_numpy, backend_to_cpu=to_torch, own=own)
"""The backend: ``environment.report()`` tells what it did."""

for _op in environment.operators:
    environment.register_op(_op, quiet(environment.function(_op)))
_OWN: dict[str, Callable[..., Any]] = {
    "as_strided.default": as_strided,
    "as_strided_copy.default": as_strided,
    "copy_.default": copy_,
    "clone.default": np.copy,
    "view.dtype": view_dtype,
    "index.Tensor": index,
    "index_put.default": index_put,
}
for _operator, _function in _OWN.items():
    environment.register_op(aten(_operator), _function)
for _operator, _function in special().items():
    environment.register_op(aten(_operator), quiet(_function))
