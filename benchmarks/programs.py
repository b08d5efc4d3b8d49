"""Whole programs that loop over elements, over NumPy's time: one bound for their geometric mean.

The kernels of :mod:`benchmarks.loops` show one statement each. Here is what such statements add up
to: tables, recurrences and sweeps that a program writes because no array function does them.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import time
import timeit
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy

MEAN_BOUND = 5.0
FOLDER = Path(__file__).parents[1] / "docs" / "examples"


class Program(NamedTuple):
    """A program: its function of a namespace, which makes its own operands."""

    name: str
    run: Callable[[Any], object]


def edit_distance(np: Any) -> object:
    """Dynamic programming: a row and a column of a table decide each entry."""
    first = np.frombuffer(b"intention and execution", dtype=np.uint8)
    second = np.frombuffer(b"execution of an intention", dtype=np.uint8)
    table = np.zeros((len(first) + 1, len(second) + 1), dtype=np.int64)
    table[:, 0] = np.arange(len(first) + 1)
    table[0] = np.arange(len(second) + 1)
    for i in range(1, len(first) + 1):
        for j in range(1, len(second) + 1):
            changed = table[i - 1, j - 1] + (first[i - 1] != second[j - 1])
            table[i, j] = min(changed, table[i - 1, j] + 1, table[i, j - 1] + 1)
    return int(table[-1, -1])


def crc(np: Any) -> object:
    """The CRC-16 of bytes, bit by bit, as NPBench has it."""
    data = np.arange(120, dtype=np.uint8)
    polynomial, value = np.uint16(0x8408), np.uint16(0xFFFF)
    for i in range(data.shape[0]):
        byte = data[i]
        for _ in range(8):
            mixed = (value & 1) ^ (byte & 1)
            value >>= 1
            if mixed:
                value ^= polynomial
            byte >>= 1
    return int(value)


def mandelbrot(np: Any) -> object:
    """The steps until each point escapes, a pixel at a time."""
    real, imaginary = np.linspace(-2, 0.5, 24), np.linspace(-1.2, 1.2, 16)
    steps = np.zeros((16, 24), dtype=np.int64)
    for i in range(steps.shape[0]):
        for j in range(steps.shape[1]):
            c, z = complex(real[j], imaginary[i]), 0j
            for step in range(12):
                z = z * z + c
                if abs(z) > 2:
                    break
                steps[i, j] = step
    return int(steps.sum())


def mandelbrot_of_scalars(np: Any) -> object:
    """The same with an array's complex scalars."""
    plane = np.linspace(-2, 0.5, 24) + 1j * np.linspace(-1.2, 1.2, 16)[:, None]
    steps = np.zeros(plane.shape, dtype=np.int64)
    for i in range(plane.shape[0]):
        for j in range(plane.shape[1]):
            c = z = plane[i, j]
            while steps[i, j] < 12 and abs(z) <= 2:
                z = z * z + c
                steps[i, j] += 1
    return int(steps.sum())


def gauss_seidel(np: Any) -> object:
    """Sweeps over a grid: each element is renewed from neighbours that are already renewed."""
    grid = np.outer(np.arange(20.0), np.arange(2.0, 22.0)) / 20
    for _ in range(2):
        for i in range(1, 19):
            for j in range(1, 19):
                grid[i, j] = (grid[i - 1, j] + grid[i + 1, j] + grid[i, j - 1] + grid[i, j + 1]) / 4
    return round(float(grid.sum()), 9)


def gauss_seidel_by_rows(np: Any) -> object:
    """The sweep of PolyBench's seidel-2d as NPBench has it: whole rows, then a recurrence."""
    grid = np.outer(np.arange(20.0), np.arange(2.0, 22.0)) / 20
    for i in range(1, 19):
        grid[i, 1:-1] += (
            grid[i - 1, :-2] + grid[i - 1, 1:-1] + grid[i - 1, 2:]
            + grid[i, 2:] + grid[i + 1, :-2] + grid[i + 1, 1:-1] + grid[i + 1, 2:]
        )  # fmt: skip
        for j in range(1, 19):
            grid[i, j] += grid[i, j - 1]
            grid[i, j] /= 9.0
    return round(float(grid.sum()), 9)


def _rows(np: Any) -> tuple[Any, Any, Any, Any]:
    """A sparse matrix of 60 rows, up to 7 entries in each, and a vector."""
    counts = np.arange(60) % 7 + 1
    starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
    columns = np.arange(int(starts[-1])) * 37 % 60
    return starts, columns, np.cos(columns + 1.0), np.linspace(0, 1, 60)


def sparse_product(np: Any) -> object:
    """A sparse matrix by rows (CSR) times a vector, an entry at a time."""
    starts, columns, values, x = _rows(np)
    y = np.zeros(60)
    for row in range(60):
        for k in range(starts[row], starts[row + 1]):
            y[row] += values[k] * x[columns[k]]
    return round(float(y.sum()), 9)


