"""``python -m benchmarks.scipy_calls``: what a call of SciPy's costs more through numpy_shim, CPU.

Every call of SciPy in ``tests/numpy_shim/scipy/calls.py``, by itself: its arguments, and the object
of a method, are made before. Microseconds of the shortest of the rounds, ours and SciPy's in turns.
Calls of more than a millisecond are left out: their cost is not to be seen. So are those of ``io``,
which read a file to its end, and those that are given a function of the program, unless
``--callbacks`` is given: each call of that function costs, too.
"""

from __future__ import annotations

import argparse
import ast
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy

import numpy_shim
from tests.numpy_shim.scipy.calls import CALLS, names

BOUND = 5.0
"""Microseconds that a call may cost more."""

LONGEST = 1000.0
"""Microseconds of the longest calls of SciPy that are listed."""


def least(*calls: Callable[[], Any], rounds: int = 30) -> list[float]:
    """The least microseconds of each call; they take turns."""
    found: list[list[float]] = [[] for _ in calls]
    start = time.perf_counter()
    calls[-1]()
    repeats = max(1, min(50, int(0.001 / (time.perf_counter() - start))))
    for _ in range(rounds):
        for call, times in zip(calls, found, strict=True):
            start = time.perf_counter()
            for _ in range(repeats):
                call()
            times.append((time.perf_counter() - start) / repeats * 1e6)
    return [min(times) for times in found]


def scipys_calls(text: str, packages: set[str]) -> Iterator[ast.Call]:
    """The calls of SciPy's functions, and of methods of its objects, in an expression."""
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.Call):
            root: ast.expr = node.func
            while isinstance(root, (ast.Attribute, ast.Call, ast.Subscript)):
                root = root.func if isinstance(root, ast.Call) else root.value
            if isinstance(root, ast.Name) and root.id in packages:
                yield node


def prepared(node: ast.Call, room: dict[str, Any]) -> Callable[[], Any]:
    """The call alone, with its arguments and the object of its method already there."""
    made: dict[str, Any] = {}

    def constant(x: ast.expr) -> ast.expr:
        name = f"_{len(made)}"
        made[name] = eval(compile(ast.Expression(x), "", "eval"), {**room, **made})
        return ast.copy_location(ast.Name(name, ast.Load()), x)

    def function(x: ast.expr) -> ast.expr:
        if isinstance(x, ast.Attribute):
            return ast.copy_location(ast.Attribute(function(x.value), x.attr, x.ctx), x)
        return x if isinstance(x, ast.Name) else constant(x)

    call = ast.Call(
        function(node.func),
        [constant(x) for x in node.args],
        [ast.keyword(k.arg, constant(k.value)) for k in node.keywords],
    )
    nothing = ast.arguments([], [], None, [], [], None, [])
    alone = ast.fix_missing_locations(ast.Expression(ast.Lambda(nothing, call)))
    return eval(compile(alone, "", "eval"), {**room, **made})  # type: ignore[no-any-return]


def measured(callbacks: bool) -> Iterator[tuple[str, str, float, float]]:
    """The sub-package and text of each call, SciPy's microseconds, and how many more are ours."""
    ours, theirs = names(numpy_shim, "numpy_shim.scipy"), names(numpy, "scipy")
    packages = {name for name, value in theirs.items() if isinstance(value, ModuleType)}
    seen: set[str] = set()
    for package, texts in CALLS.items():
        for text in texts.strip().split("\n"):
            for node in scipys_calls(text.strip(), packages - {"np", "math"}):
                call = ast.unparse(node)
                calls_back = any(isinstance(x, ast.Lambda) for x in ast.walk(node))
                if call in seen or call.startswith("io.") or (calls_back and not callbacks):
                    continue
                seen.add(call)
                mine, scipys = least(prepared(node, ours), prepared(node, theirs))
                if scipys < LONGEST:
                    yield package, call, scipys, mine - scipys


def main() -> None:
    """Print the microseconds."""
    parser = argparse.ArgumentParser(prog="benchmarks.scipy_calls", description=__doc__)
    parser.add_argument("--callbacks", action="store_true", help="calls with a function, too")
    parser.add_argument("--worst", type=int, default=20, help="how many calls to name")
    given = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = list(measured(given.callbacks))
    print(f"| sub-package | calls | median, us more | largest | above {BOUND:g} us |")
    print("|---|---|---|---|---|")
    for package in [*CALLS, "all"]:
        more = [row[3] for row in rows if package in (row[0], "all")]
        if more:
            above = sum(value > BOUND for value in more)
            middle = statistics.median(more)
            print(f"| {package} | {len(more)} | {middle:.1f} | {max(more):.1f} | {above} |")
    print("\n| call | SciPy, us | more, us |\n|---|---|---|")
    for _, call, scipys, more_us in sorted(rows, key=lambda row: -row[3])[: given.worst]:
        print(f"| `{call}` | {scipys:.1f} | {more_us:.1f} |")


if __name__ == "__main__":
    main()
