"""The published list of calls that must wait for the device: the one place it is kept.

``docs/sync.md`` is generated from it, ``tests/xp_torch/test_no_sync.py`` holds it against
``meta`` tensors, where reading a value fails, and ``tools/gpu_check.py`` against a GPU. A call of
the surface that is not listed must not synchronise, and one that is listed must.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """One call: ``body(xp, *inputs)``, the inputs as in the surface table.

    ``name`` is the public name it belongs to, ``text`` the call as the page shows it, ``why``
    the reason for which it waits (empty in ``FREE``). ``on_meta`` is empty where the call fails
    on ``meta`` arrays, or the reason why it does not; ``on_cpu`` is empty where ``waiting.Watch``
    sees an operator that would wait, or the reason why there is none.
    """

    name: str
    text: str
    why: str
    body: Callable[..., Any]
    inputs: tuple[Any, ...]
    dtype: str = "float64"
    on_meta: str = ""
    on_cpu: str = ""


SHAPE = "The shape of the result depends on the values"
PYTHON = "A value becomes a Python object"
EXISTS = "Whether a decomposition exists, or has converged, is known only from the values"
TRANSFER = "The data are brought to the CPU"

NOTHING_TO_COPY = "on the CPU there is nothing to copy"
NO_NUMBERS = "a meta array has no numbers to check, and torch leaves the check out"

VECTOR = ([1.0, 0.0, 2.0, 1.0],)
SQUARE = ([[2.0, 0.5], [0.5, 1.0]],)
ONE = (1.0,)


def _shape(name: str, text: str, body: Callable[..., Any]) -> Call:
    return Call(name, text, SHAPE, body, VECTOR)


def _python(name: str, text: str, body: Callable[..., Any], dtype: str = "float64") -> Call:
    return Call(name, text, PYTHON, body, ONE, dtype)


def _exists(name: str, text: str, body: Callable[..., Any]) -> Call:
    return Call(f"linalg.{name}", text, EXISTS, body, SQUARE, on_meta=NO_NUMBERS)


def _assigned(xp: Any, a: Any, key: Any, value: Any) -> Any:
    a = xp.asarray(a, copy=True)
    a[key] = value
    return a


LIST = [
    _shape("nonzero", "nonzero(x)", lambda xp, a: xp.nonzero(a)),
    _shape("unique_all", "unique_all(x)", lambda xp, a: xp.unique_all(a)),
    _shape("unique_counts", "unique_counts(x)", lambda xp, a: xp.unique_counts(a)),
    _shape("unique_inverse", "unique_inverse(x)", lambda xp, a: xp.unique_inverse(a)),
    _shape("unique_values", "unique_values(x)", lambda xp, a: xp.unique_values(a)),
    Call(
        "repeat",
        "repeat(x, counts), the counts an array",
        SHAPE,
        lambda xp, a: xp.repeat(a, xp.astype(a, xp.int64)),
        VECTOR,
        on_cpu=NOTHING_TO_COPY,
    ),
    _shape("Array.__getitem__", "x[mask]", lambda xp, a: a[a > 0.5]),
    _shape(
        "Array.__setitem__",
        "x[mask] = values, a 1-D array",
        lambda xp, a: _assigned(xp, a, a > 0.5, xp.zeros_like(a)[:3]),
    ),
    _python("Array.__bool__", "bool(x)", lambda xp, a: bool(a)),
    _python("Array.__int__", "int(x)", lambda xp, a: int(a)),
    _python("Array.__float__", "float(x)", lambda xp, a: float(a)),
    _python("Array.__complex__", "complex(x)", lambda xp, a: complex(a)),
    _python("Array.__index__", "operator.index(x)", lambda xp, a: range(a), "int64"),
    Call(
        "Array.__repr__",
        "repr(x), print(x)",
        PYTHON,
        lambda xp, a: repr(a),
        ONE,
        on_meta="it prints an ellipsis in place of the values",
        on_cpu=NOTHING_TO_COPY,
    ),
    Call(
        "Array.__array__",
        "numpy.asarray(x), from the CPU only",
        PYTHON,
        lambda xp, a: a.to_device("cpu").__array__(),
        ONE,
        on_cpu=NOTHING_TO_COPY,
    ),
    Call(
        "Array.to_device",
        'x.to_device("cpu")',
        TRANSFER,
        lambda xp, a: a.to_device("cpu"),
        ONE,
        on_cpu=NOTHING_TO_COPY,
    ),
    _exists("cholesky", "linalg.cholesky(x)", lambda xp, a: xp.linalg.cholesky(a)),
    _exists("eig", "linalg.eig(x)", lambda xp, a: xp.linalg.eig(a)),
    _exists("eigh", "linalg.eigh(x)", lambda xp, a: xp.linalg.eigh(a)),
    _exists("eigvals", "linalg.eigvals(x)", lambda xp, a: xp.linalg.eigvals(a)),
    _exists("eigvalsh", "linalg.eigvalsh(x)", lambda xp, a: xp.linalg.eigvalsh(a)),
    _exists("inv", "linalg.inv(x)", lambda xp, a: xp.linalg.inv(a)),
    _exists(
        "matrix_norm",
        "linalg.matrix_norm(x, ord=2), also -2 and 'nuc'",
        lambda xp, a: xp.linalg.matrix_norm(a, ord=2),
    ),
    _exists(
        "matrix_power",
        "linalg.matrix_power(x, n), n negative",
        lambda xp, a: xp.linalg.matrix_power(a, -1),
    ),
    _exists("matrix_rank", "linalg.matrix_rank(x)", lambda xp, a: xp.linalg.matrix_rank(a)),
    _exists("pinv", "linalg.pinv(x)", lambda xp, a: xp.linalg.pinv(a)),
    _exists("solve", "linalg.solve(x1, x2)", lambda xp, a: xp.linalg.solve(a, a)),
    _exists("svd", "linalg.svd(x)", lambda xp, a: xp.linalg.svd(a)),
    _exists("svdvals", "linalg.svdvals(x)", lambda xp, a: xp.linalg.svdvals(a)),
]


def _first(xp: Any, a: Any) -> Any:
    """The index 0, a 0-D array on the device of ``a``."""
    return xp.zeros((), dtype=xp.int64, device=a.device)


def _is_in(xp: Any, a: Any) -> Any:
    """Enough elements for torch to remove duplicates first, if it were let."""
    a = xp.astype(a, xp.int64)
    return xp.isin(a, xp.tile(a, (64,)))


def _free(name: str, text: str, body: Callable[..., Any]) -> Call:
    return Call(name, text, "", body, VECTOR)


FREE = [
    _free(
        "asarray",
        "asarray([1.0, 2.0], device=device)",
        lambda xp, a: xp.asarray([1.0, 2.0], device=a.device),
    ),
    _free("Array.__getitem__", "x[i]", lambda xp, a: a[1]),
    _free("Array.__getitem__", "x[i], i a 0-D array", lambda xp, a: a[_first(xp, a)]),
    _free("Array.__getitem__", "x[indices]", lambda xp, a: a[xp.argsort(a)]),
    _free("Array.__getitem__", "x[::-1]", lambda xp, a: a[::-1]),
    _free("Array.__setitem__", "x[i] = 1.0", lambda xp, a: _assigned(xp, a, 1, 1.0)),
    _free("Array.__setitem__", "x[mask] = 1.0", lambda xp, a: _assigned(xp, a, a > 0.5, 1.0)),
    _free("Array.__setitem__", "x[mask] = y, y 0-D", lambda xp, a: _assigned(xp, a, a > 0.5, a[0])),
    _free(
        "Array.__setitem__",
        "x[mask] = 1, x of uint64",
        lambda xp, a: _assigned(xp, xp.astype(a, xp.uint64), a > 0.5, 1),
    ),
    _free(
        "Array.__setitem__",
        "x[indices] = values",
        lambda xp, a: _assigned(xp, a, xp.argsort(a), a),
    ),
    _free("repeat", "repeat(x, 2)", lambda xp, a: xp.repeat(a, 2)),
    _free("where", "where(mask, x, 0.0)", lambda xp, a: xp.where(a > 0.5, a, 0.0)),
    _free("clip", "clip(x, 0.5, y)", lambda xp, a: xp.clip(a, 0.5, a + 1.0)),
    _free("isin", "isin(x, y)", _is_in),
    _free("std", "std(x, correction=1.5)", lambda xp, a: xp.std(a, correction=1.5)),
    _free("searchsorted", "searchsorted(x, y)", lambda xp, a: xp.searchsorted(xp.sort(a), a)),
    _free("pow", "x ** 2", lambda xp, a: a**2),
    _free("floor_divide", "x // 2", lambda xp, a: xp.astype(a, xp.int64) // 2),
    _free("matmul", "x @ y", lambda xp, a: a @ a),
]
"""Close relatives of the calls above, which must not wait."""

NAMES = {call.name for call in LIST}
"""Functions with a call that waits; other calls of the same function need not wait."""
