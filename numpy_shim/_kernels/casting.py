"""Casts between dtypes: as C casts, rounded once, and whether a cast kept the values."""

from __future__ import annotations

import struct
from math import copysign, inf

import torch
from torch import Tensor
from torch.compiler import is_compiling

from xp_torch._kernels import reductions
from xp_torch._kernels.blocks import is_large
from xp_torch._torch.internals import in_forward_mode

from .._base import error_checks
from .._base import error_states as errstate
from .._base.dtypes import HALVES

_BEYOND = 2**29 - 1
"""The bits of a float64's mantissa that float32 lacks."""


def cast(tensor: Tensor, dtype: torch.dtype, operation: str = "cast") -> Tensor:
    """``tensor`` in ``dtype``, converted as in C; ``tensor`` itself if it has that dtype.

    Messages of ``errstate`` name ``operation``.
    """
    own = tensor.dtype
    if own is dtype:
        return tensor
    if own.is_complex and not dtype.is_complex:
        if dtype is torch.bool:
            return torch.ne(tensor, 0)
        tensor = tensor.real  # torch would warn that the imaginary part is lost
        own = tensor.dtype
        if own is dtype:
            tensor = tensor.clone()  # .real is a view
    twice = own is torch.float64 and dtype in HALVES
    if own is torch.bool and is_large(tensor):  # torch reads Booleans one by one, bytes by vectors
        tensor = tensor.view(torch.uint8)
    if dtype is torch.float64:  # its own method takes half the time of ``to``
        result = tensor.double()
    else:
        result = narrowed(tensor, dtype) if twice else tensor.to(dtype, copy=own is torch.bool)
    if errstate.active:
        error_checks.check_cast(tensor, result, operation)
    return result


def narrowed(x: Tensor, dtype: torch.dtype) -> Tensor:
    """A float64 tensor in a 16-bit float dtype.

    torch converts through float32, and so rounds twice. Here the bits that float32 lacks are
    first folded into its last bit (rounding to odd), so that a tie can be told from a near tie.
    """
    odd = x.detach().view(torch.int64) & _BEYOND
    odd += _BEYOND
    odd |= x.detach().view(torch.int64)
    odd &= ~_BEYOND
    folded = odd.view(torch.float64)
    if x.requires_grad or in_forward_mode() or is_compiling():
        folded = x + folded.sub_(x.detach()).nan_to_num_(0.0)  # exact, and differentiable
    return folded.to(dtype)


def half_of(number: float) -> float:
    """The value of a number in float16."""
    try:
        value: float = struct.unpack("e", struct.pack("e", number))[0]
    except OverflowError:
        return copysign(inf, number)
    return value


def keeps_values(x: Tensor, made: Tensor) -> bool:
    """Whether casting back would give ``x`` again, as ``casting='same_value'`` asks.

    NaN is kept where the new dtype has NaN. Any value may become a bool. Where ``x`` is complex
    and ``made`` is not, the imaginary part must be zero. Synchronises.
    """
    source, target = x.dtype, made.dtype
    if target is torch.bool or not x.numel():
        return True
    if source.is_complex:
        if target.is_complex:
            return keeps_values(torch.view_as_real(x), torch.view_as_real(made))
        return not bool((x.imag != 0).any()) and keeps_values(x.real, made)
    if target.is_complex:
        made = made.real
    from_floats, to_floats = source.is_floating_point, made.is_floating_point()
    if from_floats and to_floats:
        return bool(((made.to(source) == x) | torch.isnan(x)).all())
    if from_floats:
        bounds = torch.iinfo(target)
        wide = x.double()
        whole = (wide == wide.trunc()) & (wide >= float(bounds.min)) & (wide < bounds.max + 1.0)
        return bool(whole.all())
    if source is torch.bool:
        return True
    if to_floats:
        # Cast back only values within the integer dtype's range: beyond it a cast is undefined.
        bounds, wide = torch.iinfo(source), made.double()
        fits = (wide >= float(bounds.min)) & (wide < bounds.max + 1.0)
        back = torch.where(fits, wide, 0.0).to(source)
        return bool((fits & (back == x)).all())
    axes = tuple(range(x.dim()))
    bounds = torch.iinfo(target)
    least, most = (int(f(x, axes, False).item()) for f in (reductions.min, reductions.max))
    return bounds.min <= least and most <= bounds.max
