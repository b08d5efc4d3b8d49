"""What the source text of a program says of a line: its loop, and the function it calls."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from functools import cache
from types import FrameType

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


def called_function(frame: FrameType) -> str:
    """The function that a frame is calling, as its source names it; empty where that is unknown."""
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    line, end_line, column, end_column = positions
    if line is None or end_line is None or column is None or end_column is None:
        return ""
    lines = [linecache.getline(frame.f_code.co_filename, n) for n in range(line, end_line + 1)]
    data = [text.encode() for text in lines]
    data[-1] = data[-1][:end_column]
    data[0] = data[0][column:]
    try:
        node = ast.parse(b"".join(data).decode(), mode="eval").body
    except (SyntaxError, UnicodeDecodeError):
        return ""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""
