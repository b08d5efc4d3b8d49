"""Which calls would wait for a CUDA device, told on the CPU from the operators they reach.

A stand-in for ``torch.cuda.set_sync_debug_mode``, by the list in ``xp_torch/_core/waiting.py``.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from xp_torch._core.waiting import reason


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
        if reason(name, args, kwargs):
            return True
        return name == "aten::copy_" and id(args[1]) in self._from_python
