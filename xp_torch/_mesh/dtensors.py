"""Conversion functions for torch's DTensors, which cost nothing while no program uses them.

``torch.distributed.tensor`` takes a second to import. A program that has a DTensor has imported it,
so nothing here imports it before.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

from torch import Tensor


def from_dtensor(tensor: Tensor) -> Tensor:
    """A DTensor as the tensor that the packages compute with; any other tensor as it is."""
    module: Any = sys.modules.get("torch.distributed.tensor")
    if module is None or not isinstance(tensor, module.DTensor):
        return tensor
    return _interchange().inward(tensor)  # type: ignore[no-any-return]


def to_dtensor(tensor: Tensor) -> Tensor:
    """What ``from_dtensor`` made as a DTensor again; any other tensor as it is."""
    if not is_distributed(tensor):
        return tensor
    return _interchange().to_dtensor(tensor)  # type: ignore[no-any-return]


def is_distributed(tensor: Tensor) -> bool:
    """Whether several processes hold parts of a tensor."""
    module: Any = sys.modules.get(f"{__package__}.tensor")
    return module is not None and type(tensor) is module.MeshTensor


def gathered(tensor: Tensor) -> Tensor:
    """All values of a distributed tensor on every process; any other tensor as it is.

    For what reads memory by its address.
    """
    return _interchange().gathered(tensor) if is_distributed(tensor) else tensor


def _interchange() -> Any:
    return importlib.import_module(".interchange", __package__)
