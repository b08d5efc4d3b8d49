"""Writes the table of ``special.md`` from the table that the tests read.

python docs/generate_special.py [--check]
"""

from __future__ import annotations

import inspect
import sys

from _marked import main, table

from numpy_shim import special
from tests.numpy_shim.special.table import COMPLEX, TABLE, WITH_AXES, Row


def gradient(row: Row) -> str:
    """Which operands have a derivative, and whether it has one again."""
    if not row.points:
        return "none"
    by = range(len(row.points)) if row.by is None else row.by
    order = "first and second" if row.second else "first"
    if len(by) == len(row.grids):
        return order
    names = list(inspect.signature(getattr(special, row.name)).parameters)
    return f"{order}, in {', '.join(f'`{names[i]}`' for i in by)}"


def functions() -> str:
    """One line a function."""
    rows = []
    for row in sorted(TABLE, key=lambda r: r.name):
        close = f"{row.rtol:g}" if row.rtol else "exact"
        close += f", or {row.atol:g}" if row.atol else ""
        kinds = "real, complex" if row.name in COMPLEX else "real"
        rows.append([f"`{row.name}`", kinds, close, gradient(row)])
    return table(["function", "numbers", "rtol, or atol, in float64", "gradient"], rows)


def count() -> str:
    others = ", ".join(f"`{name}`" for name in sorted(WITH_AXES))
    return (
        f"{len(special.__all__)} functions: {len(TABLE)} in the table, and {others}, which the "
        "tests compare in functions of their own."
    )


if __name__ == "__main__":
    parts = {"count": count(), "functions": functions()}
    sys.exit(main("special.md", parts, __doc__.splitlines()[0]))
