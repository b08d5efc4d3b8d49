"""What Dask asks of an array library, registered when Dask itself is imported.

Dask looks functions up by the type of a chunk: concatenation, products, percentiles, sizes, tokens,
serialization. For CuPy it has the entries itself; these are ours. Nothing here imports Dask, and
importing numpy_shim does not: each function below gets the module that was just imported.

The array backend ``numpy_shim``, which a user names in Dask's configuration, is in
``dask_backend``; Dask finds it by an entry point.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import FrameType, ModuleType
from typing import Any, Final

import numpy
import torch

from xp_torch._torch.patches import when_imported

from .._array.ndarray import SCALAR_TYPES, AnyArray, array_of, ndarray
from .._convert.arguments import as_array
from .._convert.to_numpy import shared
from .._functions import (
    creation,
    creation_like,
    extreme_positions,
    indexing,
    joining,
    order_statistics,
    products,
)
from .._functions.einsum import einsum
from .._functions.reductions import sum as sum_of
from .._ufunc.declarations import divide, isnan

PACKAGE: Final = "numpy_shim"

_RECORDS: Final[dict[str, frozenset[str]]] = {
    "dask.array.reductions": frozenset({"arg_chunk", "arg_combine"}),
    "dask.array.routines": frozenset({"unique"}),
}
"""Where Dask makes records like a chunk, and has another way for libraries that refuse."""

QUESTIONS: Final = frozenset({numpy.empty_like, numpy.argmin})
"""Functions of NumPy's that Dask calls on a chunk to learn what its library does."""


def answered(func: object, frame: FrameType, array: ndarray, kwargs: dict[str, object]) -> Any:
    """What Dask gets where it asks, in the code of ``frame``; ``None`` elsewhere.

    ``empty_like(chunk, dtype=[...])`` asks for records. torch stores none, and an array of NumPy's
    would take the computation to the host: the answer is CuPy's, a ``TypeError``, and Dask keeps
    the fields apart. ``argmin(chunk)`` asks for the type of the chunks of ``da.argmin``, which
    a scalar of NumPy's does not tell: the answer has an axis.
    """
    module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
    if func is numpy.argmin:
        asks = module == "dask.array.reductions" and name == "arg_reduction"
        return extreme_positions.argmin(array, keepdims=True) if asks else None
    if isinstance(kwargs.get("dtype"), list) and name in _RECORDS.get(module, ()):
        raise TypeError("empty_like: torch stores no records; keep the fields in separate arrays")
    return None


def _as_chunk(result: Any) -> Any:
    """A product without axes as a 0-D array: Dask adds axes to it, and a scalar is NumPy's."""
    return result if type(result) is ndarray else as_array("asarray", result)


def _tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    return _as_chunk(products.tensordot(a, b, axes=axes))


def _einsum(*operands: Any, **options: Any) -> Any:
    return _as_chunk(einsum(*operands, **options))


def _percentile(a: ndarray, q: Any, method: str = "linear") -> tuple[Any, int]:
    """The percentiles of a 1-D chunk and its length; ``None`` for a chunk without elements."""
    n = len(a)
    if not n:
        return None, n
    if isinstance(q, Iterator):
        q = list(q)
    if a.dtype.kind == "b":
        method = "nearest"
    return order_statistics.percentile(a, q, method=method), n


def _numel(x: ndarray, **options: Any) -> Any:
    """The number of elements over the axes ``axis``, as a reduction of ``x`` gives it."""
    axis, keepdims = options.get("axis"), options.get("keepdims", False)
    dtype = options.get("dtype", numpy.float64)
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else [axis]
    count = math.prod(x.shape[i] for i in axes)
    if axis is None and not keepdims:
        return numpy.dtype(dtype).type(count)
    kept = [1 if i in axes else n for i, n in enumerate(x.shape) if keepdims or i not in axes]
    return creation_like.full_like(x, count, shape=tuple(kept), dtype=dtype)


def _nannumel(x: ndarray, **options: object) -> Any:
    return sum_of(~isnan(x), **options)


def _to_numpy(data: ndarray) -> Any:
    """NumPy's array of the same values: on the memory of an array on the CPU, else a copy."""
    return shared("to_numpy", data.to_device("cpu"))


def _sizeof(x: ndarray) -> int:
    """The bytes of the memory behind an array: an axis of stride 0 counts once."""
    t = x._tensor
    return t.itemsize * math.prod(n for n, s in zip(t.shape, t.stride(), strict=True) if s)


