"""One test body in ``numpy_shim`` and in NumPy: values, dtype, shape, class, and kind of error.

``compare(body, *specs)`` builds each spec in both namespaces, calls ``body(np, *arrays)`` in
both and compares what comes back: arrays, scalars, tuples and lists of them, dtypes, Python
values, or the exception raised. Inputs must come out of both calls with the same values:
a function that changes its input must change it as NumPy does.
"""

from __future__ import annotations

import contextlib
import math
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import torch

import numpy_shim
from numpy_shim._base.dtypes import TORCH
from numpy_shim._convert.foreign import is_subclass
from numpy_shim._host import numpy_calls
from tests.differential import KINDS_OF_ERROR, Spec, same_values

Rtol = dict[str, float] | float

ROUNDING: dict[str, float] = {
    "float16": 2e-3, "float32": 2e-6, "float64": 1e-14, "complex64": 4e-6, "complex128": 1e-14,
}  # fmt: skip
"""Relative tolerances of functions that torch and NumPy round differently."""


def build(np: Any, spec: Any, device: str = "cpu") -> Any:
    """A spec as an array of ``np``; lists and tuples of specs too, anything else as it is."""
    if isinstance(spec, Spec):
        if np is numpy_shim:
            return numpy_shim.asarray(spec.tensor(device))
        return spec.numpy().copy()
    if isinstance(spec, (list, tuple)) and any(isinstance(s, Spec) for s in spec):
        return type(spec)(build(np, s, device) for s in spec)
    return spec


class NumPyComputedError(AssertionError):
    """Values went through NumPy where they are computed."""


_READERS = ("numpy_shim._array.host_view", "numpy_shim._kernels.host_kernels", __name__)
"""What may take a tensor's memory: single elements, and kernels whose results are exact."""


