"""The inputs and outputs of a program: their names, dtypes, and the axes that may vary."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
import torch

from .._base.dtypes import NUMPY
from .errors import ExportError

Axes = Mapping[str, Mapping[int, str]]
"""The names of the axes that may vary, for each input."""

UNBOUNDED = 2**53 - 1
"""The largest size that is told; torch has bounds from here on that no array comes to."""

_SYMBOL = re.compile(r"\b[su]\d+\b")


@dataclass(frozen=True)
class Port:
    """An input or output of a file: its name, dtype, and the size or the name of each axis."""

    name: str
    dtype: numpy.dtype[Any]
    shape: tuple[int | str, ...]

    def __str__(self) -> str:
        axes = ", ".join(str(size) for size in self.shape)
        return f"{self.name}: {self.dtype} ({axes}{',' if len(self.shape) == 1 else ''})"


@dataclass(frozen=True)
class Ports:
    """What a program takes and gives."""

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    ranges: dict[str, tuple[int, int]]
    """The smallest and the largest size of each axis that may vary."""
    axes: dict[str, str]
    """The names of these axes, by torch's symbols for them."""


def ports(program: torch.export.ExportedProgram, outputs: Sequence[str], axes: Axes) -> Ports:
    """The ports of a program; ``ExportError`` if axes with two names must have one size."""
    values = {node.name: node.meta.get("val") for node in program.graph.nodes}
    given = program.graph_signature.user_inputs
    names: dict[str, str] = {}
    for name in given:
        for axis, axis_name in axes.get(name, {}).items():
            symbol = str(values[name].shape[axis])
            if names.setdefault(symbol, axis_name) != axis_name:
                raise ExportError(
                    f"export: axis {axis} of {name} ({axis_name!r}) must have the size of "
                    f"{names[symbol]!r}: give both one name"
                )
            if not _SYMBOL.fullmatch(symbol):
                raise ExportError(
                    f"export: the size of axis {axis} of {name} ({axis_name!r}) cannot be any "
                    f"number, only {_named(symbol, names)}"
                )

    def port(name: str, value: Any) -> Port:
        sizes = [_named(str(size), names) for size in value.shape]
        shape = tuple(int(size) if size.isdecimal() else size for size in sizes)
        return Port(name, NUMPY[value.dtype], shape)

    ranges: dict[str, tuple[int, int]] = {}
    for symbol, bounds in program.range_constraints.items():
        if str(symbol) in names:
            least, most = ranges.get(names[str(symbol)], (0, UNBOUNDED))
            ranges[names[str(symbol)]] = (
                max(least, int(bounds.lower)),
                min(most, int(min(bounds.upper, UNBOUNDED))),
            )
    found = program.graph_signature.user_outputs
    return Ports(
        tuple(port(str(name), values[name]) for name in given),
        tuple(port(name, values[of]) for name, of in zip(outputs, found, strict=True)),
        ranges,
        names,
    )


def _named(text: str, names: Mapping[str, str]) -> str:
    """A size with the program's names for torch's symbols."""
    return _SYMBOL.sub(lambda symbol: names.get(symbol[0], symbol[0]), text)
