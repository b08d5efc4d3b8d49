"""An array API namespace, as the tables see it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import torch

from .._errors import BackendError
from .._tensor import Shape, contiguous_strides

Blob = Any
Table = dict[str, Callable[..., Any]]
"""From the name of an operator ("add.Tensor") to a function over arrays."""


class Library:
    """A namespace of the standard, with its dtypes by torch's dtypes.

    Only functions of the standard are used. ``beyond`` gives a function outside the standard where
    the library has one, for speed or for exactness; there is always a way without it.
    ``from_parts`` is the library's function from two real arrays to a complex one.
    """

    def __init__(self, xp: Any, from_parts: Callable[[Blob, Blob], Blob] | None = None) -> None:
        self.xp = xp
        self.from_parts = from_parts
        self._to_library: dict[torch.dtype, Any] = {}
        self._to_torch: dict[Any, torch.dtype] = {}
        self.bits: Callable[[Blob, torch.dtype], Blob] | None = None
        for name in (
            "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
            "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
        ):  # fmt: skip
            dtype = getattr(xp, name, None)
            if dtype is not None:
                try:
                    dtype = xp.empty((0,), dtype=dtype).dtype
                except (TypeError, ValueError):
                    continue
                self._to_library[getattr(torch, name)] = dtype
                self._to_torch.setdefault(dtype, getattr(torch, name))

    def dtype(self, dtype: torch.dtype) -> Any:
        """The library's dtype for one of torch."""
        try:
            return self._to_library[dtype]
        except KeyError:
            raise BackendError(
                f"{self.xp.__name__} has no dtype for {dtype}; it has "
                f"{', '.join(map(str, self._to_library))}"
            ) from None

    def of(self, x: Blob) -> torch.dtype:
        """torch's dtype of an array."""
        return self._to_torch[x.dtype]

    def beyond(self, name: str) -> Any:
        """A function of the library that the standard does not have, or None."""
        return getattr(self.xp, name, None)

    def is_blob(self, value: object) -> bool:
        return hasattr(value, "shape") and hasattr(value, "dtype")

    # --- small steps that many operators need ---

    def astype(self, x: Blob, dtype: torch.dtype) -> Blob:
        """The array in a dtype of torch; itself if it has it. A complex number loses its
        imaginary part, as in torch."""
        own = self.of(x)
        if own is dtype:
            return x
        if own.is_complex and not dtype.is_complex:
            if dtype is torch.bool:
                return self.xp.not_equal(x, 0)
            x = self.xp.real(x)
        return self.xp.astype(x, self.dtype(dtype))

    def view_dtype(self, x: Blob, dtype: torch.dtype) -> Blob:
        """The bits of an array in C order, 1-D, as elements of another dtype.

        Arrays of NumPy and JAX have ``view``. Without it the standard can do two cases: integers
        of one width, and the two parts of complex numbers. The others go through the CPU.
        """
        flat, own = self.flat(x), self.of(x)
        if own is dtype:
            return flat
        if own.is_floating_point and dtype.is_complex and not self.views_complex:
            pairs = self.xp.reshape(flat, (-1, 2))
            return self.complex_of(pairs[:, 0], pairs[:, 1])
        if hasattr(flat, "view"):
            return flat.view(self.dtype(dtype))
        whole = not any(d.is_floating_point or d.is_complex for d in (own, dtype))
        if whole and own.itemsize == dtype.itemsize:
            return self.astype(flat, dtype)
        if own.is_complex and dtype.is_floating_point and own.itemsize == 2 * dtype.itemsize:
            return self.flat(self.xp.stack([self.xp.real(flat), self.xp.imag(flat)], axis=-1))
        assert self.bits is not None
        return self.bits(flat, dtype)

    @functools.cached_property
    def views_complex(self) -> bool:
        """Whether ``view`` keeps the two parts of complex numbers as they are.

        JAX multiplies by 1j, which loses the signs of zeros and makes NaN of infinities.
        """
        xp = self.xp
        pair = xp.asarray([math.inf, -0.0], dtype=self.dtype(torch.float32))
        if not hasattr(pair, "view"):
            return False
        found = pair.view(self.dtype(torch.complex64))
        infinite, negative = xp.real(found) == math.inf, xp.signbit(xp.imag(found))
        return bool(xp.all(infinite)) and bool(xp.all(negative))

    def complex_of(self, a: Blob, b: Blob) -> Blob:
        """Real and imaginary parts as one array, of the shape that both broadcast to.

        The standard has no function for it, and multiplying by 1j is not exact. If the program
        named none, the bits are exchanged; without an exact ``view`` they go through the CPU.
        """
        a, b = self.xp.broadcast_arrays(a, b)
        if self.from_parts is not None:
            return self.from_parts(a, b)
        both = self.flat(self.xp.stack([a, b], axis=-1))
        dtype = torch.complex128 if self.of(a) is torch.float64 else torch.complex64
        assert self.bits is not None
        own = both.view(self.dtype(dtype)) if self.views_complex else self.bits(both, dtype)
        return self.xp.reshape(own, tuple(a.shape))

    def numeric(self, x: Blob) -> Blob:
        """Booleans as int64; other arrays as they are."""
        return self.astype(x, torch.int64) if self.of(x) is torch.bool else x

    def axes(self, x: Blob, dim: Any) -> tuple[int, ...]:
        """Axes counted from the front; None and () are all of them."""
        if dim is None or (isinstance(dim, (list, tuple)) and not dim):
            return tuple(range(len(x.shape)))
        dims = dim if isinstance(dim, (list, tuple)) else [dim]
        return tuple(self.axis(x, d) for d in dims)

    def axis(self, x: Blob, dim: int) -> int:
        """An axis counted from the front; ``IndexError`` in torch's words if there is none."""
        rank = max(len(x.shape), 1)
        if not -rank <= dim < rank:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but "
                f"got {dim})"
            )
        return dim % rank

    def arange(self, n: int) -> Blob:
        return self.xp.arange(n, dtype=self.dtype(torch.int64))

    def flat(self, x: Blob) -> Blob:
        return self.xp.reshape(x, (-1,)) if len(x.shape) != 1 else x

    def positions(self, shape: Sequence[int], strides: Sequence[int], offset: int) -> Blob:
        """The positions of the elements at strides, in an array of the shape."""
        total = self.xp.full(tuple(1 for _ in shape), offset, dtype=self.dtype(torch.int64))
        for i, (n, s) in enumerate(zip(shape, strides, strict=True)):
            line = self.arange(n) * s
            total = total + self.xp.reshape(
                line, tuple(n if j == i else 1 for j in range(len(shape)))
            )
        return total

    def take(self, flat: Blob, positions: Blob) -> Blob:
        """The elements of a 1-D array at positions of any shape."""
        shape = tuple(positions.shape)
        if 0 in shape:
            return self.xp.zeros(shape, dtype=flat.dtype)
        return self.xp.reshape(self.xp.take(flat, self.xp.reshape(positions, (-1,)), axis=0), shape)

    def put(self, flat: Blob, positions: Blob, values: Blob) -> Blob:
        """A copy of a 1-D array with values at 1-D positions; the last of equal ones stays."""
        xp = self.xp
        if not prod(positions.shape):
            return flat
        if hasattr(flat, "at"):  # JAX
            return flat.at[positions].set(values)
        order = xp.argsort(positions, stable=True)
        ordered = xp.take(positions, order, axis=0)
        every = self.arange(flat.shape[0])
        found = xp.searchsorted(ordered, every, side="right") - 1
        found = xp.astype(xp.where(found < 0, xp.zeros_like(found), found), self.dtype(torch.int64))
        hit = xp.take(ordered, found, axis=0) == every
        return xp.where(hit, xp.take(values, xp.take(order, found, axis=0), axis=0), flat)

    def put_sum(self, flat: Blob, positions: Blob, values: Blob) -> Blob:
        """A copy of a 1-D array with values added at 1-D positions, equal ones too.

        Where the library has no scatter, each round adds the next of every group of equal
        positions; the number of rounds is read from the device.
        """
        xp = self.xp
        if not prod(positions.shape):
            return flat
        if hasattr(flat, "at"):  # JAX
            return flat.at[positions].add(values)
        order = xp.argsort(positions, stable=True)
        ordered = xp.take(positions, order, axis=0)
        rank = self.arange(ordered.shape[0]) - xp.astype(
            xp.searchsorted(ordered, ordered, side="left"), self.dtype(torch.int64)
        )
        for turn in range(int(xp.max(rank)) + 1):
            (chosen,) = xp.nonzero(rank == turn)
            picked = xp.take(order, chosen, axis=0)
            there = xp.take(positions, picked, axis=0)
            flat = self.put(
                flat, there, xp.take(flat, there, axis=0) + xp.take(values, picked, axis=0)
            )
        return flat

    def expand(self, x: Blob, shape: Sequence[int]) -> Blob:
        return self.xp.broadcast_to(x, tuple(shape))

    def index_positions(self, shape: Shape, indices: Sequence[Blob | None]) -> Blob:
        """The flat positions that ``x[indices]`` reads, in an array of the result's shape."""
        xp = self.xp
        expanded: list[Blob | None] = []
        for index in indices:
            if index is None:
                expanded.append(None)
            elif self.of(index) in (torch.bool, torch.uint8):
                expanded += list(xp.nonzero(self.astype(index, torch.bool)))
            else:
                expanded.append(self.astype(index, torch.int64))
        expanded += [None] * (len(shape) - len(expanded))
        chosen = {
            d: xp.where(i < 0, i + shape[d], i) for d, i in enumerate(expanded) if i is not None
        }
        arrays = list(xp.broadcast_arrays(*chosen.values()))
        chosen = dict(zip(chosen, arrays, strict=True))
        block = tuple(arrays[0].shape)
        dims = sorted(chosen)
        adjacent = dims[-1] - dims[0] + 1 == len(dims)
        rest = [d for d in range(len(shape)) if d not in chosen]
        before = [d for d in rest if adjacent and d < dims[0]]
        after = [d for d in rest if d not in before]
        rank = len(rest) + len(block)
        strides = contiguous_strides(shape)
        total = xp.zeros((1,) * rank, dtype=self.dtype(torch.int64))
        for i, d in [*enumerate(before), *enumerate(after, len(before) + len(block))]:
            line = self.arange(shape[d]) * strides[d]
            total = total + xp.reshape(line, tuple(shape[d] if j == i else 1 for j in range(rank)))
        for d, index in chosen.items():
            total = total + xp.reshape(
                index * strides[d], (1,) * len(before) + block + (1,) * len(after)
            )
        return total