@contextlib.contextmanager
def no_numpy() -> Iterator[None]:
    """Forbid what would hand an array's values to NumPy, but for reading single elements."""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise NumPyComputedError("values were handed to NumPy")

    before = torch.Tensor.numpy, torch.Tensor.__array__, numpy.asarray
    hand = numpy_calls._call

    def of_host_dtypes(theirs: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        options = [v for v in kwargs.values() if not isinstance(v, str) or names_host_dtype(v)]
        found = any(beyond_torch(x) for x in (*args, *options) if x is not None)
        # ``None`` is an option that was not given, or data: the refusal says which.
        if not found and "holds NoneType" not in str(sys.exc_info()[1]):
            refuse()
        return hand(theirs, args, kwargs)

    def of_elements(tensor: torch.Tensor) -> Any:
        frame = sys._getframe(1)
        while frame.f_globals["__name__"] == "torch.utils._device":  # inside ``with device:``
            frame = frame.f_back  # type: ignore[assignment]
        if frame.f_globals["__name__"] not in _READERS:
            refuse()
        return before[0](tensor)

    torch.Tensor.numpy = of_elements  # type: ignore
    torch.Tensor.__array__ = numpy.asarray = refuse  # type: ignore
    numpy_calls._call = of_host_dtypes
    try:
        yield
    finally:
        torch.Tensor.numpy, torch.Tensor.__array__, numpy.asarray = before  # type: ignore
        numpy_calls._call = hand


def beyond_torch(x: Any) -> bool:
    """Whether an argument is data, or names a dtype, that torch cannot store."""
    if isinstance(x, (list, tuple)):
        return any(map(beyond_torch, x))
    if isinstance(x, (numpy.ndarray, numpy.generic)):
        return x.dtype not in TORCH or is_subclass(x)
    if isinstance(x, (numpy.dtype, type)):
        return numpy.dtype(x) not in TORCH
    if type(x) is int:
        return not -(2**63) <= x < 2**64
    return not (isinstance(x, (bool, float, complex, slice, numpy_shim.ndarray)) or callable(x))


def names_host_dtype(text: str) -> bool:
    """Whether a text names a dtype that torch cannot store; most are other options."""
    try:
        return numpy.dtype(text) not in TORCH
    except TypeError:
        return False


def outcome(body: Callable[..., Any], np: Any, arrays: list[Any], allow_numpy: bool = False) -> Any:
    """What ``body`` returns, or the exception it raises."""
    guarded = np is numpy_shim and not allow_numpy
    with (
        warnings.catch_warnings(),
        numpy.errstate(all="ignore"),
        no_numpy() if guarded else contextlib.nullcontext(),
    ):
        warnings.simplefilter("ignore")
        try:
            return body(np, *arrays)
        except NumPyComputedError:
            raise
        except Exception as error:
            return error


def compare(
    body: Callable[..., Any],
    *specs: Any,
    rtol: Rtol = 0.0,
    atol: float = 0.0,
    of_norm: Rtol = 0.0,
    signed_zeros: bool = True,
    kind: bool = True,
    device: str = "cpu",
    allow_numpy: bool = False,
) -> Any:
    """Run ``body`` in both namespaces, assert that the outcomes agree, and return ours.

    ``rtol`` 0 compares exactly; a dictionary (``ROUNDING``) gives one tolerance per dtype
    name. ``of_norm`` is one relative to the largest element of a result, for what is computed
    from all elements of an array, where a small one is the difference of large ones.
    ``kind=False`` does not compare whether a result is an array or a scalar.
    ``allow_numpy`` is for random numbers, printing and file formats only: everywhere else
    nothing may be computed by NumPy.
    """
    mine, theirs = ([build(np, s, device) for s in specs] for np in (numpy_shim, numpy))
    ours = outcome(body, numpy_shim, mine, allow_numpy)
    reference = outcome(body, numpy, theirs)
    same(
        ours, reference, rtol=rtol, atol=atol, of_norm=of_norm, signed_zeros=signed_zeros, kind=kind
    )
    if not isinstance(reference, Exception):
        for i, (a, b) in enumerate(zip(mine, theirs, strict=True)):
            if isinstance(b, numpy.ndarray):
                same_array(a, b, rtol, atol, False, False, f"input {i} afterwards")
    return ours


def same(
    ours: Any,
    theirs: Any,
    *,
    rtol: Rtol = 0.0,
    atol: float = 0.0,
    of_norm: Rtol = 0.0,
    signed_zeros: bool = True,
    kind: bool = True,
    where: str = "result",
) -> None:
    """Assert that two outcomes agree: the recursion behind ``compare``."""
    if isinstance(ours, Exception) or isinstance(theirs, Exception):
        same_error(ours, theirs)
    elif isinstance(theirs, (tuple, list)):
        assert isinstance(ours, (tuple, list)), f"{where}: {ours!r} for {theirs!r}"
        assert len(ours) == len(theirs), f"{where}: {len(ours)} results for {len(theirs)}"
        for i, (o, t) in enumerate(zip(ours, theirs, strict=True)):
            same(
                o, t, rtol=rtol, atol=atol, of_norm=of_norm, signed_zeros=signed_zeros, kind=kind,
                where=f"{where}[{i}]",
            )  # fmt: skip
    elif isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), f"{where}: {ours.keys()} for {theirs.keys()}"
        for key in theirs:
            same(
                ours[key], theirs[key], rtol=rtol, atol=atol, of_norm=of_norm,
                signed_zeros=signed_zeros, kind=kind, where=f"{where}[{key}]",
            )  # fmt: skip
    elif isinstance(theirs, (numpy.ndarray, numpy.generic)):
        atol = max(atol, of_norm_as_atol(theirs, of_norm))
        same_array(ours, theirs, rtol, atol, signed_zeros, kind, where)
    elif isinstance(theirs, float) and math.isnan(theirs):
        assert math.isnan(ours), f"{where}: {ours!r} for {theirs!r}"
    else:
        assert type(ours) is type(theirs), f"{where}: {ours!r} for {theirs!r}"
        assert ours == theirs, f"{where}: {ours!r} for {theirs!r}"


