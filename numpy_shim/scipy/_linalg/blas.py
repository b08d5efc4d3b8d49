"""``scipy.linalg.blas`` for arrays of ours: the length of a vector, which ``norm`` asks for."""

from __future__ import annotations

from typing import Any

import torch

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor

_WIDER = {torch.float32: torch.float64, torch.complex64: torch.complex128}


def _nrm2(x: ndarray) -> ndarray:
    """The length; of single precision it is summed in double, on the CPU, as LAPACK's may be."""
    t = as_tensor("norm", x)
    if t.device.type == "cpu" and t.dtype in _WIDER:
        return wrap(torch.linalg.vector_norm(t, dtype=_WIDER[t.dtype]).to(t.abs().dtype))
    return wrap(torch.linalg.vector_norm(t))


def get_blas_funcs(names: str, arrays: Any = (), dtype: Any = None, ilp64: Any = False) -> Any:
    """The routine of this name."""
    return {"nrm2": _nrm2}[names]
