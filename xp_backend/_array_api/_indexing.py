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
        return xp.take(x, index, axis=lib.axis(x, dim))

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
        return lib.take(lib.flat(x), along(x.shape, lib.axis(x, dim), index))

    def scatter(accumulate: bool) -> Any:
        def run(x: Blob, dim: int, index: Blob, source: Any) -> Blob:
            if not len(x.shape):
                x1, index = xp.reshape(x, (1,)), lib.flat(index)
                source = lib.flat(source) if lib.is_blob(source) else source
                return xp.reshape(run(x1, 0, index, source), ())
            positions = along(x.shape, lib.axis(x, dim), index)
            if lib.is_blob(source):
                source = lib.astype(source, lib.of(x))
                values = source[tuple(slice(0, n) for n in index.shape)]
            else:
                values = xp.full(index.shape, source, dtype=x.dtype)
            put = lib.put_sum if accumulate else lib.put
            flat = put(lib.flat(x), lib.flat(positions), lib.flat(values))
            return xp.reshape(flat, x.shape)

        return run

    combiners = {
        "sum": xp.add, "mean": xp.add, "prod": xp.multiply, "amax": xp.maximum, "amin": xp.minimum,
    }  # fmt: skip

    def groups(positions: Blob, values: Blob, combine: Any) -> tuple[Blob, Blob]:
        """Sorted positions, and the values of equal positions combined up to each of them.

        A scan by doubling, which reads no value; the last of equal positions has all of them.
        """
        order = xp.argsort(positions, stable=True)
        positions, values = xp.take(positions, order, axis=0), xp.take(values, order, axis=0)
        step, n = 1, positions.shape[0]
        while step < n:
            same = positions[step:] == positions[:-step]
            joined = xp.where(same, combine(values[:-step], values[step:]), values[step:])
            values = xp.concat([values[:step], joined])
            step *= 2
        return positions, values

    def scatter_reduce(
        x: Blob, dim: int, index: Blob, src: Blob, reduce: str, *, include_self: bool = True
    ) -> Blob:
        own = lib.of(x)
        if own is torch.bool:  # the standard does not order booleans
            x, src = (lib.astype(v, torch.uint8) for v in (x, src))
            found = scatter_reduce(x, dim, index, src, reduce, include_self=include_self)
            return lib.astype(found, own)
        if not len(x.shape):
            x1, i1, s1 = (xp.reshape(v, (1,)) for v in (x, index, src))
            found = scatter_reduce(x1, 0, i1, s1, reduce, include_self=include_self)
            return xp.reshape(found, ())
        positions = lib.flat(along(x.shape, lib.axis(x, dim), index))
        if not positions.shape[0]:
            return xp.asarray(x, copy=True)
        values = lib.flat(lib.astype(src, own)[tuple(slice(0, n) for n in index.shape)])
        flat, combine = lib.flat(x), combiners[reduce]
        where, found = groups(positions, values, combine)
        if include_self:
            found = combine(xp.take(flat, where, axis=0), found)
        if reduce == "mean":
            _, count = groups(positions, xp.ones_like(values), xp.add)
            count = count + 1 if include_self else count
            whole = not (own.is_floating_point or own.is_complex)
            found = (xp.floor_divide if whole else xp.divide)(found, count)
        return xp.reshape(lib.put(flat, where, found), x.shape)

    def index_reduce(
        x: Blob, dim: int, index: Blob, source: Blob, reduce: str, *, include_self: bool = True
    ) -> Blob:
        rank, line = len(source.shape), lib.flat(index)
        if rank:
            at = dim % rank
            line = xp.reshape(line, tuple(-1 if i == at else 1 for i in range(rank)))
            line = lib.expand(line, source.shape)
        return scatter_reduce(x, dim, line, source, reduce, include_self=include_self)

    def index_add(x: Blob, dim: int, index: Blob, source: Blob, *, alpha: Any = 1) -> Blob:
        if alpha != 1:
            source = xp.multiply(source, alpha)
        keys: list[Blob | None] = [None] * (lib.axis(x, dim))
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
        "scatter_reduce.two": scatter_reduce, "index_reduce.default": index_reduce,
        "masked_fill.Scalar": masked_fill, "masked_fill.Tensor": masked_fill,
        "masked_select.default": masked_select, "masked_scatter.default": masked_scatter,
        "nonzero.default": nonzero, "embedding.default": embedding,
    }  # fmt: skip