def _dispatches(module: ModuleType) -> None:
    """``dask.array.dispatch``: functions by the type of a chunk."""
    for lookup, function in (
        (module.concatenate_lookup, joining.concatenate),
        (module.take_lookup, indexing.take),
        (module.tensordot_lookup, _tensordot),
        (module.einsum_lookup, _einsum),
        (module.empty_lookup, creation.empty),
        (module.divide_lookup, divide),
        (module.percentile_lookup, _percentile),
        (module.numel_lookup, _numel),
        (module.nannumel_lookup, _nannumel),
        (module.to_numpy_dispatch, _to_numpy),
    ):
        lookup.register(ndarray, function)


def _chunk_types(module: ModuleType) -> None:
    """``dask.array.chunk_types``: ``dask_array + array`` is Dask's, and not an error."""
    module.register_chunk_type(ndarray)


def _sizes(module: ModuleType) -> None:
    """``dask.sizeof``: what a chunk counts for against the limit of a worker's memory."""
    module.sizeof.register(ndarray, _sizeof)


def _tokens(module: ModuleType) -> None:
    """``dask.tokenize``: equal arrays have one token, which is not the token of NumPy's array."""

    def normalized(x: ndarray) -> Any:
        t = x._tensor
        values = shared("tokenize", x.to_device("cpu"))
        return PACKAGE, str(t.device), t.requires_grad, module.normalize_token(values)

    for kind in (ndarray, *SCALAR_TYPES.values()):
        module.normalize_token.register(kind, normalized)


def _triangular(module: ModuleType) -> None:
    """``dask.array.utils``: triangular systems, for which Dask calls SciPy or CuPy by name.

    SciPy's function would take the values to the host and return an array of NumPy's.
    """
    plain = module.scipy_linalg_safe

    def scipy_linalg_safe(func_name: str, *args: Any, **kwargs: Any) -> Any:
        if func_name != "solve_triangular" or not any(isinstance(a, AnyArray) for a in args):
            return plain(func_name, *args, **kwargs)
        return _solve_triangular(*args, **kwargs)

    module.scipy_linalg_safe = scipy_linalg_safe  # type: ignore[attr-defined]


def _solve_triangular(a: Any, b: Any, lower: bool = False) -> ndarray:
    """The solution of ``a @ x = b`` for a triangular ``a``; one or several right-hand sides.

    ``LinAlgError`` for a singular matrix on the CPU, as from SciPy. On a device the values are not
    read, and the solution has elements that are not finite, as CuPy's.
    """
    left, right = (as_array("solve_triangular", x)._tensor for x in (a, b))
    kind = torch.promote_types(left.dtype, right.dtype)
    if not (kind.is_floating_point or kind.is_complex):
        kind = torch.float64
    elif kind.itemsize < 4:  # LAPACK has no half precision
        kind = torch.float32
    left, right = left.to(kind), right.to(kind)
    if left.is_cpu and bool((left.diagonal() == 0).any()):
        raise numpy.linalg.LinAlgError("solve_triangular: a is a singular matrix")
    columns = right if right.dim() == 2 else right.unsqueeze(-1)
    solution = torch.linalg.solve_triangular(left, columns, upper=not lower)
    return array_of(solution if right.dim() == 2 else solution.squeeze(-1))


def _serialization(module: ModuleType) -> None:
    """``distributed.protocol.serialize``: arrays that travel between workers."""

    def load() -> None:
        from . import dask_serialization  # noqa: F401 - importing it registers the functions

    module.dask_serialize.register_lazy(PACKAGE, load)
    module.dask_deserialize.register_lazy(PACKAGE, load)


def _cuda_serialization(module: ModuleType) -> None:
    """``distributed.protocol.cuda``: arrays that travel from one device to another."""

    def load() -> None:
        from . import dask_serialization

        dask_serialization.register_cuda(module)

    module.cuda_serialize.register_lazy(PACKAGE, load)
    module.cuda_deserialize.register_lazy(PACKAGE, load)


def _shuffles(module: ModuleType) -> None:
    """``distributed.shuffle``: rechunking from worker to worker measures the pieces' buffers.

    Python has no buffers of classes written in Python before 3.12.
    """
    plain = module._handle_datetime

    def _handle_datetime(buf: object) -> Any:
        return shared("rechunk", buf.to_device("cpu")) if type(buf) is ndarray else plain(buf)

    module._handle_datetime = _handle_datetime  # type: ignore[attr-defined]


def install() -> None:
    """Wait for Dask's modules; those that are imported get their entries now."""
    when_imported("dask.array.dispatch", _dispatches)
    when_imported("dask.array.chunk_types", _chunk_types)
    when_imported("dask.array.utils", _triangular)
    when_imported("dask.sizeof", _sizes)
    when_imported("dask.tokenize", _tokens)
    when_imported("distributed.protocol.serialize", _serialization)
    when_imported("distributed.protocol.cuda", _cuda_serialization)
    when_imported("distributed.shuffle._core", _shuffles)
