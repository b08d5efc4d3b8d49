"""Shapes, strides and joins; the two operators behind every view."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from math import prod
from typing import Any

import torch

from .._tensor import contiguous_strides
from ._library import Blob, Library, Table


def table(lib: Library) -> Table:
    """The operators of this chapter."""
    xp = lib.xp

    def view(x: Blob, size: Sequence[int]) -> Blob:
        return xp.reshape(x, tuple(size))

    def as_strided(x: Blob, size: Any, stride: Any, offset: int | None = None) -> Blob:
        """The elements at strides: a permutation where they are one, else by their positions."""
        size, stride, offset = tuple(size), tuple(stride), offset or 0
        if 0 in size:
            return xp.zeros(size, dtype=x.dtype)
        kept = [d for d in range(len(size)) if stride[d] != 0 and size[d] != 1]
        kept.sort(key=lambda d: -stride[d])
        dense = tuple(size[d] for d in kept)
        if (
            offset == 0
            and prod(dense) == prod(x.shape)
            and contiguous_strides(dense) == tuple(stride[d] for d in kept)
        ):
            x = xp.reshape(x, dense)
            order = sorted(range(len(kept)), key=lambda i: kept[i])
            if order != list(range(len(kept))):
                x = xp.permute_dims(x, tuple(order))
            x = xp.reshape(x, tuple(n if d in kept else 1 for d, n in enumerate(size)))
            return lib.expand(x, size)
        return lib.take(lib.flat(x), lib.positions(size, stride, offset))

    def as_strided_scatter(
        x: Blob, source: Blob, size: Any, stride: Any, offset: int | None = None
    ) -> Blob:
        size, stride, offset = tuple(size), tuple(stride), offset or 0
        positions = lib.flat(lib.positions(size, stride, offset))
        return xp.reshape(lib.put(lib.flat(x), positions, lib.flat(source)), x.shape)

    def cat(tensors: Sequence[Blob], dim: int = 0) -> Blob:
        found = functools.reduce(torch.promote_types, [lib.of(t) for t in tensors])
        kept = [t for t in tensors if tuple(t.shape) != (0,)] or tensors[:1]
        return xp.concat(
            [lib.astype(t, found) for t in kept], axis=dim % max(len(kept[0].shape), 1)
        )

    def flip(x: Blob, dims: Any) -> Blob:
        return (
            xp.flip(x, axis=lib.axes(x, dims))
            if dims and len(x.shape)
            else +lib.numeric(x)
            if (lib.of(x) is not torch.bool)
            else xp.logical_or(x, x)
        )

    def roll(x: Blob, shifts: Any, dims: Any = ()) -> Blob:
        shifts = shifts if isinstance(shifts, (list, tuple)) else [shifts]
        if not dims:
            return xp.reshape(xp.roll(lib.flat(x), shifts[0], axis=0), x.shape)
        return xp.roll(x, tuple(shifts), axis=lib.axes(x, dims))

    def repeat(x: Blob, repeats: Sequence[int]) -> Blob:
        return xp.tile(x, tuple(repeats))

    def padded(x: Blob, pad: Sequence[int], value: Any = 0) -> Blob:
        """Constants around an array, or slices of it where the padding is negative."""
        for i in range(len(pad) // 2):
            axis = len(x.shape) - 1 - i
            before, after = pad[2 * i], pad[2 * i + 1]
            key = [slice(None)] * len(x.shape)
            key[axis] = slice(max(-before, 0), x.shape[axis] - max(-after, 0))
            x = x[tuple(key)]

            def block(n: int, axis: int = axis, x: Blob = x) -> Blob:
                shape = tuple(n if j == axis else s for j, s in enumerate(x.shape))
                number = (
                    complex(value)
                    if lib.of(x).is_complex
                    else (
                        float(value)
                        if lib.of(x).is_floating_point
                        else bool(value)
                        if lib.of(x) is torch.bool
                        else int(value)
                    )
                )
                return xp.full(shape, number, dtype=x.dtype)

            parts = [block(before)] if before > 0 else []
            parts.append(x)
            parts += [block(after)] if after > 0 else []
            x = xp.concat(parts, axis=axis) if len(parts) > 1 else x
        return x

    def triangle(name: str) -> Any:
        function = getattr(xp, name)

        def run(x: Blob, diagonal: int = 0) -> Blob:
            return function(x, k=diagonal)

        return run

    def repeat_interleave(repeats: Blob, *, output_size: int | None = None) -> Blob:
        return xp.repeat(lib.arange(repeats.shape[0]), repeats)

    return {
        "view_copy.default": view, "as_strided_copy.default": as_strided,
        "view_copy.dtype": lib.view_dtype,
        "as_strided_scatter.default": as_strided_scatter,
        "cat.default": cat, "flip.default": flip, "roll.default": roll, "repeat.default": repeat,
        "constant_pad_nd.default": padded, "tril.default": triangle("tril"),
        "triu.default": triangle("triu"), "repeat_interleave.Tensor": repeat_interleave,
    }  # fmt: skip
