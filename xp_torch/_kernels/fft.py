"""Fourier transforms, and the shifts that go with them.

A kernel takes a tensor, sizes and axes that are checked and non-negative, and the name of the
normalization.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from .._core.dtypes import COMPLEX_FLOATING, COMPLEX_OF, REAL_FLOATING, REAL_OF, Category


class Transform(NamedTuple):
    """One transform: torch's function, and its input and output lengths.

    ``torch`` is correct unless an axis that is not transformed is empty. ``halves`` says that the
    (last) transformed axis of the result has only ``n//2 + 1`` elements; ``doubles`` says that of
    the input, whose other elements are the mirror image.
    """

    name: str
    torch: Callable[..., Tensor]
    category: Category
    halves: bool = False
    doubles: bool = False

    def default_size(self, size: int) -> int:
        """The length of the (last) transform for an axis of ``size`` elements."""
        return 2 * (size - 1) if self.doubles else size


def _ihfft(x: Tensor, n: int | None, axis: int, norm: str) -> Tensor:
    """torch's function conjugates lazily; other libraries cannot read such memory."""
    result: Tensor = torch.fft.ihfft(x, n, axis, norm)
    return result.resolve_conj()


fft = Transform("fft", torch.fft.fft, COMPLEX_FLOATING)
ifft = Transform("ifft", torch.fft.ifft, COMPLEX_FLOATING)
rfft = Transform("rfft", torch.fft.rfft, REAL_FLOATING, halves=True)
irfft = Transform("irfft", torch.fft.irfft, COMPLEX_FLOATING, doubles=True)
hfft = Transform("hfft", torch.fft.hfft, COMPLEX_FLOATING, doubles=True)
ihfft = Transform("ihfft", _ihfft, REAL_FLOATING, halves=True)

fftn = Transform("fftn", torch.fft.fftn, COMPLEX_FLOATING)
ifftn = Transform("ifftn", torch.fft.ifftn, COMPLEX_FLOATING)
rfftn = Transform("rfftn", torch.fft.rfftn, REAL_FLOATING, halves=True)
irfftn = Transform("irfftn", torch.fft.irfftn, COMPLEX_FLOATING, doubles=True)

_STEPS = {"fftn": (fft, fft), "ifftn": (ifft, ifft), "rfftn": (rfft, fft), "irfftn": (irfft, ifft)}
"""The transforms of the last axis and of the others, applied one axis at a time."""


def one_axis(kind: Transform, x: Tensor, n: int, axis: int, norm: str) -> Tensor:
    """A transform of one axis."""
    if _empty_elsewhere(x, (axis,)):
        return _empty(kind, x, (n,), (axis,))
    return kind.torch(x, n, axis, norm)


def many_axes(
    kind: Transform, x: Tensor, s: tuple[int, ...], axes: tuple[int, ...], norm: str
) -> Tensor:
    """A transform of any number of axes; an axis may be repeated."""
    if len(set(axes)) < len(axes):
        return _axis_by_axis(kind, x, s, axes, norm)
    if not axes:
        return x.clone()
    if _empty_elsewhere(x, axes):
        return _empty(kind, x, s, axes)
    return kind.torch(x, s, axes, norm)


def _axis_by_axis(
    kind: Transform, x: Tensor, s: tuple[int, ...], axes: tuple[int, ...], norm: str
) -> Tensor:
    """Transform repeated axes, which torch refuses, in NumPy's order."""
    for one, n, axis in steps(kind, s, axes):
        x = one_axis(one, x, n, axis, norm)
    return x


def steps(
    kind: Transform, s: tuple[int, ...], axes: tuple[int, ...]
) -> list[tuple[Transform, int, int]]:
    """Yield a transform, size and axis for each axis, in NumPy's order."""
    last, other = _STEPS[kind.name]
    rest = [(other, n, axis) for n, axis in zip(s[:-1], axes[:-1], strict=True)]
    final = (last, s[-1], axes[-1])
    return [*rest, final] if kind.doubles else [final, *rest[::-1]]


def _empty_elsewhere(x: Tensor, axes: tuple[int, ...]) -> bool:
    return 0 in x.shape and any(size == 0 and i not in axes for i, size in enumerate(x.shape))


def _empty(kind: Transform, x: Tensor, s: tuple[int, ...], axes: tuple[int, ...]) -> Tensor:
    """The transform of an empty array: the correct shape and dtype, without elements.

    MKL and cuFFT refuse them ("Inconsistent configuration parameters",
    https://github.com/pytorch/pytorch/issues/174984).
    """
    shape = list(x.shape)
    for n, axis in zip(s, axes, strict=True):
        shape[axis] = n
    if kind.halves:
        shape[axes[-1]] = s[-1] // 2 + 1
    # A sum, so that the result is still connected to x for a gradient.
    result = x.sum(dim=axes, keepdim=True).expand(shape)
    dtype = REAL_OF[x.dtype] if kind.doubles else COMPLEX_OF[x.dtype]
    return (result.real if kind.doubles else result).to(dtype).clone()


def shift(x: Tensor, axes: tuple[int, ...], *, inverse: bool) -> Tensor:
    """Swap the halves of each axis. The inverse differs if the size is odd."""
    if not axes:
        return x.clone()  # torch.roll without axes rolls the flattened array
    sizes = [x.shape[axis] for axis in axes]
    return torch.roll(x, [(n + 1) // 2 if inverse else n // 2 for n in sizes], axes)
