"""Searching for every dtype, based on torch's functions."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._core import box as _box
from .._core.dtypes import NATIVE_INTEGER, REAL_FLOATING, WIDE_UNSIGNED
from .blocks import arg_extremum, is_large
from .unsigned import as_signed, from_signed, to_ordered

Number = bool | int | float | complex


def _position(
    torchs: Callable[..., Tensor], largest: bool
) -> Callable[[Tensor, int | None, bool], Tensor]:
    def position(x: Tensor, axis: int | None, keepdims: bool) -> Tensor:
        y = to_ordered(x)
        if is_large(y):
            return arg_extremum(y, axis, keepdims, largest)
        if axis is None:
            result = torchs(y)
            return result.reshape((1,) * x.ndim) if keepdims else result
        return torchs(y, axis, keepdims)

    return position


argmax = _position(torch.argmax, True)
"""The index of the first largest element, or of the first NaN."""
argmin = _position(torch.argmin, False)
"""The index of the first smallest element, or of the first NaN."""


def nonzero(x: Tensor) -> tuple[Tensor, ...]:
    """The indices of the elements that are not zero, one tensor per axis."""
    return torch.nonzero(_of_one_moment(x), as_tuple=True)


def argwhere(x: Tensor) -> Tensor:
    """The indices of the elements that are not zero, one row each."""
    return torch.nonzero(_of_one_moment(x))


def _of_one_moment(x: Tensor) -> Tensor:
    """What is zero, and what is not, where no other thread writes.

    torch counts the elements and then looks at them again: a write between the two ends the process
    or raises an internal error.
    """
    values = as_signed(x)
    if not values.is_cpu or is_dynamo_compiling():
        return values
    return values.clone() if values.dtype is torch.bool else values != 0


def where(condition: Tensor, a: Tensor | Number, b: Tensor | Number) -> Tensor:
    """``a`` where the condition holds, else ``b``; one dtype, or one of them a number."""
    if isinstance(a, Tensor) and isinstance(b, Tensor) and a.dtype in WIDE_UNSIGNED:
        return from_signed(torch.where(condition, as_signed(a), as_signed(b)), a.dtype)
    return torch.where(condition, a, b)


def write_where(result: Tensor, condition: Tensor, a: Tensor) -> None:
    """Write ``a`` into ``result`` where the condition holds; all of one dtype, without gradient."""
    result, a = as_signed(result), as_signed(a)
    torch.where(condition, a, result, out=result)


def searchsorted(x1: Tensor, x2: Tensor, right: bool, sorter: Tensor | None) -> Tensor:
    """The insertion points of ``x2`` in the sorted ``x1``; both have one dtype."""
    if sorter is not None:
        # torch's own sorter= reads the indices to check them, which synchronises.
        x1 = from_signed(as_signed(x1).gather(0, sorter), x1.dtype)
    return native_searchsorted(to_ordered(x1), to_ordered(x2), right)


_bucketize = torch.bucketize  # a local name is faster than the module's
_LITTLE = 128
"""Up to this many bytes, a list of the values is cheaper than a comparison of all."""
_MUCH = 4096
"""From this many bytes on, a read by index is cheaper than either."""


def native_searchsorted(a: Tensor, b: Tensor, right: bool) -> Tensor:
    """``searchsorted`` for the dtypes that torch can compare.

    NaN counts as greater than any number, as it does in ``sort``.
    """
    return (_search_floating if a.is_floating_point() else _search)(a, b, right)


def _search(a: Tensor, b: Tensor, right: bool) -> Tensor:
    if a.ndim != 1 or (_box.several_devices and a.device != b.device):
        raise RuntimeError("the sorted values must have 1 dimension and the device of the others")
    if _box.several_devices and not is_dynamo_compiling():  # the CPU alone gives the hint
        a, b = a.contiguous(), b.contiguous()
    try:
        return torch.searchsorted(a, b, right=True) if right else torch.searchsorted(a, b)
    except UserWarning:  # torch.set_warn_always turned the hint into an error
        return torch.searchsorted(a.contiguous(), b.contiguous(), right=right)


def _take_hint() -> None:
    """Use up torch's one-time warning about operands that are not contiguous.

    torch copies such operands, which is correct here, so a user has nothing to change. A check of
    both operands would cost a tenth of each call.
    """
    apart = torch.zeros(4, device="cpu")[::2]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.searchsorted(apart, apart)


_take_hint()


def search_numbers(a: Tensor, b: Tensor) -> Tensor:
    """How many of the sorted ``a`` are up to each value of ``b``; any number for a NaN."""
    if a.is_floating_point():
        return _search_floating(a, b, True, False)
    return _search(a, b, True)


def _search_floating(a: Tensor, b: Tensor, right: bool, of_nan: bool = True) -> Tensor:
    """torch's search, corrected for a NaN in ``a``: torch then puts values after everything.

    Without ``of_nan``, a NaN in ``b`` gets any index on the right.
    """
    if (  # host_reads.possible, inlined
        not is_dynamo_compiling()
        and type(a) is Tensor
        and (not _box.several_devices or (a.is_cpu and b.is_cpu))
    ):
        # A NaN would be the last element, and reading that does not wait.
        try:
            size = a.nbytes
            if size <= _LITTLE:
                last = a.tolist()[-1]
            else:
                last = 0.0 if size < _MUCH and a.equal(a) else a[-1].item()
            if last == last:  # bucketize is searchsorted without support for several axes
                return _bucketize(b, a, right=True) if right else _bucketize(b, a)
        except (RuntimeError, IndexError, UserWarning):
            pass  # under vmap and similar transforms, without elements, or as in _search
    # Replace NaN by infinity for the search, then correct the indices beyond the numbers.
    inf = float("inf")
    found = _search(torch.nan_to_num(a, inf, inf, -inf), b, right)
    numbers = torch.count_nonzero(torch.eq(a, a))
    within = torch.minimum(found, numbers)
    return torch.where(torch.eq(b, b), within, a.shape[0]) if right and of_nan else within


SEARCHES = {
    **dict.fromkeys(NATIVE_INTEGER, _search),
    **dict.fromkeys(REAL_FLOATING.dtypes, _search_floating),
}
"""``native_searchsorted`` by dtype, for one axis, one dtype and one device."""
