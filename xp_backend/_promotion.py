"""The dtypes that an element-wise operator computes in and returns, asked of torch once each."""

from __future__ import annotations

import functools
from typing import Any

import torch
from torch import Tensor

from ._operators import schema

Signature = tuple[Any, ...]
"""One entry an argument: (dtype, whether 0-D) of a tensor, (type,) of a number, the rest as is."""


def signature_of(args: tuple[object, ...], kwargs: dict[str, object]) -> Signature:
    """What the dtypes of a result depend on."""
    return tuple(_entry(a) for a in args), tuple((k, _entry(v)) for k, v in kwargs.items())


def _entry(value: object) -> Any:
    if isinstance(value, Tensor):
        return (value.dtype, value.ndim == 0)
    if isinstance(value, (bool, int, float, complex)):
        return (type(value),)
    if isinstance(value, (list, tuple)):
        return tuple(_entry(v) for v in value)
    return value


@functools.lru_cache(maxsize=8192)
def dtypes(op: Any, signature: Signature) -> tuple[torch.dtype | None, tuple[torch.dtype, ...]]:
    """The dtype that the operands are cast to, and the dtypes of the results.

    The operands' dtype is None where they are not cast. torch is asked with meta tensors of one
    element: what an element-wise operator returns does not depend on the sizes.
    """
    positional, named = signature
    args = [_example(e) for e in positional]
    kwargs = {name: _example(e) for name, e in named}
    names = [a.name for a in schema(op).arguments]
    operands = [
        value
        for name, value in [*zip(names, args, strict=False), *kwargs.items()]
        if name not in ("condition", "mask", "alpha") and _is_operand(value)
    ]
    result = op(*args, **kwargs)
    results = result if isinstance(result, (tuple, list)) else (result,)
    found = tuple(r.dtype for r in results)
    if not any(isinstance(o, Tensor) for o in operands):
        return None, found
    common = _common(operands)
    if (
        len(found) == 1
        and found[0].is_floating_point
        and not (common.is_floating_point or common.is_complex)
    ):
        common = found[0]
    return common, found


def _is_operand(value: object) -> bool:
    return isinstance(value, (Tensor, bool, int, float, complex))


def _example(entry: object) -> Any:
    if isinstance(entry, tuple):
        if len(entry) == 2 and isinstance(entry[0], torch.dtype):
            return torch.empty(() if entry[1] else (1,), dtype=entry[0], device="meta")
        if len(entry) == 1 and isinstance(entry[0], type):
            return entry[0](1)
        return [_example(e) for e in entry]
    return entry


def _common(operands: list[Any]) -> torch.dtype:
    """torch's result type of any number of tensors and numbers."""
    tensors = [o for o in operands if isinstance(o, Tensor)]
    found: Any = None
    for group in ([t for t in tensors if t.ndim], [t for t in tensors if not t.ndim]):
        if not group:
            continue
        dtype = functools.reduce(torch.promote_types, [t.dtype for t in group])
        example = torch.empty((1,) if group[0].ndim else (), dtype=dtype, device="meta")
        found = (
            example
            if found is None
            else torch.empty((1,), dtype=torch.result_type(found, example), device="meta")
        )
    for number in [o for o in operands if not isinstance(o, Tensor)]:
        found = torch.empty(found.shape, dtype=torch.result_type(found, number), device="meta")
    result: torch.dtype = found.dtype
    return result
