"""Arrays that an exported function closes over: they become weights of its program, by name."""

from __future__ import annotations

from typing import Any

import numpy
import torch
from torch import Tensor

from .._array.ndarray import array_of, ndarray
from .._base.dtypes import TORCH
from .._convert.foreign import is_describable
from .._jit.translation import Translation
from .._jit.with_torch import without_jit
from .trees import as_names, children, leaves, mapped, tensor_of


def _is_weight(value: object) -> bool:
    if type(value) is numpy.ndarray:
        return value.dtype in TORCH and is_describable(value)
    return type(value) is ndarray


def _holds_weights(value: object, depth: int = 8) -> bool:
    """Whether a value is an array, or has arrays in it; what lies deeper is no one's weights."""
    items = children(value) if depth else None
    if items is None:
        return _is_weight(value)
    return any(_holds_weights(item, depth - 1) for _, item in items)


class Weights:
    """The copies of a program's functions, which read weights in the place of their arrays."""

    def __init__(self) -> None:
        self._arrays: dict[int, tuple[Any, ndarray]] = {}
        self.translation = Translation(self._special, _holds_weights)

    def _special(self, value: object) -> object | None:
        if _holds_weights(value):
            made: object = mapped(value, self._weight_of)
            return made
        return without_jit(value)

    def _weight_of(self, value: object) -> Any:
        if not _is_weight(value):
            return value
        if id(value) not in self._arrays:
            self._arrays[id(value)] = value, array_of(tensor_of(value, "a constant"))
        return self._arrays[id(value)][1]

    def arrays(self) -> dict[str, ndarray]:
        """The arrays in the copies, by the names that the program has for them."""
        names: dict[int, str] = {}
        for name, value in self.translation.named():
            if _holds_weights(value):
                for leaf, x in leaves(value, name):
                    names.setdefault(id(x), leaf)
        found = [names.get(key, "constant") for key in self._arrays]
        arrays = [array for _, array in self._arrays.values()]
        return dict(
            zip(as_names(found, set(dir(torch.nn.Module())), "weight"), arrays, strict=True)
        )

    def tensors(self) -> dict[str, Tensor]:
        """The values of the weights, by name."""
        return {name: array._tensor for name, array in self.arrays().items()}
