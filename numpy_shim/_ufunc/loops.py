"""The loop of a ufunc for operands of some kinds, or for the dtypes that are asked for."""

from __future__ import annotations

from typing import Any

import numpy
import torch

from .._base.dtypes import NUMPY, check_casting, torch_dtype
from .._base.release import ufunc_of
from .._base.tracing import constant
from .._base.ufunc_dtypes import NUMBER_DTYPES, resolved_dtypes
from .._convert.arguments import check_cast
from .spec import SPECS, Key, Loop, Spec, loop_of, make_loop, no_loop, stored


def choose(spec: Spec, key: Key, casting: str, dtype: object, signature: object) -> Loop:
    """The loop for operands of these kinds, or for the dtypes that were asked for."""
    if dtype is None and signature is None:
        loop = loop_of(spec, key)
    else:
        if dtype is not None:
            if signature is not None:
                raise TypeError(f"{spec.name}: cannot specify both 'signature' and 'dtype'")
            signature = (None,) * spec.nin + (torch_dtype(spec.name, dtype),) * spec.nout
        else:
            signature = _checked_signature(spec, signature)
        dtypes = _dtypes_of_signature(spec.name, key, signature, casting)
        loop = make_loop(spec.functions, dtypes, spec.nin)
    if casting != "same_kind":
        check_casting(spec.name, casting)
        if spec.name in _OF_TRUTH:
            return loop
        for kind, wanted in zip(key, loop.inputs, strict=True):
            if isinstance(kind, torch.dtype):
                check_cast(f"{spec.name}: input", kind, wanted, casting)
            elif casting == "equiv" and NUMBER_DTYPES[kind] != NUMPY[wanted]:
                raise TypeError(
                    f"{spec.name}: Cannot cast Python {kind.__name__} to {NUMPY[wanted]} with "
                    f"casting rule {casting!r}"
                )
    return loop


_OF_TRUTH = frozenset({"logical_and", "logical_or", "logical_xor"})
"""Ufuncs that take the truth of operands of any dtype; NumPy ignores ``casting`` for them."""


def _checked_signature(spec: Spec, signature: object) -> Any:
    """A ``signature=`` as a string, or a tuple of torch dtypes and ``None``."""
    if isinstance(signature, bytes):
        signature = signature.decode("ascii")
    count = spec.nin + spec.nout
    if isinstance(signature, str):
        if len(signature) == 1:
            raise TypeError(
                f"{spec.name}: a single item type string is ambiguous; give a dtype as 'dtype'"
            )
        return signature
    if not isinstance(signature, tuple):
        raise TypeError("the signature object to ufunc must be a string or a tuple.")
    if len(signature) == 1:
        raise TypeError(f"{spec.name}: a signature of one dtype is ambiguous; use 'dtype'")
    if len(signature) != count:
        raise ValueError(f"{spec.name}: a signature tuple must have {count} entries")
    return tuple([None if s is None else _signature_dtype(spec.name, s) for s in signature])


def _signature_dtype(name: str, dtype: object) -> torch.dtype:
    if isinstance(dtype, type) and issubclass(dtype, numpy.dtype):
        dtype = dtype()  # type: ignore[call-overload]  # the class of a dtype, as ``type(numpy.dtype("float64"))``
    return torch_dtype(name, dtype, "signature")


_signature_dtypes: dict[Any, tuple[torch.dtype, ...]] = {}


@constant
def _dtypes_of_signature(
    name: str, key: Key, signature: object, casting: str
) -> tuple[torch.dtype, ...]:
    """The dtypes for a ``signature=``; NumPy is asked once; in a trace the answer is a constant."""
    known = (name, key, signature, casting)
    dtypes = _signature_dtypes.get(known)
    if dtypes is None:
        spec = SPECS[name]
        asked = tuple(NUMPY[k] if isinstance(k, torch.dtype) else k for k in key)
        wanted = signature
        if isinstance(signature, tuple):
            wanted = tuple(None if s is None else NUMPY[s] for s in signature)
        resolved = resolved_dtypes(
            ufunc_of(name), (*asked, *[None] * spec.nout), signature=wanted, casting=casting
        )
        dtypes = stored(resolved)
        if dtypes is None:
            raise no_loop(name, key)
        _signature_dtypes[known] = dtypes
    return dtypes
