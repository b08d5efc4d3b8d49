"""Whether a cast kept the values."""

from __future__ import annotations

import torch
from torch import Tensor

from xp_torch._kernels import reductions


def keeps_values(x: Tensor, made: Tensor) -> bool:
    """Whether casting back would give ``x`` again, as ``casting='same_value'`` asks.

    NaN is kept where the new dtype has one. Anything is kept as a bool. ``made`` is not complex
    where ``x`` is, or both are: an imaginary part is lost only if it is zero. Synchronises.
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
        # Back only what the integer dtype reaches: beyond, a cast gives anything.
        bounds, wide = torch.iinfo(source), made.double()
        fits = (wide >= float(bounds.min)) & (wide < bounds.max + 1.0)
        back = torch.where(fits, wide, 0.0).to(source)
        return bool((fits & (back == x)).all())
    axes = tuple(range(x.dim()))
    bounds = torch.iinfo(target)
    least, most = (int(f(x, axes, False).item()) for f in (reductions.min, reductions.max))
    return bounds.min <= least and most <= bounds.max
