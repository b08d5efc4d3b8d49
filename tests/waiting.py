"""Which calls would wait for a CUDA device, told on the CPU from the operators they reach.

A stand-in for ``torch.cuda.set_sync_debug_mode``: the list of operators follows torch's source,
and ``tools/gpu_check.py`` is what checks it on a device.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

OPERATORS = {
    # They read values into Python, or sizes that depend on them.
    "aten::_local_scalar_dense",
    "aten::equal",
    "aten::is_nonzero",
    "aten::masked_select",
    "aten::nonzero",
    "aten::_unique2",
    "aten::unique_consecutive",
    "aten::unique_dim",
    # On CUDA it reads the value to fill with, where that is a tensor.
    "aten::masked_fill.Tensor",
    "aten::masked_fill_.Tensor",
    # They look at the status of a decomposition.
    "aten::_linalg_check_errors",
    "aten::_linalg_eigh",
    "aten::_linalg_svd",
    "aten::linalg_eig",
    "aten::linalg_pinv.atol_rtol_float",
    "aten::linalg_pinv.atol_rtol_tensor",
}


class Watch(TorchDispatchMode):
    """Inside its ``with`` block, ``waits`` collects the operators that would wait."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[str] = []
        self._from_python: set[int] = set()
        self._kept: list[torch.Tensor] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if self._would_wait(func.name(), args, kwargs):
            self.waits.append(func.name())
        result = func(*args, **kwargs)
        if func.name() == "aten::lift_fresh":  # a number on its way from Python, on the CPU
            self._from_python.add(id(result))
            self._kept.append(result)
        return result

    def _would_wait(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        if name == "aten::equal" and args[0] is args[1]:
            return False  # the look for a NaN of ``_kernels/looks.py``, only ever on the CPU
        if name in OPERATORS:
            return True
        if name == "aten::repeat_interleave.Tensor":
            return kwargs.get("output_size") is None
        if name in ("aten::index.Tensor", "aten::index_put_", "aten::index_put"):
            return any(i is not None and i.dtype in (torch.bool, torch.uint8) for i in args[1])
        return name == "aten::copy_" and id(args[1]) in self._from_python
