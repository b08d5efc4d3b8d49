"""Readable ids for parameter sets: a lambda by its source, a container or an array by its values.

pytest names them by position (``<lambda>28``, ``shape2``), which says nothing to a reader and
means another case as soon as one is put before it.
"""

from __future__ import annotations

import ast
import types
from functools import cache
from pathlib import Path
from typing import Any

import numpy

CONTAINERS = (list, tuple, dict, slice, range)
PLAIN = (str, bytes, bool, int, float, complex, type(None), type(...))
LONGEST = 100


def parameter_id(value: Any) -> str | None:
    """The id of a parameter; ``None`` where pytest's own is as good."""
    if isinstance(value, types.FunctionType) and value.__name__ == "<lambda>":
        text = _source(value)
    elif isinstance(value, CONTAINERS) and _is_plain(value):
        text = repr(value)
    elif isinstance(value, numpy.ndarray | numpy.generic) and not isinstance(value, PLAIN):
        text = " ".join(repr(value).split())
    else:
        return None
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _is_plain(value: Any) -> bool:
    """Whether the text of a value is the same in every process."""
    if isinstance(value, dict):
        return all(map(_is_plain, (*value.keys(), *value.values())))
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return isinstance(value, (*PLAIN, slice, range))


@cache
def _lambdas(path: str) -> dict[int, list[ast.Lambda]]:
    """The lambdas of a file by the line they start on."""
    found: dict[int, list[ast.Lambda]] = {}
    for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return found


def _source(function: types.FunctionType) -> str:
    """What a lambda computes, in one line."""
    code = function.__code__
    candidates = _lambdas(code.co_filename)[code.co_firstlineno]
    if len(candidates) > 1:
        used = [p for p in code.co_positions() if p[2] != p[3]]  # else it belongs to no expression
        held = [n for n in candidates if all(_holds(n.body, position) for position in used)]
        # Of lambdas within one another, the innermost that holds the code is the one.
        candidates = held[-1:] or candidates
    return ast.unparse(candidates[0].body)


def _holds(body: ast.expr, position: tuple[int | None, ...]) -> bool:
    """Whether an instruction comes from within an expression."""
    line, end_line, column, end_column = position
    if line is None or column is None:
        return True
    start = (body.lineno, body.col_offset)
    end = (body.end_lineno, body.end_col_offset)
    return start <= (line, column) and (end_line, end_column) <= end
