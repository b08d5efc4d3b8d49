"""Checks of every dtype: what functions give of rows and of columns."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy

import numpy_shim as np
from numpy_shim import distributed
from tests.distributed.checks import check

DTYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
          "float16", "float32", "float64", "complex64", "complex128")  # fmt: skip
NUMERIC = {
    "add": lambda m, a: a + a,
    "multiply": lambda m, a: a * a[::-1],
    "sum": lambda m, a: m.sum(a, 0),
    "total": lambda m, a: a.sum(),
    "prod": lambda m, a: (a[:3] * 0 + 2).prod(0),
    "any": lambda m, a: a.any(1),
    "all": lambda m, a: a.all(0),
    "maximum": lambda m, a: m.maximum(a, a[::-1]),
    "equal": lambda m, a: m.array_equal(a, a),
    "unequal": lambda m, a: m.array_equal(a, a[::-1]),
    "where": lambda m, a: m.where(a != 0, a, 1),
    "rows": lambda m, a: a[[1, -2, 1]],
    "columns": lambda m, a: a[:, [1, 0]],
    "pairs": lambda m, a: a[[0, 3], [1, 2]],
    "mask": lambda m, a: a[a != 0],
    "transposed": lambda m, a: a.T[1:],
    "reversed": lambda m, a: a[::-2, ::-1],
    "cumulative": lambda m, a: m.cumsum(a, 0),
    "flat": lambda m, a: m.cumsum(a),
    "unique": lambda m, a: m.unique(a),
    "sorted": lambda m, a: m.sort(a, 0),
    "positions": lambda m, a: m.argsort(a, 1, kind="stable"),
    "nonzero": lambda m, a: m.nonzero(a),
    "joined": lambda m, a: m.concatenate([a, a[:2], a[:, ::-1]]),
    "stacked": lambda m, a: m.stack([a, a + a], 1),
    "rolled": lambda m, a: m.roll(a, (2, -1), (0, 1)),
    "padded": lambda m, a: m.pad(a, ((1, 2), (0, 1))),
    "lower": lambda m, a: m.tril(a, 1),
    "upper": lambda m, a: m.triu(a.T),
    "repeated": lambda m, a: m.repeat(a, 2, 0),
    "tiled": lambda m, a: m.tile(a, (2, 1)),
    "folded": lambda m, a: a.reshape(-1, 2),
    "columns first": lambda m, a: a.ravel("F"),
    "diagonal": lambda m, a: m.diagonal(a, 1),
    "split": lambda m, a: m.array_split(a, 3),
    "least": lambda m, a: a.min(0),
    "greatest": lambda m, a: m.argmax(a, 0),
    "clipped": lambda m, a: m.clip(a, a[0], a[1]) if a.dtype != bool else a,
    "cast": lambda m, a: a.astype("complex128").real.astype("int16"),
    "product": lambda m, a: a.T @ a,
    "in": lambda m, a: m.isin(a, a[0]),
    "power": lambda m, a: (a[:2] * 0 + 1) ** 2,
    "spread": lambda m, a: m.broadcast_to(a[3], (4, a.shape[1])),
    "nested": lambda m, a: a[1:][::2][1:, 1],
    "taken": lambda m, a: m.take(a, [3, 0], 0),
    "counted": lambda m, a: m.count_nonzero(a, 0),
}


def outcome_of(f: Callable[..., object], module: object, a: object) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return f(module, a)
        except Exception as error:
            return type(error).__name__


def alike(ours: object, theirs: object, what: str) -> None:
    if isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs), what  # type: ignore[arg-type]
        for a, b in zip(ours, theirs, strict=True):  # type: ignore[call-overload]
            alike(a, b, what)
        return
    if isinstance(theirs, (str, bool)):
        assert ours == theirs, (what, ours, theirs)
        return
    assert not isinstance(ours, str), (what, ours)
    mine = numpy.asarray(distributed.gather(ours)) if isinstance(ours, np.ndarray) else ours
    assert mine.dtype == theirs.dtype, (what, mine.dtype, theirs.dtype)  # type: ignore[attr-defined]
    small = theirs.dtype in (numpy.float16, numpy.float32, numpy.complex64)  # type: ignore[attr-defined]
    rtol = 2e-3 if theirs.dtype == numpy.float16 else 1e-5 if small else 1e-12  # type: ignore[attr-defined]
    numpy.testing.assert_allclose(mine, theirs, rtol=rtol, atol=rtol, err_msg=what)


def every_dtype(axis: int, dtypes: tuple[str, ...]) -> None:
    values = numpy.random.default_rng(1).integers(0, 5, (11, 4))
    wrong: list[str] = []
    for name in dtypes:
        n = values.astype(name)
        plain = np.asarray(n.copy())
        for what, f in NUMERIC.items():
            if what == "greatest" and n.dtype.kind == "c":
                continue
            theirs = outcome_of(f, numpy, n)
            alone = outcome_of(f, np, plain)
            if isinstance(alone, str) != isinstance(theirs, str):
                continue  # a difference of one process, which other tests hold
            ours = outcome_of(f, np, distributed.shard(plain, axis))
            try:
                alike(ours, theirs, f"{what} of {name}")
            except AssertionError as error:
                wrong.append(str(error)[:300])
    assert not wrong, "\n".join(wrong)


@check
def rows_of_every_dtype_one() -> None:
    every_dtype(0, DTYPES[:7])


@check
def rows_of_every_dtype_two() -> None:
    every_dtype(0, DTYPES[7:])


@check
def columns_of_every_dtype_one() -> None:
    every_dtype(1, DTYPES[:7])


@check
def columns_of_every_dtype_two() -> None:
    every_dtype(1, DTYPES[7:])
