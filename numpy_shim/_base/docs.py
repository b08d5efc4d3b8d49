"""The docstrings of reductions, built from the parts that they share."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Any)

_OPTIONS = """
    Parameters
    ----------
    a : array_like
        The elements, of any shape{dtypes}.
    axis : int, tuple of ints or None
        The axes to reduce; ``None`` is all of them, ``()`` none.{dtype}
    out : ndarray, optional
        Where the result is written, in its dtype, whatever is lost; it is returned.
    keepdims : bool
        Leave the reduced axes in the result, with size one.{initial}
    where : array_like of bool
        The elements that take part; it broadcasts to ``a``.

    Returns
    -------
    ndarray or scalar
        {returns}
"""
_DTYPE = """
    dtype : dtype, optional
        What to compute in; by default that of ``a`` (and of ``out``), small integers and
        booleans as int64 or uint64."""
_INITIAL = """
    initial : number
        What the reduction starts with."""


def documented(
    summary: str, example: str, returns: str, dtype: bool = False, initial: bool = False,
    dtypes: str = "",
) -> str:  # fmt: skip
    """The docstring of a reduction."""
    options = _OPTIONS.format(
        dtypes=dtypes, dtype=_DTYPE if dtype else "", initial=_INITIAL if initial else "",
        returns=returns,
    )  # fmt: skip
    lines = "\n".join("    " + line for line in example.splitlines())
    return f"{summary}\n{options}\n    Examples\n    --------\n{lines}\n    "


def of_method(doc: str, first: str) -> str:
    """The docstring of a function for the method of its name: without the first parameter."""
    text = cleandoc(doc)
    text = re.sub(rf"^{first} : .*\n(?: .*\n)+", "", text, count=1, flags=re.MULTILINE)
    text = re.sub(r"^Parameters\n-+\n\n", "", text, count=1, flags=re.MULTILINE)
    return text.replace(f"``{first}``", "the array")


def named(function: _Function, name: str, doc: str) -> _Function:
    """A function made by a factory, with the name and docstring of the public one."""
    function.__name__ = function.__qualname__ = name
    function.__module__ = "numpy_shim"
    function.__doc__ = doc
    return function


def with_source(doc: str, source: str) -> str:
    """The docstring with a line, before its examples, that names the source of the rule."""
    at = doc.find("Examples\n")
    if at < 0 or "Source: " in doc:
        return doc
    indent = doc[doc.rfind("\n", 0, at) + 1 : at]
    header = "" if f"{indent}Notes\n" in doc[:at] else f"Notes\n{indent}-----\n{indent}"
    return f"{doc[:at]}{header}Source: {source}.\n\n{indent}{doc[at:]}"
