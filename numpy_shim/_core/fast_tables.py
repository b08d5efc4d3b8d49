"""The tables of the fast paths, all of which are empty while ``errstate`` looks for errors.

A fast path looks up the function of its operands' dtypes in a table, and goes the general way
where the table has none. So an empty table turns a fast path off, and the fast path itself
asks nothing. A table that is not emptied would be a call in which no error is found: therefore
``fast_table`` is the only way to make one, and to a type checker ``FastTable`` is a type that
no other dictionary has.
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
    FastTable = dict  # a plain one, whose look-ups are the quickest, and which Dynamo follows

_tables: list[tuple[dict[Any, Any], dict[Any, Any]]] = []
"""Each table, and a copy of its entries."""

_empty = False


def fast_table(entries: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> FastTable[K, V]:
    """A table for a fast path, with all its entries; empty as long as errors are looked for.

    The entries are final: what is added later is lost when the table has been emptied.
    """
    made: dict[Any, Any] = dict(entries)
    kept = dict(made)
    _tables.append((made, kept))
    if _empty:  # after the table was added: whoever empties or fills them meanwhile finds it
        made.clear()
        if not _empty:
            made.update(kept)
    return made  # type: ignore[return-value]


# The two functions that follow are called one at a time, by ``errstate``. They take no lock: a
# finalizer may call them in the midst of ``fast_table``.


def empty_all() -> None:
    """Turn the fast paths off."""
    global _empty
    _empty = True
    for table, _ in _tables:
        table.clear()


def fill_all() -> None:
    """Turn the fast paths on again."""
    global _empty
    _empty = False
    for table, entries in _tables:
        table.update(entries)


def is_fast(table: object) -> bool:
    """Whether an object is one of the tables."""
    return any(table is made for made, _ in _tables)
