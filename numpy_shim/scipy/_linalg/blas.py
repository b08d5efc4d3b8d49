"""``scipy.linalg.blas`` for arrays of ours: the length of a vector, which ``norm`` asks for."""

from __future__ import annotations

from typing import Any

import torch

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor


def _nrm2(x: ndarray) -> ndarray:
    return wrap(torch.linalg.vector_norm(as_tensor("norm", x)))


def get_blas_funcs(names: str, arrays: Any = (), dtype: Any = None, ilp64: Any = False) -> Any:
    """The routine of this name."""
    return {"nrm2": _nrm2}[names]