def sparse_product_by_rows(np: Any) -> object:
    """The same, a row at a time, as NPBench's spmv has it."""
    starts, columns, values, x = _rows(np)
    y = np.empty(60)
    for row in range(60):
        here = slice(starts[row], starts[row + 1])
        y[row] = values[here] @ x[columns[here]]
    return round(float(y.sum()), 9)


def n_body(np: Any) -> object:
    """Bodies that attract each other, their coordinates as scalars."""
    position = np.cos(np.arange(15.0)).reshape(5, 3)
    velocity = np.zeros((5, 3))
    mass = np.arange(1.0, 6.0)
    for _ in range(3):
        for i in range(5):
            for j in range(i + 1, 5):
                dx = position[i, 0] - position[j, 0]
                dy = position[i, 1] - position[j, 1]
                dz = position[i, 2] - position[j, 2]
                square = dx * dx + dy * dy + dz * dz + 0.01
                pull = 0.01 / (square * np.sqrt(square))
                velocity[i, 0] -= dx * mass[j] * pull
                velocity[i, 1] -= dy * mass[j] * pull
                velocity[i, 2] -= dz * mass[j] * pull
                velocity[j, 0] += dx * mass[i] * pull
                velocity[j, 1] += dy * mass[i] * pull
                velocity[j, 2] += dz * mass[i] * pull
        for i in range(5):
            position[i, 0] += 0.01 * velocity[i, 0]
            position[i, 1] += 0.01 * velocity[i, 1]
            position[i, 2] += 0.01 * velocity[i, 2]
    return round(float(position.sum()), 9)


LOOPS = [
    Program("dynamic programming over a table", edit_distance),
    Program("CRC of bytes", crc),
    Program("Mandelbrot, Python's complex numbers", mandelbrot),
    Program("Mandelbrot, an array's scalars", mandelbrot_of_scalars),
    Program("Gauss-Seidel, elements", gauss_seidel),
    Program("Gauss-Seidel, rows", gauss_seidel_by_rows),
    Program("sparse matrix times vector, elements", sparse_product),
    Program("sparse matrix times vector, rows", sparse_product_by_rows),
    Program("n bodies, scalars", n_body),
]

ARGUMENTS = {
    "kmeans": (),
    "mandelbrot": ("--width", "200", "--steps", "40"),
    "maze": (),
    "network": ("--epochs", "1"),
    "options": (),
    "pagerank": (),
    "patterns": ("--steps", "100"),
    "restore": (),
    "smoke": ("--steps", "5"),
    "spectrum": ("--seconds", "1"),
}
"""The pages' examples that import NumPy, with fewer steps than by default."""


def example(name: str, namespace: ModuleType) -> ModuleType:
    """An example of the documentation as a module whose ``numpy`` is the namespace."""
    made = ModuleType(name)

    def importing(
        wanted: str, scope: Any = None, local: Any = None, names: Any = (), level: int = 0
    ) -> Any:
        first, _, rest = wanted.partition(".")
        if first == "numpy":
            path = namespace.__name__ + (f".{rest}" if rest else "")
            return importlib.import_module(path) if names else namespace
        if (FOLDER / f"{wanted}.py").exists():
            return example(wanted, namespace)
        return __import__(wanted, scope, local, names, level)

    file = FOLDER / f"{name}.py"
    made.__dict__["__builtins__"] = {**vars(builtins), "__import__": importing}
    exec(compile(file.read_text("utf-8"), str(file), "exec"), made.__dict__)
    return made


def _main(name: str) -> Callable[[Any], object]:
    """Runs an example from its command line to what it prints."""
    modules: dict[ModuleType, ModuleType] = {}

    def run(np: Any) -> object:
        if np not in modules:
            modules[np] = example(name, np)
        printed, before = StringIO(), sys.argv
        sys.argv = [name, *ARGUMENTS[name]]
        try:
            with redirect_stdout(printed):
                modules[np].main()
        finally:
            sys.argv = before
        return printed.getvalue()

    return run


EXAMPLES = [Program(name, _main(name)) for name in ARGUMENTS]


def ratios(
    programs: Sequence[Program], namespace: Any, seconds: float = 0.5
) -> list[dict[str, Any]]:
    """A row per program: the fastest turn of the namespace over NumPy's, in CPU time.

    The two take turns for about ``seconds``, at least five times each. A turn is long, so time in
    which another process runs would count.
    """
    rows = []
    for program in programs:
        timers = [
            timeit.Timer(partial(program.run, np), timer=time.process_time)
            for np in (namespace, numpy)
        ]
        once = sum(timer.timeit(1) for timer in timers)  # also makes what a first call makes
        turns = max(5, min(25, int(seconds / once)))
        times = [[timer.timeit(1) for timer in timers] for _ in range(turns)]
        ours, theirs = (min(turn[i] for turn in times) for i in (0, 1))
        rows.append({"case": program.name, "numpy_us": theirs * 1e6, "ratio": ours / theirs})
    return rows
