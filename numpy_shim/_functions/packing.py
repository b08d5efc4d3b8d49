"""Packing bits into bytes and unpacking them."""

from __future__ import annotations

from typing import Any

import torch

from .._array.layout import like
from .._array.ndarray import ndarray
from .._base.axes import integer_of_64_bits, normalize_axis
from .._base.typing import BitOrder
from .._convert.arguments import ArrayLike, array_of, as_tensor
from .._kernels import packing

__all__ = ["packbits", "unpackbits"]


def _is_little(name: str, bitorder: Any) -> bool:
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

    Raises
    ------
    TypeError
        For other dtypes.

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
    return array_of(packing.packed(tensor, normalize_axis("packbits", axis, tensor.dim()), little))


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

    Raises
    ------
    TypeError
        For other dtypes.
    ValueError
        For a negative ``count`` beyond the number of bits.

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
    bits = packing.unpacked(tensor, dim, little)
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
