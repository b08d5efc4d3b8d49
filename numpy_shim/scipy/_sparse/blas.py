"""What SciPy's text of ``lgmres`` and ``gcrotmk`` has of BLAS, and ``qr_insert``, in torch."""

from __future__ import annotations

from typing import Any

import torch

from ..._array.ndarray import ndarray, wrap
from .._text import _provided


def _axpy(x: ndarray, y: ndarray, n: int, a: Any) -> ndarray:
    """Add to ``y`` where it is: the text reads the sums by other names."""
    y += a * x
    return y


def _dot(x: ndarray, y: ndarray) -> ndarray:
    return wrap(torch.vdot(x._tensor, y._tensor))


def _scal(a: Any, x: ndarray) -> ndarray:
    x *= a
    return x


def _nrm2(x: ndarray) -> ndarray:
    return wrap(torch.linalg.vector_norm(x._tensor))


_ROUTINES = {"axpy": _axpy, "dot": _dot, "scal": _scal, "nrm2": _nrm2}


def get_blas_funcs(names: Any, arrays: Any = ()) -> Any:
    """The routines for arrays of ours."""
    return _ROUTINES[names] if isinstance(names, str) else [_ROUTINES[name] for name in names]


def qr_insert(
    q: ndarray, r: ndarray, u: ndarray, k: int, which: str, **options: Any
) -> tuple[ndarray, ndarray]:
    """The factors with a last column more: one rotation takes what is below the diagonal."""
    factor, column = q._tensor, q._tensor.mH @ u._tensor
    size = torch.linalg.vector_norm(column[k:])
    is_zero = size == 0
    c, s = (column[k:] / torch.where(is_zero, 1, size)).unbind()
    c = torch.where(is_zero, 1, c)
    turn = torch.stack([torch.stack([c.conj(), s.conj()]), torch.stack([-s, c])])
    factor = torch.cat([factor[:, :k], factor[:, k:] @ turn.mH], 1)
    ends = torch.stack([size, torch.zeros_like(size)])
    column = torch.cat([column[:k], ends.to(column.dtype)])
    return wrap(factor), wrap(torch.cat([r._tensor, column[:, None]], 1))


def give_routines() -> None:
    """Let the text find them; it is executed then, and asks for operators and for LAPACK."""
    for name in ("_gcrotmk", "lgmres"):
        text: Any = _provided(f"scipy.sparse.linalg._isolve.{name}")
        text.get_blas_funcs, text.qr_insert = get_blas_funcs, qr_insert
