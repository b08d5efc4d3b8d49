"""Reductions and running sums."""

from __future__ import annotations

from typing import Any

import torch

from ._library import Blob, Library, Table


def table(lib: Library) -> Table:
    """The operators of this chapter."""
    xp = lib.xp

    def summed(x: Blob, dtype: torch.dtype | None) -> Blob:
        """The array in the dtype of its sum: integers add up in int64."""
        own = lib.of(x)
        if dtype is None:
            dtype = own if own.is_floating_point or own.is_complex else torch.int64
        return lib.astype(x, dtype)

    def fold(name: str) -> Any:
        function = getattr(xp, name)

        def run(
            x: Blob, dim: object = None, keepdim: bool = False, *, dtype: torch.dtype | None = None
        ) -> Blob:
            x = summed(x, dtype)
            if not len(x.shape):
                return +x
            return function(x, axis=lib.axes(x, dim), keepdims=keepdim, dtype=x.dtype)

        return run

    total, product = fold("sum"), fold("prod")

    def whole(function: Any) -> Any:
        return lambda x, *, dtype=None: function(x, dtype=dtype)

    def mean(
        x: Blob, dim: Any = None, keepdim: bool = False, *, dtype: torch.dtype | None = None
    ) -> Blob:
        if dtype is not None:
            x = lib.astype(x, dtype)
        own = lib.of(x)
        if not (own.is_floating_point or own.is_complex):
            raise RuntimeError(f"mean(): could not infer output dtype. Input dtype is {own}")
        if not len(x.shape):
            return +x
        axes = lib.axes(x, dim)
        count = 1
        for a in axes:
            count *= x.shape[a]
        return xp.divide(
            xp.sum(x, axis=axes, keepdims=keepdim), float(count) if count else float("nan")
        )

    def extreme(name: str) -> Any:
        function = getattr(xp, name)

        def run(x: Blob, dim: Any = (), keepdim: bool = False) -> Blob:
            if not len(x.shape):
                return xp.asarray(x, copy=True)
            if lib.of(x) is torch.bool:
                other = xp.any if name == "max" else xp.all
                return other(x, axis=lib.axes(x, dim), keepdims=keepdim)
            return function(x, axis=lib.axes(x, dim), keepdims=keepdim)

        return run

    amax, amin = extreme("max"), extreme("min")

    def place(name: str) -> Any:
        function = getattr(xp, name)

        def run(x: Blob, dim: int | None = None, keepdim: bool = False) -> Blob:
            x = lib.astype(x, torch.uint8) if lib.of(x) is torch.bool else x
            if not len(x.shape):
                return xp.zeros((), dtype=lib.dtype(torch.int64))
            if dim is None:
                found = function(lib.flat(x), axis=0)
                found = xp.reshape(found, (1,) * len(x.shape)) if keepdim else found
            else:
                found = function(x, axis=lib.axis(x, dim), keepdims=keepdim)
            return lib.astype(found, torch.int64)

        return run

    argmax, argmin = place("argmax"), place("argmin")

    def with_place(value: Any, index: Any) -> Any:
        def run(x: Blob, dim: int, keepdim: bool = False) -> tuple[Blob, Blob]:
            return value(x, dim, keepdim), index(x, dim, keepdim)

        return run

    def truth(name: str) -> Any:
        function = getattr(xp, name)

        def run(x: Blob, dim: Any = None, keepdim: bool = False) -> Blob:
            own = lib.of(x)
            x = lib.astype(x, torch.bool)
            if len(x.shape):
                x = function(x, axis=lib.axes(x, dim), keepdims=keepdim)
            else:
                x = xp.logical_or(x, x)
            return lib.astype(x, torch.uint8) if own is torch.uint8 else x

        return run

    any_, all_ = truth("any"), truth("all")

    def spread(root: bool) -> Any:
        def run(x: Blob, dim: Any = None, *, correction: Any = None, keepdim: bool = False) -> Blob:
            correction = 1 if correction is None else correction
            axes = lib.axes(x, dim)
            count = 1
            for a in axes:
                count *= x.shape[a]
            if not len(x.shape):
                x, axes = xp.reshape(x, (1,)), (0,)
            middle = xp.divide(
                xp.sum(x, axis=axes, keepdims=True), float(count) if count else float("nan")
            )
            off = xp.subtract(x, middle)
            if lib.of(x).is_complex:
                squares = xp.add(xp.square(xp.real(off)), xp.square(xp.imag(off)))
            else:
                squares = xp.square(off)
            sums = xp.sum(squares, axis=axes, keepdims=keepdim)
            free = max(float(count - correction), 0.0)
            found = xp.divide(sums, xp.full((), free, dtype=sums.dtype))
            return xp.sqrt(found) if root else found

        return run

    def running(name: str) -> Any:
        function = getattr(xp, name)

        def run(x: Blob, dim: int, *, dtype: torch.dtype | None = None) -> Blob:
            x = summed(x, dtype)
            if not len(x.shape):
                return +x
            return function(x, axis=lib.axis(x, dim), dtype=x.dtype)

        return run

    def softmax(x: Blob, dim: int, half_to_float: bool = False) -> Blob:
        if not len(x.shape):
            return xp.ones_like(x)
        powers = xp.exp(xp.subtract(x, xp.max(x, axis=dim, keepdims=True)))
        return xp.divide(powers, xp.sum(powers, axis=dim, keepdims=True))

    def log_softmax(x: Blob, dim: int, half_to_float: bool = False) -> Blob:
        if not len(x.shape):
            return xp.zeros_like(x)
        shifted = xp.subtract(x, xp.max(x, axis=dim, keepdims=True))
        sums = xp.sum(xp.exp(shifted), axis=dim, keepdims=True)
        return xp.subtract(shifted, xp.log(sums))

    return {
        "sum.default": whole(total), "sum.dim_IntList": total,
        "prod.default": whole(product), "prod.dim_int": product,
        "mean.default": whole(mean), "mean.dim": mean,
        "amax.default": amax, "amin.default": amin, "max.default": amax, "min.default": amin,
        "argmax.default": argmax, "argmin.default": argmin,
        "max.dim": with_place(amax, argmax), "min.dim": with_place(amin, argmin),
        "any.default": any_, "any.dim": any_, "any.dims": any_,
        "all.default": all_, "all.dim": all_, "all.dims": all_,
        "var.correction": spread(False), "std.correction": spread(True),
        "cumsum.default": running("cumulative_sum"), "cumprod.default": running("cumulative_prod"),
        "_softmax.default": softmax, "_log_softmax.default": log_softmax,
    }  # fmt: skip
