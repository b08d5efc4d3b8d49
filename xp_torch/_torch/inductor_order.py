"""A rule for inductor: a loop does not write what it has yet to read.

Inductor joins two loops, of which one reads an array and the other writes it, if the elements read
are those written. It looks for the reads by the array's first name. Each write gives the array
another name, so after the first write it finds none to compare, and joins what must stay apart.
With tensors alone: ``d = b.diagonal(); d.copy_(x); d.copy_(d[1] + y)``. The rule compares the
reads by every name. It also lets loops be joined that never meet: one reads a column, the other
writes the next.

It is for graphs of our arrays, and a ``patch`` (``patches`` says what that promises). Imported when
inductor is imported.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from torch._inductor.dependencies import MemoryDep

from . import inductor_rules
from .patches import Call, patch


@patch(
    "torch._inductor.scheduler:Scheduler.fusable_weak_dep",
    takes="self weak_dep node1 node2",
    concerns=lambda call: inductor_rules.is_at_work(),
    why="Two loops are joined only if what one reads is not what the other has written, by any "
    "name of the array.",
    without="A loop might read what another has written, so that graphs of ours are refused.",
    until="an inductor that compares what is read after the first write; no public issue",
)
def keep_order(call: Call) -> Any:
    if not call.proceed():
        return False
    names, weak_dep = call["self"].mutation_real_name, call["weak_dep"]
    array = names[weak_dep.mutating_buf]
    return all(
        isinstance(read, MemoryDep)
        and ((read.index, read.size) == (write.index, write.size) or never_meet(read, write))
        for read in call["node1"].read_writes.reads
        if names.get(read.name) == array
        for write in call["node2"].read_writes.writes
        if write.name == weak_dep.mutating_buf
    )


class _Places(NamedTuple):
    """The places in memory that a loop touches: ``first``, and steps from there."""

    first: int
    steps: list[tuple[int, int]]
    """The distance of a step, and how many there are."""

    def in_rows(self, length: int) -> tuple[range, range] | None:
        """The rows and the columns, in rows of this length; None if a loop runs over their end."""
        row, column = divmod(self.first, length)
        rows = [row, row]
        columns = [column, column]
        for distance, count in self.steps:
            quotient, rest = divmod(distance, length)
            if rest:
                columns[distance > 0] += distance * count
            else:
                rows[distance > 0] += quotient * count
        if columns[0] < 0 or columns[1] >= length:
            return None
        return range(rows[0], rows[1] + 1), range(columns[0], columns[1] + 1)


def never_meet(one: object, other: object) -> bool:
    """Whether two loops over the same memory surely touch no common element.

    Each has an ``index``, a sum of multiples of its variables, ``var_names`` and their ``size``.
    The memory is taken for a matrix, with rows as long as one of the steps: the loops never meet
    if they have no row, or no column, in common.
    """
    a, b = _places(one), _places(other)
    if a is None or b is None:
        return False
    for length in {1, *(abs(distance) for distance, _ in a.steps + b.steps)}:
        of_a, of_b = a.in_rows(length), b.in_rows(length)
        if of_a and of_b and any(map(_apart, of_a, of_b)):
            return True
    return False


def _apart(a: range, b: range) -> bool:
    """Whether two ranges that are not empty have nothing in common."""
    return a[-1] < b[0] or b[-1] < a[0]


def _places(loop: Any) -> _Places | None:
    """The places that a loop touches; None if they are not known as numbers."""
    index = loop.index
    first = index.subs(dict.fromkeys(loop.var_names, 0))
    pairs = list(zip(loop.var_names, loop.size, strict=True))
    steps = [(index.coeff(name), size) for name, size in pairs]
    plain = first + sum(index.coeff(name) * name for name, _ in pairs)
    numbers = [first, *(number for step in steps for number in step)]
    if not all(getattr(n, "is_Integer", isinstance(n, int)) for n in numbers) or plain != index:
        return None
    return _Places(int(first), [(int(d), int(n) - 1) for d, n in steps if d != 0 and n > 1])
