"""Build the docstring of one function from that of another function like it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import cleandoc
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])

_EXAMPLES = "Examples\n--------\n"


def documented_like(
    source: Callable[..., Any], summary: str, example: str, words: Mapping[str, str] | None = None
) -> Callable[[_Function], _Function]:
    """A decorator: the docstring of ``source`` with another summary and example.

    ``words`` and the name are replaced in the text between the two.
    """
    common = cleandoc(source.__doc__ or "").partition("\n\n")[2].partition(_EXAMPLES)[0]
    for old, new in {source.__name__: "{name}", **(words or {})}.items():
        common = common.replace(old, new)

    def decorate(function: _Function) -> _Function:
        body = common.replace("{name}", function.__name__)
        function.__doc__ = f"{summary}\n\n{body}{_EXAMPLES}{cleandoc(example)}\n"
        return function

    return decorate
