"""Operators that the standard has no function for, from those that it has.

Where the library has the function, it is used. frexp and i0 are there only where it is: torch's
error names them elsewhere.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from ._library import Blob, Library, Table


def table(lib: Library) -> Table:
    """The operators of this chapter."""
    xp = lib.xp

    def exp2(x: Blob) -> Blob:
        return (lib.beyond("exp2") or (lambda v: xp.pow(2.0, v)))(x)

    def logaddexp2(a: Blob, b: Blob) -> Blob:
        theirs = lib.beyond("logaddexp2")
        if theirs is not None:
            return theirs(a, b)
        scale = math.log(2)
        return xp.divide(xp.logaddexp(xp.multiply(a, scale), xp.multiply(b, scale)), scale)

    def without_nan(name: str) -> Any:
        function = getattr(xp, name)

        def pick(a: Blob, b: Blob) -> Blob:
            if not lib.of(a).is_floating_point:
                if lib.of(a) is torch.bool:
                    return (xp.logical_or if name == "maximum" else xp.logical_and)(a, b)
                return function(a, b)
            return xp.where(xp.isnan(a), b, xp.where(xp.isnan(b), a, function(a, b)))

        return pick

    def gcd(a: Blob, b: Blob) -> Blob:
        """Euclid's steps, as many as the width can need, so that no value is read."""
        theirs = lib.beyond("gcd")
        if theirs is not None:
            return theirs(a, b)
        a, b = xp.broadcast_arrays(a, b)
        if lib.of(a).is_signed:
            a, b = xp.abs(a), xp.abs(b)
        for _ in range(math.ceil(1.45 * 8 * lib.of(a).itemsize)):
            done = b == 0
            rest = xp.remainder(a, xp.where(done, xp.ones_like(b), b))
            a, b = xp.where(done, a, b), xp.where(done, b, rest)
        return a

    def running(larger: bool) -> Any:
        """Running extremes and the last places that have them, by doubling the reach."""

        def run(x: Blob, dim: int) -> tuple[Blob, Blob]:
            places = xp.zeros(x.shape, dtype=lib.dtype(torch.int64))
            if not len(x.shape):
                return xp.asarray(x, copy=True), places
            as_bool = lib.of(x) is torch.bool
            x = lib.astype(x, torch.uint8) if as_bool else x
            axis, n = lib.axis(x, dim), x.shape[dim]
            line = tuple(n if i == axis else 1 for i in range(len(x.shape)))
            places = lib.expand(xp.reshape(lib.arange(n), line), x.shape)
            step = 1
            while step < n:
                head, tail = [slice(None)] * len(x.shape), [slice(None)] * len(x.shape)
                head[axis], tail[axis] = slice(0, n - step), slice(step, n)
                early, late = x[tuple(head)], x[tuple(tail)]
                keep = late >= early if larger else late <= early
                if lib.of(x).is_floating_point:
                    keep = xp.logical_or(
                        xp.isnan(late), xp.logical_and(keep, xp.logical_not(xp.isnan(early)))
                    )
                first = [slice(None)] * len(x.shape)
                first[axis] = slice(0, step)
                there, here = places[tuple(head)], places[tuple(tail)]
                places = xp.concat([places[tuple(first)], xp.where(keep, here, there)], axis=axis)
                x = xp.concat([x[tuple(first)], xp.where(keep, late, early)], axis=axis)
                step *= 2
            return (lib.astype(x, torch.bool) if as_bool else x), places

        return run

    def median_of(x: Blob, dim: int, keepdim: bool, skip: bool) -> tuple[Blob, Blob]:
        """The lower of the two middle values; NaN is above every number, or skipped."""
        if not len(x.shape):
            return xp.asarray(x, copy=True), xp.zeros((), dtype=lib.dtype(torch.int64))
        axis, n = lib.axis(x, dim), x.shape[dim]
        order = lib.astype(xp.argsort(x, axis=axis, stable=True), torch.int64)
        ordered = xp.take_along_axis(x, order, axis=axis)
        shape = tuple(1 if i == axis else s for i, s in enumerate(x.shape))
        place = xp.full(shape, (n - 1) // 2, dtype=lib.dtype(torch.int64))
        if lib.of(x).is_floating_point:
            nan = xp.astype(xp.isnan(ordered), lib.dtype(torch.int64))
            bad = xp.sum(nan, axis=axis, keepdims=True)
            if skip:
                middle = xp.floor_divide(n - bad - 1, 2)
                place = xp.where(bad == n, xp.zeros_like(bad), middle)
            else:
                place = xp.where(bad > 0, n - bad, place)
        values = xp.take_along_axis(ordered, place, axis=axis)
        places = xp.take_along_axis(order, place, axis=axis)
        if keepdim:
            return values, places
        return xp.squeeze(values, axis=axis), xp.squeeze(places, axis=axis)

    def median(skip: bool) -> Any:
        return lambda x: median_of(lib.flat(x), 0, False, skip)[0]

    def median_dim(skip: bool) -> Any:
        return lambda x, dim, keepdim=False: median_of(x, dim, keepdim, skip)

    def kthvalue(x: Blob, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Blob, Blob]:
        if not len(x.shape):
            return xp.asarray(x, copy=True), xp.zeros((), dtype=lib.dtype(torch.int64))
        axis = lib.axis(x, dim)
        order = lib.astype(xp.argsort(x, axis=axis, stable=True), torch.int64)
        key = [slice(None)] * len(x.shape)
        key[axis] = slice(k - 1, k)
        places = order[tuple(key)]
        values = xp.take_along_axis(x, places, axis=axis)
        if keepdim:
            return values, places
        return xp.squeeze(values, axis=axis), xp.squeeze(places, axis=axis)

    found: Table = {
        "kthvalue.default": kthvalue,
        "exp2.default": exp2, "logaddexp2.default": logaddexp2,
        "fmax.default": without_nan("maximum"), "fmin.default": without_nan("minimum"),
        "gcd.default": gcd, "cummax.default": running(True), "cummin.default": running(False),
        "median.default": median(False), "nanmedian.default": median(True),
        "median.dim": median_dim(False), "nanmedian.dim": median_dim(True),
    }  # fmt: skip
    frexp, i0 = lib.beyond("frexp"), lib.beyond("i0")
    if frexp is not None:

        def split(x: Blob) -> tuple[Blob, Blob]:
            mantissa, exponent = frexp(x)
            return mantissa, lib.astype(exponent, torch.int32)

        found["frexp.Tensor"] = split
    if i0 is not None:
        found["i0.default"] = found["special_i0.default"] = i0
    return found
