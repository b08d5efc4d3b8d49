"""Arguments that are indices: their dtypes, and what happens to indices out of bounds."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .._array.ndarray import AnyArray
from .._base.dtypes import INTEGERS, NUMPY
from .._convert.arguments import as_tensor, from_other
from .._kernels.casting import cast
from .keys import check_bounds, extremes

_MODES = {"raise": "raise", "wrap": "wrap", "clip": "clip", 0: "clip", 1: "wrap", 2: "raise"}


def mode_of(name: str, mode: object) -> str:
    """What to do with an index out of bounds: ``raise``, ``wrap`` or ``clip``."""
    try:
        return _MODES[mode]
    except (KeyError, TypeError):
        raise ValueError(
            f"{name}: clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})"
        ) from None


def indices_of(name: str, x: Any, argument: str, device: Any, *, strict: bool = False) -> Tensor:
    """An int64 tensor of an array-like of indices.

    Integers and booleans, as NumPy casts them; Python floats are truncated unless ``strict``,
    which refuses unsigned 64-bit integers too (NumPy's ``choose`` casts safely).
    """
    if isinstance(x, (AnyArray, Tensor)):
        tensor = as_tensor(name, x, argument)
    else:
        tensor = from_other(name, x, argument, device)
        if not strict and not hasattr(x, "dtype"):
            if tensor.dtype is torch.uint64 and bool((tensor.view(torch.int64) < 0).any()):
                raise OverflowError(f"{name}: {argument} do not fit in 64 bits with a sign")
            return cast(tensor, torch.int64)
    dtype = tensor.dtype
    if dtype is torch.int64:
        return tensor
    if (dtype in INTEGERS or dtype is torch.bool) and not (strict and dtype is torch.uint64):
        return tensor.to(torch.int64)
    raise TypeError(
        f"{name}: cannot cast {argument} from {NUMPY[dtype]} to int64 according to the rule 'safe'"
    )


def only_integers(name: str, x: Any, argument: str, device: Any) -> Tensor:
    """An int64 tensor of an array-like that must hold integers."""
    tensor = as_tensor(name, x, argument, device)
    if tensor.dtype in INTEGERS or tensor.dtype is torch.bool:
        return cast(tensor, torch.int64)
    if not tensor.numel() and not hasattr(x, "dtype"):
        raise TypeError(
            f"{name}: indices must be integral: the provided empty sequence was inferred as "
            "float. Wrap it with 'np.array(indices, dtype=np.intp)'"
        )
    raise TypeError(f"{name}: only int indices permitted in {argument}, not {NUMPY[tensor.dtype]}")


def within(name: str, x: Tensor, axis: int, indices: Tensor, mode: str) -> Tensor:
    """Indices along an axis of ``x``, brought within bounds as ``mode`` says.

    ``raise`` raises ``IndexError`` on the CPU only; on other devices the check would wait.
    """
    size = x.shape[axis]
    if not size and indices.numel():
        raise IndexError(f"{name}: cannot do a non-empty take from an empty axes.")
    if mode == "wrap":
        return torch.remainder(indices, max(size, 1))
    if mode == "clip":
        return torch.clamp(indices, 0, max(size - 1, 0))
    check_bounds(name, x, [axis], [indices])
    return indices


def known_outside(indices: Tensor, low: int, size: int) -> bool:
    """Whether some index is below ``low`` or not below ``size``.

    It is checked on the CPU only; on other devices the check would wait.
    """
    found = extremes(indices)
    return bool(found) and (found[0] < low or found[1] >= size)
