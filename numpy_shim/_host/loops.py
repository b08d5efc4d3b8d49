"""Whether a line of a program stands in a loop, by its source text."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from functools import cache

_LOOPS = (
    ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip


def is_in_loop(lines: Sequence[tuple[str, int]]) -> bool:
    """Whether one of these lines, by file and number, stands in a loop."""
    return any(number in _looped(file) for file, number in lines)


@cache
def _looped(file: str) -> frozenset[int]:
    """The lines of a file's loops; none for a file that cannot be read."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return frozenset()
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, _LOOPS):
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return frozenset(found)
