"""Packing bits into bytes and unpacking them."""

from __future__ import annotations

import sys
from functools import partial

import torch
from torch import Tensor

from xp_torch._kernels.blocks import is_large, mapped
from xp_torch._kernels.unsigned import as_signed

from .._array.layout import like
from .._array.ndarray import ndarray
from .._base.axes import integer_of_64_bits, normalize_axis
from .._base.typing import BitOrder
from .._convert.arguments import ArrayLike, array_of, as_tensor
from .._kernels.host_kernels import or_numpys

__all__ = ["packbits", "unpackbits"]


def _is_little(name: str, bitorder: object) -> bool:
    """Whether ``bitorder`` makes the first of eight elements the lowest bit."""
    if not isinstance(bitorder, str):
        raise TypeError(f"{name}: bitorder must be str, not {type(bitorder).__name__}")
    if bitorder not in ("big", "little"):
        raise ValueError(f"{name}: 'order' must be either 'little' or 'big', not {bitorder!r}")
    return bitorder == "little"


def packbits(a: ArrayLike, /, axis: int | None = None, bitorder: BitOrder = "big") -> ndarray:
    """Pack eight truth values into each byte, along an axis or of all elements.

    Parameters
    ----------
    a : array_like
        Integers or booleans; an element that is not zero is a set bit.
    axis : int, optional
        The axis to pack, filled with zeros at its end; by default the flattened array.
    bitorder : {"big", "little"}
        Whether the first element is the highest bit or the lowest.

    Returns
    -------
    ndarray
        uint8, an eighth as long along the axis, rounded up.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.packbits([1, 0, 1])
    array([160], dtype=uint8)
    """
    tensor = as_tensor("packbits", a)
    if tensor.is_floating_point() or tensor.is_complex():
        raise TypeError("packbits: Expected an input array of integer or boolean data type")
    little = _is_little("packbits", bitorder)
    if axis is None:
        tensor, axis = tensor.reshape(-1), 0
    return array_of(_packed(tensor, normalize_axis("packbits", axis, tensor.dim()), little))


def unpackbits(
    a: ArrayLike, /, axis: int | None = None, count: int | None = None, bitorder: BitOrder = "big"
) -> ndarray:
    """The eight bits of each byte as zeros and ones, along an axis or of all elements.

    Parameters
    ----------
    a : array_like
        uint8.
    axis : int, optional
        The axis to unpack; by default the flattened array.
    count : int, optional
        The number of bits to return, filled up with zeros. A negative one leaves out bits at
        the end.
    bitorder : {"big", "little"}
        Whether the highest bit comes first or the lowest.

    Returns
    -------
    ndarray
        uint8, eight times as long along the axis, or ``count`` long.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.unpackbits(np.array([160], dtype=np.uint8), count=3)
    array([1, 0, 1], dtype=uint8)
    """
    tensor = as_tensor("unpackbits", a)
    if tensor.dtype is not torch.uint8:
        raise TypeError("unpackbits: Expected an input array of unsigned byte data type")
    little = _is_little("unpackbits", bitorder)
    if axis is None:
        tensor, axis = tensor.reshape(-1), 0
    dim = normalize_axis("unpackbits", axis, tensor.dim())
    bits = _unpacked(tensor, dim, little)
    if count is not None:
        count = integer_of_64_bits("unpackbits", "count", count)
        size = bits.shape[dim]
        if count < 0 and -count > size:
            raise ValueError(
                f"unpackbits: -ve count {count} is larger than the number of elements {size}"
            )
        wanted = count if count >= 0 else size + count
        bits = bits.narrow(dim, 0, min(wanted, size))
        after = bits.dim() - 1 - dim
        bits = torch.nn.functional.pad(bits, (*(0, 0) * after, 0, wanted - bits.shape[dim]))
    return array_of(like(bits, tensor))


# --- tensors ---

_ONES = 0x0101010101010101
_SPREAD = 0x8040201008040201 - (1 << 64)  # bits 0, 9, 18 ... 63, as a signed number
_STEPS = 0x0102040810204080  # bits 7, 14, 21 ... 56
_CARRIES = 0x00406070787C7E7F  # added, it carries bit i of byte i to the byte's highest bit
_LITTLE = sys.byteorder == "little"


def _shifts(little: bool, device: torch.device) -> Tensor:
    """How far to shift each of the eight bits."""
    shifts = torch.arange(8, dtype=torch.uint8, device=device)
    return shifts if little else torch.flip(shifts, (0,))


@or_numpys("packed")
def _packed(x: Tensor, axis: int, little: bool) -> Tensor:
    """Bytes that each hold eight elements along an axis; an element other than 0 sets its bit."""
    missing = -x.shape[axis] % 8
    if x.dtype is not torch.bool:
        x = (x.view(torch.int8) if x.dtype is torch.uint8 else as_signed(x)).to(torch.bool)
    if missing:
        x = torch.nn.functional.pad(x, (*(0, 0) * (x.dim() - 1 - axis), 0, missing))
    if _LITTLE and is_large(x):
        return (
            _packed_rows(x, axis, little)
            if x.stride(axis) == 1
            else _packed_columns(x, axis, little)
        )
    octets = x.movedim(axis, -1).to(torch.uint8)
    octets = octets.reshape(*octets.shape[:-1], octets.shape[-1] // 8, 8)
    octets = octets << _shifts(little, x.device)
    return torch.sum(octets, -1, dtype=torch.uint8).movedim(-1, axis)


def _packed_rows(x: Tensor, axis: int, little: bool) -> Tensor:
    """Eight bytes form a word; a product collects their lowest bits in its highest byte."""
    rows = x.movedim(axis, -1).contiguous()
    if rows.storage_offset() % 8:  # torch reads words only at multiples of their size
        rows = rows.clone()
    words = torch.mul(rows.view(-1).view(torch.int64), _STEPS if little else _SPREAD)
    result = words.bitwise_right_shift_(56).to(torch.uint8)
    return result.view(*rows.shape[:-1], rows.shape[-1] // 8).movedim(-1, axis)


def _packed_columns(x: Tensor, axis: int, little: bool) -> Tensor:
    """Set one bit of all bytes after another."""
    shape = [*x.shape[:axis], x.shape[axis] // 8, 8, *x.shape[axis + 1 :]]
    bits = x.view(torch.uint8).reshape(shape).unbind(axis + 1)
    result: Tensor = bits[-1 if little else 0].clone()
    for bit in bits[-2::-1] if little else bits[1:]:
        result.bitwise_left_shift_(1).bitwise_or_(bit)
    return result


@or_numpys("unpacked")
def _unpacked(x: Tensor, axis: int, little: bool) -> Tensor:
    """The bits of bytes as zeros and ones along an axis, which becomes eight times as long."""
    rows = x.movedim(axis, -1)
    if _LITTLE and is_large(x):
        spread = partial(_spread, little)
        words = mapped(spread, spread, rows.contiguous(), torch.int64)
        bits = words.view(-1).view(torch.uint8).view(*rows.shape[:-1], 8 * rows.shape[-1])
    else:
        bits = ((rows.unsqueeze(-1) >> _shifts(little, x.device)) & 1).flatten(-2)
    return bits.movedim(-1, axis)


def _spread(little: bool, x: Tensor) -> Tensor:
    """The bits of each byte in the bytes of a word."""
    words = x.to(torch.int64)
    if little:  # bit i alone in byte i, and then as the highest bit of it
        words.mul_(_ONES).bitwise_and_(_SPREAD).add_(_CARRIES)
    else:
        words.mul_(_SPREAD)
    return words.bitwise_right_shift_(7).bitwise_and_(_ONES)