def check_flat_dtype(array: Any, where: str = "result") -> None:
    """An array of ours knows its tensor's dtype if it has axes: the flat paths rely on it."""
    if type(array) is numpy_shim.ndarray:
        expected = array._tensor.dtype if array.ndim else None
        assert array._flat_dtype is expected, f"{where}: {array._flat_dtype} for {expected}"


def values_of(array: Any) -> numpy.ndarray:
    """The values of one of our arrays, read through torch."""
    if isinstance(array, numpy.generic) and not hasattr(array, "_tensor"):
        return numpy.asarray(array)  # a scalar whose value was at hand
    tensor = array._tensor.detach().resolve_conj().resolve_neg().cpu()
    if tensor.dtype is torch.bfloat16:
        tensor = tensor.float()
    return tensor.numpy()


def few_roundings(count: int = 64) -> dict[str, float]:
    """Relative tolerances of sums and products of ``count`` elements, with one rounding each.

    16-bit results are rounded once, from sums in float32, in which the last bit differs.
    """
    names = ("float32", "float64", "complex64", "complex128")
    bounds = {name: count * float(numpy.finfo(name).eps) for name in names}
    return {"float16": 4 * float(numpy.finfo("float16").eps), **bounds}


def roundings(*factors: Spec) -> float:
    """The absolute error of a sum of products, one factor of each array, in any order.

    It is a few roundings of the sum of magnitudes; each counts as the largest.
    Integers have none.
    """
    dtype = numpy.result_type(*[f.values.dtype for f in factors])
    if dtype.kind not in "fc" or not all(f.values.size for f in factors):
        return 0.0
    product = 1.0
    for factor in factors:
        sizes = numpy.abs(factor.values.astype("complex128"))
        product *= float(sizes[numpy.isfinite(sizes)].max(initial=0))
    terms = max(f.values.size for f in factors)
    return 4 * terms * float(numpy.finfo(dtype).eps) * product


def of_norm_as_atol(theirs: Any, of_norm: Rtol) -> float:
    """The absolute tolerance that is a part of the largest finite element."""
    if isinstance(of_norm, dict):
        of_norm = of_norm.get(theirs.dtype.name, 0.0)
    if not of_norm:
        return 0.0
    sizes = numpy.abs(numpy.asarray(theirs))
    return of_norm * float(sizes[numpy.isfinite(sizes)].max(initial=0))


def same_array(
    ours: Any, theirs: Any, rtol: Rtol, atol: float, signed_zeros: bool, kind: bool, where: str
) -> None:
    assert isinstance(ours, (numpy_shim.ndarray, numpy_shim.generic)), (
        f"{where}: {type(ours)} for {theirs!r}"
    )
    assert ours.dtype == theirs.dtype, f"{where}: dtype {ours.dtype} for {theirs.dtype}"
    shape = tuple(ours.shape)
    assert shape == theirs.shape, f"{where}: shape {shape} for {theirs.shape}"
    if kind:
        is_scalar = isinstance(ours, numpy_shim.generic)
        assert is_scalar == isinstance(theirs, numpy.generic), (
            f"{where}: {type(ours).__name__} for {type(theirs).__name__}"
        )
    check_flat_dtype(ours, where)
    o, t = values_of(ours), numpy.asarray(theirs)
    if isinstance(rtol, dict):
        rtol = rtol.get(t.dtype.name, 0.0)
    if o.dtype.kind == "c":
        # NumPy compares an infinite complex number exactly, its finite part too.
        o, t = (numpy.stack([v.real, v.imag]) for v in (o, t))
    same_values(o, t, rtol, atol, signed_zeros, where)


def same_error(ours: Any, theirs: Any) -> None:
    """Both raised, and ours is caught where NumPy's would be, by its built-in type."""
    assert isinstance(ours, Exception), f"{ours!r} where NumPy raises {theirs!r}"
    assert isinstance(theirs, Exception), f"raised {ours!r} where NumPy gives {theirs!r}"
    caught = [k for k in KINDS_OF_ERROR if isinstance(ours, k) and isinstance(theirs, k)]
    assert caught, f"{type(ours).__name__}: {ours} for {type(theirs).__name__}: {theirs}"
