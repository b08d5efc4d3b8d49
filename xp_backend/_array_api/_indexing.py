"""Indexing, gathering and scattering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from .._tensor import contiguous_strides
from ._library import Blob, Library, Table


def table(lib: Library) -> Table:
    """The operators of this chapter."""
    xp = lib.xp

    def index(x: Blob, indices: Sequence[Blob | None]) -> Blob:
        shape = tuple(x.shape)
        return lib.take(lib.flat(x), lib.index_positions(shape, indices))

    def index_put(
        x: Blob, indices: Sequence[Blob | None], values: Blob, accumulate: bool = False
    ) -> Blob:
        positions = lib.index_positions(tuple(x.shape), indices)
        values = lib.flat(lib.expand(values, positions.shape))
        put = lib.put_sum if accumulate else lib.put
        return xp.reshape(put(lib.flat(x), lib.flat(positions), values), x.shape)

    def index_select(x: Blob, dim: int, index: Blob) -> Blob:
        if not len(x.shape):
            return xp.reshape(lib.take(lib.flat(x), index), ())
        index = lib.flat(lib.astype(index, torch.int64))
        return xp.take(x, index, axis=dim % len(x.shape))

    def along(x_shape: Any, dim: int, index: Blob) -> Blob:
        """The flat positions that ``gather`` reads."""
        rank = len(x_shape)
        strides = contiguous_strides(tuple(x_shape))
        total = lib.astype(index, torch.int64) * strides[dim]
        for axis in range(rank):
            if axis != dim:
                line = lib.arange(index.shape[axis]) * strides[axis]
                shape = tuple(index.shape[axis] if j == axis else 1 for j in range(rank))
                total = total + xp.reshape(line, shape)
        return total

    def gather(x: Blob, dim: int, index: Blob, *, sparse_grad: bool = False) -> Blob:
        if not len(x.shape):
            return lib.take(lib.flat(x), lib.astype(index, torch.int64))
        return lib.take(lib.flat(x), along(x.shape, dim % len(x.shape), index))

    def scatter(accumulate: bool) -> Any:
        def run(x: Blob, dim: int, index: Blob, source: Any) -> Blob:
            if not len(x.shape):
                x1, index = xp.reshape(x, (1,)), lib.flat(index)
                source = lib.flat(source) if lib.is_blob(source) else source
                return xp.reshape(run(x1, 0, index, source), ())
            positions = along(x.shape, dim % len(x.shape), index)
            if lib.is_blob(source):
                source = lib.astype(source, lib.of(x))
                values = source[tuple(slice(0, n) for n in index.shape)]
            else:
                values = xp.full(index.shape, source, dtype=x.dtype)
            put = lib.put_sum if accumulate else lib.put
            flat = put(lib.flat(x), lib.flat(positions), lib.flat(values))
            return xp.reshape(flat, x.shape)

        return run

    def index_add(x: Blob, dim: int, index: Blob, source: Blob, *, alpha: Any = 1) -> Blob:
        if alpha != 1:
            source = xp.multiply(source, alpha)
        keys: list[Blob | None] = [None] * (dim % len(x.shape))
        return index_put(x, [*keys, index], source, True)

    def masked_fill(x: Blob, mask: Blob, value: Any) -> Blob:
        dtype = lib.of(x)
        if lib.is_blob(value):
            value = lib.astype(value, dtype)
        elif not (dtype.is_floating_point or dtype.is_complex):
            value = bool(value) if dtype is torch.bool else int(value)
        return xp.where(lib.astype(mask, torch.bool), value, x)

    def masked_select(x: Blob, mask: Blob) -> Blob:
        x, mask = xp.broadcast_arrays(x, lib.astype(mask, torch.bool))
        return xp.take(lib.flat(x), xp.nonzero(lib.flat(mask))[0], axis=0)

    def masked_scatter(x: Blob, mask: Blob, source: Blob) -> Blob:
        mask = lib.flat(lib.expand(lib.astype(mask, torch.bool), x.shape))
        (positions,) = xp.nonzero(mask)
        values = lib.flat(source)[: positions.shape[0]]
        return xp.reshape(lib.put(lib.flat(x), positions, values), x.shape)

    def nonzero(x: Blob) -> Blob:
        if not len(x.shape):
            count = int(xp.astype(lib.astype(x, torch.bool), lib.dtype(torch.int64)))
            return xp.zeros((count, 0), dtype=lib.dtype(torch.int64))
        found = xp.nonzero(lib.astype(x, torch.bool))
        return xp.stack([lib.astype(f, torch.int64) for f in found], axis=-1)

    def embedding(
        weight: Blob, indices: Blob, padding_idx: int = -1,
        scale_grad_by_freq: bool = False, sparse: bool = False,
    ) -> Blob:  # fmt: skip
        rows = xp.take(weight, lib.flat(indices), axis=0)
        return xp.reshape(rows, (*indices.shape, *weight.shape[1:]))

    return {
        "index.Tensor": index, "_unsafe_index.Tensor": index,
        "index_put.default": index_put, "_unsafe_index_put.default": index_put,
        "index_select.default": index_select, "gather.default": gather,
        "scatter.src": scatter(False), "scatter.value": scatter(False),
        "scatter_add.default": scatter(True), "index_add.default": index_add,
        "masked_fill.Scalar": masked_fill, "masked_fill.Tensor": masked_fill,
        "masked_select.default": masked_select, "masked_scatter.default": masked_scatter,
        "nonzero.default": nonzero, "embedding.default": embedding,
    }  # fmt: skip
