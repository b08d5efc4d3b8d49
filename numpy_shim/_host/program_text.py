"""What the source text of a program says of a line: its loop, and the function it calls."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from functools import cache
from types import CodeType, FrameType

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
    node = _expression(frame.f_code, frame.f_lasti)
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def has_varying_index(frame: FrameType) -> bool:
    """Whether a frame is reading ``x[i]`` by an index that its source computes."""
    return _is_varying(frame.f_code, frame.f_lasti)


@cache
def _is_varying(code: CodeType, offset: int) -> bool:
    node = _expression(code, offset)
    return isinstance(node, ast.Subscript) and any(
        isinstance(inner, (ast.Name, ast.Call)) for inner in ast.walk(node.slice)
    )


def _expression(code: CodeType, offset: int) -> ast.expr | None:
    """The expression that an instruction computes; ``None`` where the source does not say it."""
    line, end_line, column, end_column = list(code.co_positions())[offset // 2]
    if line is None or end_line is None or column is None or end_column is None:
        return None
    lines = [linecache.getline(code.co_filename, n) for n in range(line, end_line + 1)]
    data = [text.encode() for text in lines]
    data[-1] = data[-1][:end_column]
    data[0] = data[0][column:]
    try:
        return ast.parse(b"".join(data).decode(), mode="eval").body
    except (SyntaxError, UnicodeDecodeError):
        return None
