"""Remember at which lines arrays were made off the inputs' device."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves
from torch.utils.weak import WeakIdKeyDictionary

from ._frames import caller, line_of

_lines: Any = WeakIdKeyDictionary()


class Origins(TorchFunctionMode):
    """Inside it every new tensor off the inputs' device has a line: where its first part was made.

    A tensor computed of others inherits the line of the first of them that has one.
    """

    def __init__(self, inputs: torch.device) -> None:
        super().__init__()
        self._inputs = inputs

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[object, ...] = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        for made in result if isinstance(result, (tuple, list)) else (result,):
            if isinstance(made, Tensor) and made.device.type != self._inputs.type:
                _lines.setdefault(made, self._line((args, kwargs)))
        return result

    @staticmethod
    def _line(arguments: object) -> str:
        tensors = (t for t in tree_leaves(arguments) if isinstance(t, Tensor))
        return next((_lines[t] for t in tensors if t in _lines), None) or line_of(caller())


def origin(trace: TracebackType | None) -> str:
    """The line of the array without the inputs' device that a traceback's frames hold, or ""."""
    frames = []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    for frame in reversed(frames):
        for value in frame.f_locals.values():
            for operand in value if isinstance(value, tuple) else (value,):
                tensor = getattr(operand, "_tensor", operand)
                if isinstance(tensor, Tensor) and tensor in _lines:
                    return str(_lines[tensor])
    return ""
