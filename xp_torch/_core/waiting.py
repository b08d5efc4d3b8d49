"""Tell which of torch's operators wait for an accelerator, and why.

The answer depends on the operator's name and arguments only, so the CPU gives it too, although
nothing waits there. The list follows torch's source; ``tools/gpu_check.py`` checks it on a device.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

VALUE = "a value is read"
_SHAPE = "the shape needs the values"
_STATUS = "its success is checked"

OPERATORS = {
    "aten::_local_scalar_dense": VALUE,
    "aten::equal": VALUE,
    "aten::is_nonzero": VALUE,
    "aten::masked_select": _SHAPE,
    "aten::nonzero": _SHAPE,
    "aten::_unique2": _SHAPE,
    "aten::unique_consecutive": _SHAPE,
    "aten::unique_dim": _SHAPE,
    # On CUDA it reads the fill value if that is a tensor.
    "aten::masked_fill.Tensor": VALUE,
    "aten::masked_fill_.Tensor": VALUE,
    "aten::_linalg_check_errors": _STATUS,
    "aten::_linalg_eigh": _STATUS,
    "aten::_linalg_svd": _STATUS,
    "aten::linalg_eig": _STATUS,
    "aten::linalg_pinv.atol_rtol_float": _STATUS,
    "aten::linalg_pinv.atol_rtol_tensor": _STATUS,
}
_INDEXING = frozenset({"aten::index.Tensor", "aten::index_put_", "aten::index_put"})


def reason(name: str, args: Sequence[Any], kwargs: Mapping[str, object]) -> str:
    """Why a call of the operator ``name`` waits for an accelerator, or "" if it does not."""
    if name in OPERATORS:
        if name == "aten::equal" and args[0] is args[1]:
            return ""  # the NaN check of _kernels/host_reads.py runs on the CPU only
        return OPERATORS[name]
    if name == "aten::repeat_interleave.Tensor":
        return _SHAPE if kwargs.get("output_size") is None else ""
    if name in _INDEXING:
        masks = (i is not None and i.dtype in (torch.bool, torch.uint8) for i in args[1])
        return _SHAPE if any(masks) else ""
    return ""
