"""Calls that run at once: a look at each would cost more than short functions take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from typing import Any

import numpy

from .._array.ndarray import ndarray
from .signatures import ALIKE, LAYOUT, MANY

MOST = 255
"""Calls after one that was looked at."""
_FEW = 15  # where the arguments do not tell how long a call takes
_INTEGERS = frozenset({int, *(numpy.dtype(code).type for code in "bhilqBHILQ")})
_SIZED = frozenset({str, bytes, range})
_TELLING = ALIKE - _SIZED - {slice}
_SHORT = 4  # items of a list that are looked at one by one, as a shape's


class Unseen:
    """How many calls need not be looked at, and what tells such a call.

    They have arguments of the types of the last call that was looked at, arrays and long lists at
    most twice as large, and integers at most twice as far from zero: a call that takes much longer
    is seen. Where compiled code runs, arrays have the dtype and the layout of those for which it
    was compiled.
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
        limits: list[int] = []
        kinds = []
        for x in (*arguments, *keywords.values()):
            kind = _told_by(x, limits)
            if kind is None:
                if not any_type:
                    return
                calls, kind = min(calls, _FEW), type(x)
            kinds.append(kind)
        self.is_alike = _test(tuple(kinds), tuple(keywords))
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


def _told_by(x: Any, limits: list[int]) -> Any:
    """The kind of an argument that tells how long a call takes, else ``None``; it adds its limits.

    The kind is a type, that with the kinds of the items of a short list, or with the type of the
    first item, and of the last, of a long one.
    """
    kind = type(x)
    if kind in _INTEGERS:
        limits.append(2 * abs(int(x)))
    elif _is_array(kind):
        limits.append(2 * (x._tensor.numel() if kind is ndarray else x.size))
    elif kind in _SIZED:
        limits.append(2 * len(x))
    elif kind is list or kind is tuple:
        if len(x) > _SHORT:
            items = [v for item in x[:MANY] for v in (item if type(item) is tuple else (item,))]
            limits.append(2 * len(x))
            is_told = type(x[0]) is type(x[-1]) and all(type(v) in _TELLING for v in items)
            return (kind, type(x[0])) if is_told else None
        added: list[int] = []
        kinds = tuple([_told_by(v, added) for v in x])
        if None in kinds:
            return None
        limits += added
        return kind, kinds
    elif kind not in _TELLING:
        return None
    return kind


def _layout(t: Any) -> tuple[Any, ...]:
    return type(t), t.is_cpu, t.requires_grad, t.dtype, t.dim(), t.is_contiguous()


def _is_array(kind: type) -> bool:
    return kind is numpy.ndarray or kind is ndarray


@lru_cache(256)
def _test(
    kinds: tuple[Any, ...], words: tuple[str, ...], is_compiled: bool = False
) -> Callable[[Any, Any, Any], bool]:
    """Whether arguments are of these kinds, the last of them with these names, and keep limits.

    Written out, it takes half of the time of a loop: as much as a function of few operations.
    """
    names = [f"x{i}" for i in range(len(kinds))]
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
    made: dict[str, Any] = {"layout": _layout}
    limits = map("limits[{}]".format, count())
    terms = _compiled_terms if is_compiled else _terms
    found = [term for pair in zip(names, kinds, strict=True) for term in terms(*pair, made, limits)]
    lines.append(f"    return {' and '.join(found) or True}")
    exec("\n".join(lines), made)
    return made["test"]  # type: ignore[no-any-return]


def _terms(x: str, kind: Any, made: dict[str, Any], limits: Iterator[str]) -> Iterator[str]:
    """The conditions on an argument with a name; ``made`` gets the types that they read."""
    if isinstance(kind, tuple):
        kind, items = kind
        yield _is_of_type(x, kind, made)
        if isinstance(items, tuple):
            yield f"len({x}) == {len(items)}"
            for i, item in enumerate(items):
                yield from _terms(f"{x}[{i}]", item, made, limits)
        else:
            yield f"0 < len({x}) <= {next(limits)}"
            yield _is_of_type(f"{x}[0]", items, made)
            yield _is_of_type(f"{x}[-1]", items, made)
        return
    yield _is_of_type(x, kind, made)
    if kind in _INTEGERS:
        limit = next(limits)
        yield f"-{limit} <= {x} <= {limit}"
    elif kind in _SIZED:
        yield f"len({x}) <= {next(limits)}"
    elif kind is ndarray:  # a gradient is to be recorded by compiled code, if there is any
        yield f"{x}._tensor.numel() <= {next(limits)}"
        yield f"not {x}._tensor.requires_grad"
    elif kind is numpy.ndarray:
        yield f"{x}.size <= {next(limits)}"


def _compiled_terms(
    x: str, kind: Any, made: dict[str, Any], limits: Iterator[str]
) -> Iterator[str]:
    """The conditions under which compiled code fits an argument."""
    yield _is_of_type(x, kind, made)
    if kind is ndarray:
        yield f"layout({x}._tensor) == {next(limits)}"
    elif kind is numpy.ndarray:
        yield f"({x}.dtype, {x}.ndim, {x}.flags.num & {LAYOUT}) == {next(limits)}"


def _is_of_type(x: str, kind: type, made: dict[str, Any]) -> str:
    name = f"T{len(made)}"
    made[name] = kind
    return f"type({x}) is {name}"
