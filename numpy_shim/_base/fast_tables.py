"""The tables of the fast paths, all of which are empty while ``errstate`` looks for errors.

A fast path looks up the function for its operands' dtypes in a table, and takes the general path
where the table has no entry. So an empty table turns a fast path off, at no cost to the fast
path. If a table were not emptied, its calls would report no errors. Therefore ``fast_table`` is
the only way to make one, and to a type checker ``FastTable`` is a type of its own, which other
dictionaries do not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")

if TYPE_CHECKING:

    class FastTable(dict[K, V]):
        """A table that ``fast_table`` has made."""

else:
    FastTable = dict  # a plain dict has the fastest lookup, and Dynamo can trace it

_tables: dict[int, tuple[dict[Any, Any], dict[Any, Any]]] = {}
"""Each table, and a copy of its entries, by the identity of the table."""

_empty = False


def fast_table(entries: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> FastTable[K, V]:
    """A table for a fast path, with all its entries; empty as long as errors are looked for.

    The entries are final: an entry that is added later is lost when the table is emptied. Those of
    a table that is made without entries come by ``fill``.
    """
    made: dict[Any, Any] = {}
    _tables[id(made)] = made, {}
    fill(made, entries)  # type: ignore[arg-type]
    return made  # type: ignore[return-value]


def fill(table: FastTable[K, V], entries: Mapping[K, V] | Iterable[tuple[K, V]]) -> None:
    """Give a table its entries, which are final."""
    made, kept = _tables[id(table)]
    kept.update(entries)
    made.update(kept)
    if _empty:  # checked last: a thread that empties or fills tables meanwhile finds this one
        made.clear()
        if not _empty:
            made.update(kept)


# The two functions that follow are called one at a time, by ``errstate``. They take no lock: a
# finalizer may call them in the midst of ``fast_table``.


def empty_all() -> None:
    """Turn the fast paths off."""
    global _empty
    _empty = True
    for table, _ in list(_tables.values()):
        table.clear()


def fill_all() -> None:
    """Turn the fast paths on again."""
    global _empty
    _empty = False
    for table, entries in list(_tables.values()):
        table.update(entries)


def is_fast(table: object) -> bool:
    """Whether an object is one of the tables."""
    return id(table) in _tables
