"""Calls that run at once: a look at each would cost more than short functions take."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy

from .._array.ndarray import ndarray
from .signatures import ALIKE, LAYOUT

MOST = 255
"""Calls after one that was looked at."""
_FEW = 7  # where the arguments do not tell how long a call takes
_INTEGERS = frozenset({int, *(numpy.dtype(code).type for code in "bhilqBHILQ")})
_TELLING = ALIKE - {str, bytes, slice, range}


class Unseen:
    """How many calls need not be looked at, and what tells such a call.

    They have arguments of the types of the last call that was looked at, arrays at most twice as
    large, and integers at most twice as far from zero: a call that takes much longer is seen. Where
    compiled code runs, arrays have the dtype and the layout of those for which it was compiled.
    """

    __slots__ = ("chooser", "given", "is_alike", "left", "limits", "plain")

    def __init__(self) -> None:
        self.left = self.given = 0
        self.is_alike: Callable[[Any, Any, Any], bool] = _never
        """Whether a call with these arguments, by place and by name, keeps ``limits``."""
        self.limits: tuple[Any, ...] = ()
        self.chooser: Any = None
        """Whose calls pass: a function has a chooser for NumPy's arrays, and one for ours."""
        self.plain: Callable[..., Any] = _never
        """What such a call runs."""

    def begin(
        self,
        calls: int,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        any_type: bool = False,
    ) -> None:
        """Let the next calls like this one pass; with ``any_type`` a few of whatever type."""
        values = (*arguments, *keywords.values())
        kinds = tuple([type(x) for x in values])
        if not all(kind in _TELLING or _is_array(kind) for kind in kinds):
            if not any_type:
                return
            calls = min(calls, _FEW)
        self.is_alike = _test(kinds, tuple(keywords))
        limits: list[Any] = []
        for x, kind in zip(values, kinds, strict=True):
            if kind in _INTEGERS:
                limits.append(2 * abs(int(x)))
            elif _is_array(kind):
                limits.append(2 * (x._tensor.numel() if kind is ndarray else x.size))
        self.limits = tuple(limits)
        self.left = self.given = calls

    def begin_compiled(
        self, calls: int, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> None:
        """Let the next calls pass that compiled code of this one is for."""
        values = (*arguments, *keywords.values())
        kinds = tuple([type(x) for x in values])
        if not all(kind in _TELLING or _is_array(kind) for kind in kinds):
            return
        self.is_alike = _test(kinds, tuple(keywords), True)
        self.limits = tuple([
            _layout(x._tensor) if kind is ndarray else (x.dtype, x.ndim, x.flags.num & LAYOUT)
            for x, kind in zip(values, kinds, strict=True)
            if _is_array(kind)
        ])  # fmt: skip
        self.left = self.given = calls

    def end(self) -> int:
        """How many calls have passed since the last that was looked at."""
        passed = self.given - self.left
        self.left = self.given = 0
        return passed


def _never(arguments: object, keywords: object, limits: object) -> bool:
    return False


def _layout(t: Any) -> tuple[Any, ...]:
    return type(t), t.is_cpu, t.requires_grad, t.dtype, t.dim(), t.is_contiguous()


def _is_array(kind: type) -> bool:
    return kind is numpy.ndarray or kind is ndarray


@lru_cache(256)
def _test(
    kinds: tuple[type, ...], words: tuple[str, ...], is_compiled: bool = False
) -> Callable[[Any, Any, Any], bool]:
    """Whether arguments have these types, the last of them these names, and keep limits.

    Written out, it takes half of the time of a loop: as much as a function of few operations.
    """
    names = [f"x{i}" for i in range(len(kinds))]
    terms = [f"type({name}) is T{name}" for name in names]
    limits = 0
    for name, kind in zip(names, kinds, strict=True):
        limit = f"limits[{limits}]"
        if is_compiled:
            if not _is_array(kind):
                continue
            kept = f"({name}.dtype, {name}.ndim, {name}.flags.num & {LAYOUT})"
            terms.append(f"{f'layout({name}._tensor)' if kind is ndarray else kept} == {limit}")
        elif kind in _INTEGERS:
            terms.append(f"-{limit} <= {name} <= {limit}")
        elif _is_array(kind):
            if kind is ndarray:  # a gradient is to be recorded by compiled code, if there is any
                terms.append(f"{name}._tensor.numel() <= {limit}")
                terms.append(f"not {name}._tensor.requires_grad")
            else:
                terms.append(f"{name}.size <= {limit}")
        else:
            continue
        limits += 1
    by_place = len(kinds) - len(words)
    lines = [
        "def test(arguments, keywords, limits):",
        f"    if len(arguments) != {by_place} or len(keywords) != {len(words)}:",
        "        return False",
        f"    {', '.join(names[:by_place])}, = arguments" if by_place else "",
    ]
    if words:
        lines.append("    try:")
        pairs = zip(names[by_place:], words, strict=True)
        lines += [f"        {name} = keywords[{word!r}]" for name, word in pairs]
        lines += ["    except KeyError:", "        return False"]
    lines.append(f"    return {' and '.join(terms) or True}")
    made: dict[str, Any] = {f"T{name}": kind for name, kind in zip(names, kinds, strict=True)}
    made["layout"] = _layout
    exec("\n".join(lines), made)
    return made["test"]  # type: ignore[no-any-return]
