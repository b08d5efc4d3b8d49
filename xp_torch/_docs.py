"""Docstrings of the functions made by factories.

This module describes parameters and errors, which depend on a function's category. A declaration
gives its summary, result, special cases and an example.
"""

from __future__ import annotations

from inspect import cleandoc
from textwrap import indent

from ._core.dtypes import Category

_BINARY = """\
{summary}

Parameters
----------
x1, x2 : Array or Python scalar
    {Label} dtype, broadcastable against each other and promoted to a common dtype;
    at most one of them is a Python scalar, which takes the array's dtype.

Returns
-------
Array
    {returns}

Raises
------
TypeError
    For any other dtype, dtypes that do not promote to a common one, a scalar of a kind
    that the array's dtype does not hold, or an operand that is neither.
OverflowError
    For a Python int out of the range of the array's dtype.
ValueError
    For shapes that do not broadcast, or arrays on two devices.

Notes
-----
{notes}

Examples
--------
{example}
"""

_UNARY = """\
{summary}

Parameters
----------
x : Array
    {Label} dtype, any shape.

Returns
-------
Array
    {returns}

Raises
------
TypeError
    For any other dtype, or anything but an ``xp_torch`` array.

Notes
-----
{notes}

Examples
--------
{example}
"""


def binary_doc(
    name: str, category: Category, summary: str, returns: str, notes: str, example: str
) -> str:
    """The docstring of an element-wise function of two operands."""
    return _fill(_BINARY, name, category, summary, returns, notes, example)


def unary_doc(
    name: str, category: Category, summary: str, returns: str, notes: str, example: str
) -> str:
    """The docstring of an element-wise function of one operand."""
    return _fill(_UNARY, name, category, summary, returns, notes, example)


def _fill(
    template: str,
    name: str,
    category: Category,
    summary: str,
    returns: str,
    notes: str,
    example: str,
) -> str:
    label = category.label.capitalize()
    source = f"Source: the array API standard, ``{name}``."
    return template.format(
        summary=cleandoc(summary),
        Label=label,
        returns=indent(cleandoc(returns), "    ").strip(),
        notes=f"{cleandoc(notes)}\n\n{source}" if notes else source,
        example=">>> import xp_torch as xp\n" + cleandoc(example),
    )
