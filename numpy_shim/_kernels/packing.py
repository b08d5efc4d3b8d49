"""Pack eight booleans into a byte, and unpack them."""

from __future__ import annotations

import sys
from functools import partial

import torch
from torch import Tensor

from xp_torch._kernels.blocks import is_large, mapped
from xp_torch._kernels.unsigned import as_signed

_ONES = 0x0101010101010101
_SPREAD = 0x8040201008040201 - (1 << 64)  # bits 0, 9, 18 ... 63, as a signed number
_STEPS = 0x0102040810204080  # bits 7, 14, 21 ... 56
_CARRIES = 0x00406070787C7E7F  # added, it carries bit i of byte i to the byte's highest bit
_LITTLE = sys.byteorder == "little"


def _shifts(little: bool, device: torch.device) -> Tensor:
    """How far to shift each of the eight bits."""
    shifts = torch.arange(8, dtype=torch.uint8, device=device)
    return shifts if little else torch.flip(shifts, (0,))


def packed(x: Tensor, axis: int, little: bool) -> Tensor:
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


def unpacked(x: Tensor, axis: int, little: bool) -> Tensor:
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
