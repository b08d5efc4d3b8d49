"""Lets warnings of a library name the program's line where a wrapper of ours stands between."""

from __future__ import annotations

from functools import cache
from types import CodeType
from typing import Any

_PASSED_OVER = "<importlib._bootstrap, as warnings are to see {}>"


def pass_over(function: Any) -> Any:
    """Change a function so that ``stacklevel`` of `warnings.warn` does not count its frames.

    ``warnings.warn`` passes over the frames of Python's import system, which it knows by the words
    ``importlib`` and ``_bootstrap`` in the name of their file. A wrapper with such a name is passed
    over, too, so that ``stacklevel=2`` in the wrapped function is the wrapper's caller.
    """
    function.__code__ = _unseen(function.__code__)
    return function


@cache
def _unseen(code: CodeType) -> CodeType:
    return code.replace(co_filename=_PASSED_OVER.format(code.co_qualname))
