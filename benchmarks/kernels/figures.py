"""Figures of several processes or runs as one: by kernel and contestant, the least time."""

from __future__ import annotations

from typing import Any

Cells = dict[str, dict[str, dict[str, Any]]]
"""By kernel and contestant: ``seconds`` and ``first``, or why there are none."""


def add(kept: Cells, run: Cells) -> None:
    """Add the figures of one more run: the least time, and the first call of the first run.

    Later runs have compiled code on disk. Where a process puts large arrays is chance, and can
    cost one contestant a third of its time. A wrong value counts whenever it is found.
    """
    for kernel, row in run.items():
        mine = kept.setdefault(kernel, {})
        for column, cell in row.items():
            old = mine.setdefault(column, dict(cell))
            if "seconds" in old and "seconds" in cell:
                old["seconds"] = min(old["seconds"], cell["seconds"])
            elif "seconds" in old:
                mine[column] = cell
