"""Check the arguments of ``nditer``: flags, operands' flags, axes, dtypes."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import torch

from .._core.axes import MAX_DIMS
from .._core.dtypes import torch_dtype

Flags = frozenset[str]

_GLOBAL = frozenset({
    "buffered", "c_index", "common_dtype", "copy_if_overlap", "delay_bufalloc", "external_loop",
    "f_index", "grow_inner", "growinner", "multi_index", "ranged", "reduce_ok", "refs_ok",
    "zerosize_ok",
})  # fmt: skip
_PER_OPERAND = frozenset({
    "aligned", "allocate", "arraymask", "contig", "copy", "nbo", "no_broadcast", "no_subtype",
    "overlap_assume_elementwise", "readonly", "readwrite", "updateifcopy", "writemasked",
    "writeonly",
})  # fmt: skip
_ACCESS = frozenset({"readonly", "readwrite", "writeonly"})

_READ: Flags = frozenset({"readonly"})
_ALLOCATED: Flags = frozenset({"writeonly", "allocate"})


def global_flags(flags: Any) -> Flags:
    """The iterator's flags; ``ValueError`` for an unknown one and for two that exclude another."""
    if flags is None:
        return frozenset()
    if not isinstance(flags, (list, tuple)):
        raise ValueError("nditer: Iterator global flags must be a list or tuple of strings")
    found = frozenset(_word("flags", flag, _GLOBAL, "iterator global") for flag in flags)
    if {"c_index", "f_index"} <= found:
        raise ValueError("nditer: Iterator flags C_INDEX and F_INDEX cannot both be specified")
    if "external_loop" in found:
        check_external_loop(found)
    return found - {"growinner"} | {"grow_inner"} if "growinner" in found else found


def check_external_loop(flags: Flags) -> None:
    """Raise ``ValueError`` for flags that exclude runs of elements."""
    if not flags.isdisjoint({"c_index", "f_index", "multi_index"}):
        raise ValueError(
            "nditer: Iterator flag EXTERNAL_LOOP cannot be used if an index or multi-index is "
            "being tracked"
        )
    if "ranged" in flags and "buffered" not in flags:
        raise ValueError(
            "nditer: Iterator flag RANGED cannot be used with the flag EXTERNAL_LOOP unless "
            "BUFFERED is also enabled"
        )


def _word(argument: str, word: Any, known: frozenset[str], what: str) -> str:
    if isinstance(word, bytes):
        word = word.decode()
    if not isinstance(word, str):
        raise TypeError(f"nditer: {argument}: expected str, {type(word).__name__} found")
    if word not in known:
        raise ValueError(f'nditer: Unexpected {what} flag "{word}"')
    return word


def operand_flags(op_flags: Any, operands: Sequence[Any]) -> list[Flags]:
    """The flags of each operand: one list for all, or one for each; checked."""
    if op_flags is None:
        return [_ALLOCATED if op is None else _READ for op in operands]
    given = op_flags if isinstance(op_flags, (list, tuple)) else None
    if given is not None and all(isinstance(flag, (str, bytes)) for flag in given):
        found = [_flags_of(given)] * len(operands)
    elif (
        given is not None
        and len(given) == len(operands)
        and all(isinstance(flags, (list, tuple)) for flags in given)
    ):
        found = [_flags_of(flags) for flags in given]
    else:
        raise ValueError("nditer: op_flags must be a tuple or array of per-op flag-tuples")
    _check_masks(found)
    return found


def _flags_of(words: Sequence[Any]) -> Flags:
    flags = frozenset(_word("op_flags", word, _PER_OPERAND, "per-op iterator") for word in words)
    access = flags & _ACCESS
    if not access:
        raise ValueError(
            "nditer: None of the iterator flags READWRITE, READONLY, or WRITEONLY were specified "
            "for an operand"
        )
    if len(access) > 1:
        raise ValueError(
            "nditer: Only one of the iterator flags READWRITE, READONLY, and WRITEONLY may be "
            "specified for an operand"
        )
    if "copy" in flags and "readonly" not in flags and "updateifcopy" not in flags:
        raise ValueError(
            "nditer: If an iterator operand is writeable, must use the flag UPDATEIFCOPY instead "
            "of COPY"
        )
    if "writemasked" in flags:
        if "readonly" in flags:
            raise ValueError(
                "nditer: The iterator flag WRITEMASKED may only be used with READWRITE or WRITEONLY"
            )
        if "arraymask" in flags:
            raise ValueError(
                "nditer: The iterator flag WRITEMASKED may not be used together with ARRAYMASK"
            )
    return flags


def _check_masks(found: Sequence[Flags]) -> None:
    masks = sum("arraymask" in flags for flags in found)
    masked = any("writemasked" in flags for flags in found)
    if masks > 1:
        raise ValueError("nditer: Only one iterator operand may receive an ARRAYMASK flag")
    if masked and not masks:
        raise ValueError(
            "nditer: An iterator operand was flagged as WRITEMASKED, but no ARRAYMASK operand was "
            "given to supply the mask"
        )
    if masks and not masked:
        raise ValueError(
            "nditer: An iterator operand was flagged as the ARRAYMASK, but no WRITEMASKED "
            "operands were given to use the mask"
        )


def operand_dtypes(op_dtypes: Any, count: int) -> list[torch.dtype | None]:
    """The dtype requested for each operand, or ``None``."""
    if op_dtypes is None:
        return [None] * count
    if isinstance(op_dtypes, (list, tuple)) and len(op_dtypes) == count:
        given: Sequence[Any] = op_dtypes
    else:
        given = [op_dtypes] * count
    return [None if d is None else torch_dtype("nditer", d, "op_dtypes") for d in given]


Axes = list[list[int] | None] | None


def operand_axes(op_axes: Any, count: int) -> Axes:
    """``op_axes``: for each operand, its axis for each axis of the iterator; -1 is a new axis."""
    if op_axes is None:
        return None
    if not isinstance(op_axes, (list, tuple)) or len(op_axes) != count:
        raise ValueError("nditer: op_axes must be a tuple/list matching the number of ops")
    found: list[list[int] | None] = []
    for axes in op_axes:
        if axes is not None and not isinstance(axes, (list, tuple)):
            raise ValueError("nditer: Each entry of op_axes must be None or a tuple/list")
        found.append(
            axes
            if axes is None
            else [-1 if a is None else max(operator.index(a), -1) for a in axes]
        )
    sizes = {len(axes) for axes in found if axes is not None}
    if not sizes:
        raise ValueError(
            "nditer: If op_axes is provided, at least one list of axes must be contained within it"
        )
    if len(sizes) > 1:
        raise ValueError("nditer: Each entry of op_axes must have the same size")
    if max(sizes) > MAX_DIMS:
        raise ValueError("nditer: Too many dimensions in op_axes")
    return found
