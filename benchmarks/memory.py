"""``python -m benchmarks.memory``: the memory that calls on large arrays need beside NumPy's.

Every statement of ``benchmarks.surface``, and some that write in place, runs with NumPy and with
numpy_shim in a process of its own. What counts is the most that the process holds during the call
beyond what it held before, the result included.
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import gc
import json
import os
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy
import torch
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import numpy_shim
from benchmarks.surface import STATEMENTS, operands

BOUND, SMALL = 1.5, 20.0
"""What a call may need: so many times NumPy's memory, or so many MB more."""

OTHERS = (
    "w.sort()", "k.sort()", "w.partition(10)", "w.__iadd__(i)",
    "w.__setitem__(slice(None), f[::-1])", "w.__setitem__(b, 0.0)", "w.fill(1.0)",
    "np.maximum.at(w, few, 0.0)", "np.random.shuffle(w)", "np.sum(f, where=b)", "np.mean(i)",
    "np.mean(u)", "np.mean(b)", "np.std(i)", "np.max(f, initial=0.0)",
    "np.einsum('ij,ij->', I, I)", "np.sum(u)", "np.add(f, g, out=w)", "np.multiply(i, 2, out=k)",
    "np.sin(f, out=w)", "np.cumsum(f, out=w)", "np.take(f, p, out=w)", "np.unique(u)",
    "np.sort(u4)", "np.argsort(i)", "np.nanquantile(F, 0.5, axis=1)", "np.array(f)",
    "np.asarray(f)", "f.reshape(-1, 2)", "np.full_like(f, 2.0)",
)  # fmt: skip


class Row(NamedTuple):
    """The MB of one statement, beyond what was there."""

    statement: str
    numpy: float
    ours: float

    def is_over(self) -> bool:
        """Whether it needs more than the bounds say."""
        return self.ours > BOUND * self.numpy and self.ours > self.numpy + SMALL


def held(field: str) -> float:
    """A line of the process's status, in MB: ``VmRSS``, or ``VmHWM`` since the last reset."""
    with open("/proc/self/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith(field))
    return int(line.split()[1]) / 1024


def peak(statement: str, small: dict[str, Any], large: dict[str, Any]) -> float:
    """The MB that a statement needs; the process is a fork, so that it changes no other's."""
    code = compile(statement, statement, "eval")
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            eval(code, small)  # what the first call imports
            gc.collect()
            ctypes.CDLL(ctypes.util.find_library("c")).malloc_trim(0)
            before = held("VmRSS")
            with open("/proc/self/clear_refs", "w", encoding="ascii") as refs:
                refs.write("5")  # VmHWM starts anew
            result = eval(code, large)
            os.write(writing, repr(max(0.0, held("VmHWM") - before)).encode())
            del result
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as found:
        text = found.read()
    os.waitpid(process, 0)
    if not text:
        raise RuntimeError(f"{statement} failed")
    return float(text)


def measured(size: int, statements: Sequence[str]) -> list[Row]:
    """A row per statement; both namespaces have the same arrays, on the same memory."""
    arrays = operands(numpy, size)
    few = operands(numpy, 1000)
    names = []
    for namespace in (numpy, numpy_shim):
        for made in (few, arrays):
            values = {k: namespace.asarray(v) for k, v in made.items() if k != "np"}
            names.append({"np": namespace, **values})
    return [Row(s, peak(s, *names[:2]), peak(s, *names[2:])) for s in statements]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the MB of each statement, the worst first; 1 if one is above the bounds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("--size", type=float, default=1e7, help="elements (default: 1e7)")
    parser.add_argument("--only", nargs="*", help="statements that contain one of these")
    parser.add_argument("--json", metavar="FILE", help="write the figures to a file")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)  # a fork of a process with threads has none of them
    warnings.simplefilter("ignore")
    statements = [s for kind in STATEMENTS.values() for s in kind] + list(OTHERS)
    if options.only:
        statements = [s for s in statements if any(part in s for part in options.only)]
    rows = measured(int(options.size), statements)
    table = Table("statement", "NumPy, MB", "ours, MB", "", title=f"{int(options.size):,} elements")
    for row in sorted(rows, key=lambda row: row.numpy - row.ours):
        table.add_row(
            escape(row.statement), f"{row.numpy:.0f}", f"{row.ours:.0f}",
            "OVER" if row.is_over() else "",
        )  # fmt: skip
    console = Console()
    console.print(table)
    over = sum(row.is_over() for row in rows)
    console.print(
        f"{over} of {len(rows)} need more than {BOUND} times NumPy's memory and {SMALL:.0f} MB more"
    )
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({
                "torch": torch.__version__, "numpy": numpy.__version__, "size": int(options.size),
                "rows": [row._asdict() for row in rows],
            }, file, indent=1)  # fmt: skip
    return int(over > 0)


if __name__ == "__main__":
    raise SystemExit(main())
