"""Products of sparse matrices with arrays, where the arrays are.

A product gathers the elements of ``x`` that meet the matrix's, and adds up what is of one row, in
the order in which they stand: SciPy adds in the same one. All of it has derivatives of any order
in ``x``. The matrix itself stays SciPy's, on the host.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import finalize

import numpy
import torch
from scipy.sparse import spmatrix
from scipy.sparse._sputils import upcast_char
from torch import Tensor

from ..._array.ndarray import AnyArray, ndarray
from ..._base.dtypes import TORCH
from ..._convert.from_data import asarray
from .._standing import OnTheHostError

_FEW = 1 << 24
"""Products of elements that are kept at once: a product with more columns takes them in blocks."""

_UNADDED = (torch.uint16, torch.uint32, torch.uint64)


class Elements:
    """The elements of a sparse matrix on a device, in the order of its rows."""

    ndim = 2

    def __init__(self, rows: Tensor, columns: Tensor, values: Tensor, shape: Any, dtype: Any):
        self._rows, self._columns, self.values = rows, columns, values
        self.shape: tuple[int, int] = shape
        self.dtype: numpy.dtype[Any] = dtype

    @property
    def T(self) -> Elements:  # noqa: N802 - SciPy's name
        return Elements(self._columns, self._rows, self.values, self.shape[::-1], self.dtype)

    def conj(self) -> Elements:
        values = self.values.conj()
        return Elements(self._rows, self._columns, values, self.shape, self.dtype)

    def toarray(self) -> ndarray:
        made = torch.zeros(self.shape, dtype=self.values.dtype, device=self.values.device)
        made.index_put_((self._rows, self._columns), self.values, accumulate=True)
        return asarray(made)

    def dot(self, other: Any) -> ndarray:
        """The product with one vector, or with the columns of a matrix."""
        x = asarray(other, device=self.values.device)
        if x.ndim not in (1, 2) or x.shape[0] != self.shape[1]:
            raise OnTheHostError("SciPy has its own words for these shapes")
        dtype = numpy.dtype(upcast_char(self.dtype.char, x.dtype.char))
        if dtype not in TORCH or TORCH[dtype] in _UNADDED:
            raise OnTheHostError(f"torch adds no {dtype} by rows")
        counting = torch.int64 if dtype.kind == "b" else TORCH[dtype]
        values, tensor = self.values.to(counting), x._tensor.to(counting)
        if x.ndim == 1:
            made = self._added(values, tensor)
        else:
            width = max(1, _FEW // max(1, len(values)))
            blocks = [self._added(values[:, None], part) for part in tensor.split(width, dim=1)]
            made = blocks[0] if len(blocks) == 1 else torch.cat(blocks, dim=1)
        return asarray(made != 0 if dtype.kind == "b" else made)

    def _added(self, values: Tensor, x: Tensor) -> Tensor:
        zeros = torch.zeros(self.shape[0], *x.shape[1:], dtype=x.dtype, device=x.device)
        return zeros.index_add(0, self._rows, x.index_select(0, self._columns) * values)


# --- SciPy's objects ---

_kept: dict[int, tuple[list[numpy.ndarray[Any, Any]], dict[torch.device, Elements]]] = {}
"""By the ``id`` of a matrix, while it lives: what it held, and its elements on each device."""


def elements_of(real: Any, device: torch.device) -> Elements:
    """The elements of SciPy's matrix on a device: kept as long as it has the same ones.

    Nothing says that a matrix has been written to, so what it holds is compared at each use.
    """
    known, held = id(real), _read_parts(real)
    if known not in _kept:
        finalize(real, _kept.pop, known, None)
    if known not in _kept or not _is_same(_kept[known][0], held):
        _kept[known] = [part.copy() for part in held], {}
    placed = _kept[known][1]
    if device not in placed:
        placed[device] = _placed(real, device)
    return placed[device]


def _read_parts(real: Any) -> list[numpy.ndarray[Any, Any]]:
    """The arrays that a matrix consists of; of a format of lists or of a dictionary, copies."""
    names = ("data", "indices", "indptr", "offsets", "row", "col")
    if real.format in ("lil", "dok"):
        real = real.tocoo()
    return [getattr(real, name) for name in names if hasattr(real, name)]


def _is_same(old: list[Any], new: list[Any]) -> bool:
    return len(old) == len(new) and all(
        x.dtype == y.dtype and numpy.array_equal(x, y) for x, y in zip(old, new, strict=True)
    )


def _placed(real: Any, device: torch.device) -> Elements:
    if real.dtype not in TORCH:
        raise OnTheHostError(f"torch has no {real.dtype}")
    found = real.tocsr().tocoo()
    rows, columns = (asarray(x.astype("int64"), device=device) for x in (found.row, found.col))
    values = asarray(found.data, device=device)
    return Elements(rows._tensor, columns._tensor, values._tensor, found.shape, found.dtype)


# --- their methods ---


def check_array(x: Any) -> None:
    """Leave to SciPy a product with what is no array of an axis."""
    if not isinstance(x, AnyArray) or x.ndim == 0:
        raise OnTheHostError("SciPy computes it")


def product(real: Any, x: Any) -> ndarray:
    """``real @ x`` for an array."""
    check_array(x)
    return elements_of(real, x.device).dot(x)


def product_from_right(real: Any, x: Any) -> ndarray:
    """``x @ real`` for an array."""
    check_array(x)
    return elements_of(real, x.device).T.dot(x.T).T


def product_of(real: Any, name: str) -> Callable[..., Any] | None:
    """The method of a sparse matrix that is a product, if it is one; else ``None``."""
    if real.ndim != 2:
        return None
    is_old = isinstance(real, spmatrix)  # whose * is @
    if name in ("__matmul__", "dot") or (is_old and name == "__mul__"):
        return partial(product, real)
    if name == "__rmatmul__" or (is_old and name == "__rmul__"):
        return partial(product_from_right, real)
    return None
