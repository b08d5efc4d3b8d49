"""Ask NumPy which dtypes a ufunc computes in, without the questions that crash the process.

``numpy.ufunc.resolve_dtypes`` of NumPy 2.1 to 2.4 reads a null pointer where it should refuse
the cast of a Python number. It does so for ``casting='equiv'``, and for a Python type in the
slot of a result or of a reduction. Every question with a casting rule or with dtypes that a
user chose goes through here. The questions that build the tables have neither.
"""

from __future__ import annotations

from typing import Any

import numpy

NUMBER_DTYPES = {
    int: numpy.dtype("int64"),
    float: numpy.dtype("float64"),
    complex: numpy.dtype("complex128"),
}
"""The dtype that each type of Python number has by itself."""


def resolved_dtypes(
    function: Any,
    dtypes: Any,
    *,
    signature: Any = None,
    casting: Any = "same_kind",
    reduction: bool = False,
) -> tuple[numpy.dtype[Any], ...]:
    """What ``numpy.ufunc.resolve_dtypes`` answers; ``TypeError`` where it would crash."""
    options = {} if signature is None else {"signature": signature}
    numbers: list[int] = []
    if isinstance(dtypes, tuple):
        # NumPy compares with ``is``, as this does: some dtypes equal a type.
        numbers = [i for i, d in enumerate(dtypes) if any(d is t for t in NUMBER_DTYPES)]
    if numbers and (reduction or numbers[-1] >= function.nin):
        raise TypeError(
            f"{function.__name__}: int, float and complex may stand for inputs of a call only"
        )
    if not numbers or casting != "equiv":
        answer: tuple[numpy.dtype[Any], ...] = function.resolve_dtypes(
            dtypes, casting=casting, reduction=reduction, **options
        )
        return answer
    answer = function.resolve_dtypes(dtypes, casting="unsafe", **options)
    for i, (given, found) in enumerate(zip(dtypes, answer, strict=True)):
        source, target = (given, found) if i < function.nin else (found, given)
        if i in numbers:
            allowed = NUMBER_DTYPES[given] == found
        else:
            allowed = given is None or numpy.can_cast(source, target, casting)
        if not allowed:
            shown = f"Python {given.__name__}" if i in numbers else source
            raise TypeError(
                f"{function.__name__}: cannot cast {shown} to {target} under the casting rule "
                f"{casting!r}"
            )
    return answer
