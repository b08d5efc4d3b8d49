"""Rules for inductor: a loop does not write what it has yet to read.

Inductor joins two loops, of which one reads an array and the other writes it, if the elements read
are those written. It looks for the reads by the array's first name. Each write gives the array
another name, so after the first write it finds none to compare, and joins what must stay apart.
With tensors alone: ``d = b.diagonal(); d.copy_(x); d.copy_(d[1] + y)``. The first rule compares the
reads by every name. It also lets loops be joined that never meet: one reads a column, the other
writes the next.

Before a write, inductor computes all that reads the array and is not computed yet, but not a view
of such a thing that is what it writes. With tensors alone:
``c = a.reshape(-1); c.copy_(c[2] - c)``. The second rule computes that too.

Imported when inductor is imported; ``torch_internals`` says when. Private names of torch stand
here, in ``torch_internals``, ``dynamo`` and its rules only.

==================================  ===============================================================
name                                what would make it unnecessary
==================================  ===============================================================
``fusable_weak_dep``                an inductor that compares what is read after the first write;
                                    no public issue known
``mutate_to``                       an inductor that computes a view before it writes it; no public
                                    issue known
==================================  ===============================================================
"""

from __future__ import annotations

from typing import Any, NamedTuple


def teach_order(module: Any) -> None:
    """Compare what is read, by every name of the array; ``module`` has inductor's ``Scheduler``."""
    scheduler = module.Scheduler
    plain = scheduler.fusable_weak_dep

    def fusable_weak_dep(self: Any, weak_dep: Any, node1: Any, node2: Any) -> bool:
        if not plain(self, weak_dep, node1, node2):
            return False
        names = self.mutation_real_name
        array = names[weak_dep.mutating_buf]
        return all(
            isinstance(read, module.MemoryDep)
            and ((read.index, read.size) == (write.index, write.size) or never_meet(read, write))
            for read in node1.read_writes.reads
            if names.get(read.name) == array
            for write in node2.read_writes.writes
            if write.name == weak_dep.mutating_buf
        )

    scheduler.fusable_weak_dep = fusable_weak_dep


def teach_views(module: Any) -> None:
    """Compute what is written before the write, if it reads the array; ``module`` has lowerings."""
    plain, view_kind, tensor_kind = module.mutate_to, module.ir.BaseView, module.TensorBox

    def mutate_to(changed: Any, val: Any, *args: Any, **kwargs: Any) -> Any:
        array, values = (x.data if isinstance(x, tensor_kind) else x for x in (changed, val))
        if isinstance(values, view_kind) and (
            isinstance(array, view_kind) or array.is_input_buffer()
        ):
            name = array.realize()  # as the write does
            if name is not None and name in values.get_read_names():
                values.realize()
        return plain(changed, val, *args, **kwargs)

    module.mutate_to = mutate_to


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
            ends, each = (
                (rows, distance // length) if distance % length == 0 else (columns, distance)
            )
            ends[each > 0] += each * count
        if columns[0] < 0 or columns[1] >= length:
            return None
        return range(rows[0], rows[1] + 1), range(columns[0], columns[1] + 1)


def never_meet(one: Any, other: Any) -> bool:
    """Whether two loops over the same memory surely touch no common element.

    Each has an ``index``, a sum of multiples of its variables, ``var_names`` and their ``size``.
    The memory is taken for a matrix, with rows as long as one of the steps: the loops never meet
    if they have no row, or no column, in common.
    """
    places = [_places(one), _places(other)]
    if places[0] is None or places[1] is None:
        return False
    steps = {abs(distance) for place in places if place for distance, _ in place.steps}
    for length in sorted(steps | {1}):
        lines = [place.in_rows(length) for place in places if place]
        if lines[0] is None or lines[1] is None:
            continue
        if any(_apart(a, b) for a, b in zip(lines[0], lines[1], strict=True)):
            return True
    return False


def _apart(a: range, b: range) -> bool:
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
