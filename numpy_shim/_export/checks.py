"""New inputs for a file, and whether it gives for them what the function gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy
import torch
from torch import Tensor

from .._base.dtypes import NUMPY
from .errors import ExportError
from .ports import Port
from .trees import host_array

HostArray = numpy.ndarray[Any, Any]
Runner = Callable[[Mapping[str, Tensor]], Mapping[str, HostArray]]
"""What runs a file: it takes tensors and gives NumPy's arrays, by name."""

TRIALS = 3
"""Drawn inputs that a file is checked with."""


def sizes_of(inputs: Sequence[Port], tensors: Sequence[Tensor]) -> dict[str, int]:
    """The sizes of the named axes; ``ValueError`` if the tensors are not for the inputs."""
    sizes: dict[str, int] = {}
    for port, tensor in zip(inputs, tensors, strict=True):
        if NUMPY[tensor.dtype] != port.dtype:
            raise TypeError(f"{port.name} must be of dtype {port.dtype}; got {NUMPY[tensor.dtype]}")
        shape = tuple(tensor.shape)
        fits = len(shape) == len(port.shape) and all(
            given == (sizes.setdefault(axis, given) if isinstance(axis, str) else axis)
            for axis, given in zip(port.shape, shape, strict=True)
        )
        if not fits:
            raise ValueError(f"{port} got the shape {shape}")
    return sizes


def drawn(
    inputs: Sequence[Port], examples: Sequence[Tensor], ranges: Mapping[str, tuple[int, int]]
) -> Iterator[list[Tensor]]:
    """Inputs of other sizes, with rows of the example in another order and values close to them.

    So what holds for the values of the example (positive, a probability, an index in bounds) is
    likely to hold for theirs.
    """
    rng = numpy.random.default_rng(0)
    before = sizes_of(inputs, examples)
    for trial in range(TRIALS):
        sizes = {
            name: min(max((2 * n + 1, n + 3, n // 2 + 1)[trial], ranges[name][0]), ranges[name][1])
            for name, n in before.items()
        }
        yield [_drawn(port, host_array(x), sizes, rng) for port, x in zip(inputs, examples)]  # noqa: B905


def _drawn(
    port: Port, example: HostArray, sizes: Mapping[str, int], rng: numpy.random.Generator
) -> Tensor:
    made = example
    for axis, name in enumerate(port.shape):
        if isinstance(name, str):
            made = made.take(rng.integers(0, example.shape[axis], sizes[name]), axis=axis)
    if made.dtype.kind in "fc":
        made = made * numpy.asarray(rng.uniform(0.9, 1.1, made.shape), made.real.dtype)
    elif not any(isinstance(name, str) for name in port.shape):
        made = rng.permutation(made.reshape(-1)).reshape(made.shape)
    return torch.from_numpy(numpy.array(made, dtype=example.dtype))


def compare(what: str, expected: Mapping[str, HostArray], given: Mapping[str, HostArray]) -> None:
    """Raise ``ExportError`` if a file gives something else than the function."""
    for name, right in expected.items():
        found = given[name]
        if found.shape != right.shape or found.dtype != right.dtype:
            raise ExportError(
                f"{what} gives {name} as {found.dtype} {found.shape}, the function as "
                f"{right.dtype} {right.shape}"
            )
        if not _is_close(found, right):
            wrong = numpy.abs(numpy.subtract(found, right, dtype=complex))
            raise ExportError(
                f"{what} gives other values for {name} than the function: they differ by up to "
                f"{numpy.nanmax(wrong):.3g}"
            )


def _is_close(found: HostArray, right: HostArray) -> bool:
    if right.dtype.kind not in "fc":
        return bool(numpy.array_equal(found, right))
    tolerance = float(numpy.finfo(right.dtype).eps) ** 0.6  # a constant of float32 is seen
    finite = numpy.abs(right[numpy.isfinite(right)])
    scale = float(finite.max()) if finite.size else 0.0
    return bool(
        numpy.allclose(found, right, rtol=tolerance, atol=tolerance * scale, equal_nan=True)
    )
