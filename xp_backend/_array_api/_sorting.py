"""Sorting, searching and sets."""

from __future__ import annotations

from typing import Any

import torch

from ._library import Blob, Library, Table


def table(lib: Library) -> Table:
    """The operators of this chapter."""
    xp = lib.xp

    def order_of(x: Blob, dim: int, descending: bool) -> Blob:
        """The stable order along an axis; the standard leaves NaN in a descending one open."""
        x = lib.astype(x, torch.uint8) if lib.of(x) is torch.bool else x
        if not descending:
            return lib.astype(xp.argsort(x, axis=dim, stable=True), torch.int64)
        turned = xp.argsort(xp.flip(x, axis=dim), axis=dim, stable=True)
        return xp.flip(x.shape[dim] - 1 - lib.astype(turned, torch.int64), axis=dim)

    def sort(x: Blob, dim: int = -1, descending: bool = False) -> tuple[Blob, Blob]:
        if not len(x.shape):
            return xp.asarray(x, copy=True), xp.zeros((), dtype=lib.dtype(torch.int64))
        dim %= len(x.shape)
        order = order_of(x, dim, descending)
        return xp.take_along_axis(x, order, axis=dim), order

    def sort_stable(
        x: Blob, *, stable: bool | None = None, dim: int = -1, descending: bool = False
    ) -> tuple[Blob, Blob]:
        return sort(x, dim, descending)

    def topk(
        x: Blob, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
    ) -> tuple[Blob, Blob]:
        values, order = sort(x, dim, largest)
        if not len(x.shape):
            return values, order
        key = [slice(None)] * len(x.shape)
        key[dim] = slice(0, k)
        return values[tuple(key)], order[tuple(key)]

    def searchsorted(
        ordered: Blob, values: Any, *, out_int32: bool = False, right: bool = False,
        side: str | None = None, sorter: Blob | None = None,
    ) -> Blob:  # fmt: skip
        right = right or side == "right"
        if not lib.is_blob(values):
            values = xp.asarray(values, dtype=ordered.dtype)
        common = torch.promote_types(lib.of(ordered), lib.of(values))
        common = torch.uint8 if common is torch.bool else common
        ordered, values = lib.astype(ordered, common), lib.astype(values, common)
        if sorter is not None:
            ordered = xp.take_along_axis(ordered, sorter, axis=-1)
        if len(ordered.shape) == 1:
            found = xp.searchsorted(ordered, lib.flat(values), side="right" if right else "left")
            found = xp.reshape(found, values.shape)
        else:
            rows, wanted = xp.expand_dims(ordered, axis=-2), xp.expand_dims(values, axis=-1)
            before = rows <= wanted if right else rows < wanted
            if common.is_floating_point:  # NaN is above every number
                nan = xp.isnan(wanted)
                before = xp.logical_or(before, xp.logical_and(nan, xp.logical_or(
                    xp.logical_not(xp.isnan(rows)), xp.asarray(right)
                )))  # fmt: skip
            found = xp.sum(xp.astype(before, lib.dtype(torch.int64)), axis=-1)
        return lib.astype(found, torch.int32 if out_int32 else torch.int64)

    def bucketize(
        values: Blob, edges: Blob, *, out_int32: bool = False, right: bool = False
    ) -> Blob:
        return searchsorted(edges, values, out_int32=out_int32, right=right)

    def unique(
        x: Blob, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
    ) -> tuple[Blob, Blob, Blob]:
        as_bool = lib.of(x) is torch.bool
        values, _, inverse, counts = xp.unique_all(lib.astype(x, torch.uint8) if as_bool else x)
        values = lib.astype(values, torch.bool) if as_bool else values
        inverse = xp.reshape(lib.astype(inverse, torch.int64), x.shape)
        # The standard leaves the order of the values open.
        if not lib.of(values).is_complex and not as_bool:
            order = xp.argsort(values, stable=True)
            values = xp.take(values, order, axis=0)
            counts = xp.take(counts, order, axis=0)
            inverse = lib.take(lib.astype(xp.argsort(order), torch.int64), inverse)
        return values, inverse, lib.astype(counts, torch.int64)

    return {
        "sort.default": sort, "sort.stable": sort_stable, "topk.default": topk,
        "searchsorted.Tensor": searchsorted, "searchsorted.Scalar": searchsorted,
        "bucketize.Tensor": bucketize, "_unique2.default": unique,
    }  # fmt: skip
