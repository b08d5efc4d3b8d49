"""The array to write a result into, from what was given as ``out=``."""

from __future__ import annotations

import numpy
import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from .._array.host_view import WRITEABLE
from .._array.ndarray import AnyArray, array_of, ndarray
from .._base.dtypes import TORCH, HostDtypeError
from .foreign import from_numpy, is_subclass
from .one_storage import on_memory_of

CPU = torch.device("cpu")


def output_of(name: str, out: object) -> ndarray:
    """An array of ours as it is; for a tensor or an array of NumPy's, one on its memory.

    ``HostDtypeError`` for an array of a dtype that torch cannot store, or on memory that it cannot
    describe, ``TypeError`` for other objects, and ``ValueError`` for a read-only array.
    """
    if type(out) is ndarray:
        return out
    if isinstance(out, Tensor):
        return array_of(out)
    if not isinstance(out, numpy.ndarray) or isinstance(out, AnyArray):
        raise TypeError(f"{name}: return arrays must be of ArrayType, not {type(out).__name__}")
    if is_dynamo_compiling():  # which takes NumPy's arrays that torch can describe, as tensors
        return array_of(from_numpy(name, out, "out", CPU))
    if out.dtype not in TORCH or is_subclass(out):  # also in the other byte order
        raise HostDtypeError(f"{name}: torch has no storage for the dtype {out.dtype} of out")
    if not out.flags.num & WRITEABLE:
        raise ValueError(f"{name}: output array is read-only")
    target = on_memory_of(name, out, "out")
    if target is None:
        raise TypeError(f"{name}: out is not aligned, or not in the machine's byte order")
    return target
