"""``python -m benchmarks``: the cost of calls relative to raw torch, and of the import.

All figures are ratios of the fastest turns. The candidates take turns in one process, so that
changes of the machine's speed or load affect all of them.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import timeit
from collections.abc import Sequence
from typing import Any

import torch
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import numpy_shim
from benchmarks import backend, loops, programs, small
from benchmarks import large as large_arrays
from benchmarks.cases import CASES, LARGE, LOOKING, TRACES, Case
from benchmarks.subjects import SUBJECTS, Subject


def tensors(size: int, device: str) -> dict[str, torch.Tensor]:
    """The operands that the statements name."""
    generator = torch.Generator().manual_seed(0)
    t, u = torch.rand(2, size, dtype=torch.float64, generator=generator)
    square = torch.rand(3, 3, dtype=torch.float64, generator=generator)
    made = {
        "t": t.clone(),
        "u": torch.sort(u).values,
        "i": torch.arange(size),
        "j": torch.arange(size) + 1,
        "k": t > 0.5,
        "m": t.reshape(2, -1).clone(),
        "s": square @ square.mT + torch.eye(3, dtype=torch.float64),
        "n": torch.tensor([0, size // 2, size - 1]),
        "v": torch.zeros(size, dtype=torch.float64),
        "p": t[0].clone(),
        "q": t[1].clone(),
    }
    return {name: tensor.to(device) for name, tensor in made.items()}


def contestants(
    case: Case, size: int, device: str, subject: Subject, peers: bool
) -> dict[str, timeit.Timer]:
    """Timers for the case's statements: raw torch, the namespace, and its peer if supported."""
    raw = tensors(size, device)
    timers = {"torch": timeit.Timer(case.torch, globals={**raw, "torch": torch})}
    for name, namespace in subject.namespaces(peers).items():
        arrays = {key: namespace.asarray(t) for key, t in tensors(size, device).items()}
        for scalar in ("p", "q"):
            arrays[scalar] = arrays[scalar][()]  # in NumPy no longer an array
        timer = timeit.Timer(case.xp, globals={**arrays, "xp": namespace})
        if name == subject.name or works(timer):
            timers[name] = timer
    return timers


def works(timer: timeit.Timer) -> bool:
    """Whether a peer has what a statement calls."""
    try:
        timer.timeit(1)
    except Exception:
        return False
    return True


def measure(timers: dict[str, timeit.Timer], rounds: int, number: int) -> dict[str, float]:
    """The seconds of the raw call, and the ratios of the others to it.

    The contestants take turns, and the fastest turn of each counts: everything else on the
    machine can only make a turn slower.
    """
    for timer in timers.values():
        timer.timeit(max(1, number // 4))
    turns = [
        {name: timer.timeit(number) / number for name, timer in timers.items()}
        for _ in range(rounds)
    ]
    fastest = {name: min(turn[name] for turn in turns) for name in timers}
    raw = fastest.pop("torch")
    return {"torch": raw, **{name: seconds / raw for name, seconds in fastest.items()}}


def run(
    cases: Sequence[Case],
    size: int,
    device: str,
    rounds: int,
    number: int,
    subject: Subject,
    peers: bool,
) -> list[dict[str, Any]]:
    """One row per case: seconds of the raw call, and the ratios over it."""
    rows = []
    for case in cases:
        timers = contestants(case, size, device, subject, peers)
        figures = measure(timers, rounds, number)
        rows.append({"case": case.label, "torch_us": figures.pop("torch") * 1e6, **figures})
    return rows


def geometric_mean(rows: list[dict[str, Any]], name: str) -> float:
    return statistics.geometric_mean([row[name] for row in rows if name in row])


def table(title: str, rows: list[dict[str, Any]]) -> Table:
    """The rows, and at the end their geometric mean and the worst."""
    names = list(dict.fromkeys(n for row in rows for n in row if n not in ("case", "torch_us")))
    made = Table(title=title)
    made.add_column("case")
    made.add_column("torch, µs", justify="right")
    for name in names:
        made.add_column(f"{name} / torch", justify="right")
    for row in rows:
        made.add_row(
            escape(row["case"]),
            f"{row['torch_us']:.2f}",
            *[f"{row[n]:.2f}" if n in row else "missing" for n in names],
        )
    made.add_section()
    made.add_row("geometric mean", "", *[f"{geometric_mean(rows, n):.3f}" for n in names])
    made.add_row("worst", "", *[f"{max(r[n] for r in rows if n in r):.2f}" for n in names])
    return made


def import_milliseconds(module: str, repeats: int = 5) -> float:
    """The extra time of an import over ``import torch``: the fastest of several processes."""
    program = (
        f"import time, torch; start = time.perf_counter(); import {module}; "
        "print(time.perf_counter() - start)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        for _ in range(repeats)
    ]
    return min(float(done.stdout) * 1e3 for done in runs)


def trace_lengths(subject: Subject) -> dict[str, int]:
    """The number of torch calls in the graph that Dynamo records for each statement."""
    lengths = {}
    namespace = subject.namespaces(peers=False)[subject.name]
    arrays = {name: namespace.asarray(t) for name, t in tensors(10, "cpu").items()}
    for label, statement in TRACES.items():
        graphs: list[torch.fx.GraphModule] = []

        def record(graph: torch.fx.GraphModule, example: Any, into: Any = graphs) -> Any:
            into.append(graph)
            return graph.forward

        code = eval(f"lambda xp, t, u: {statement}")
        torch._dynamo.reset()
        torch.compile(code, backend=record, fullgraph=True)(namespace, arrays["t"], arrays["u"])
        calls = ("call_function", "call_method")
        nodes = [node for graph in graphs for node in graph.graph.nodes]  # none: nothing to do
        lengths[label] = sum(node.op in calls for node in nodes)
    return lengths


def main() -> int:
    """Measure, print, and say whether the bounds of the project hold."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--module", choices=[*SUBJECTS, "all"], default="all")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=41, help="turns each contestant takes")
    parser.add_argument("--number", type=int, default=400, help="calls in a turn")
    parser.add_argument("--no-peers", action="store_true", help="without the namespace's peer")
    parser.add_argument("--no-traces", action="store_true", help="without the trace lengths")
    parser.add_argument("--only", default="", help="only the cases whose label contains this")
    parser.add_argument("--json", help="write the figures to this file")
    parser.add_argument("--check", action="store_true", help="exit status 1 when a bound is passed")
    options = parser.parse_args()
    torch.set_num_threads(1)
    console = Console(width=None if sys.stdout.isatty() else 100)
    chosen = SUBJECTS.values() if options.module == "all" else [SUBJECTS[options.module]]
    figures = {subject.name: report(subject, options, console) for subject in chosen}
    if options.device == "cpu" and options.module != "xp_torch":
        figures["small arrays"] = report_small(console)
        figures["loops"] = report_loops(console)
        figures["programs"] = report_programs(console)
        figures["large arrays"] = report_large(console)
        figures["xp_backend"] = report_backend(console)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=2)
    return int(options.check and not all(f["holds"] for f in figures.values()))


def report_small(console: Console) -> dict[str, Any]:
    """Measure calls on ten elements beside NumPy, print the table, and return the figures."""
    rows = small.ratios()
    made = Table("statement", title="ten elements: calls over NumPy's time, cpu")
    for heading in ("NumPy, us", "numpy_shim", "xp_torch"):
        made.add_column(heading, justify="right")
    for row in rows:
        ratios = (f"{row[name]:.1f}" for name in ("numpy_shim", "xp_torch"))
        made.add_row(escape(row["case"]), f"{row['numpy_us']:.2f}", *ratios)
    console.print(made)
    means = {name: geometric_mean(rows, name) for name in ("numpy_shim", "xp_torch")}
    shown = ", ".join(f"{name} {mean:.2f}" for name, mean in means.items())
    console.print(f"ten elements: geometric mean {shown} (bound {small.MEAN_BOUND:.0f})")
    holds = max(means.values()) <= small.MEAN_BOUND
    return {"rows": rows, "means": means, "holds": holds}


def report_loops(console: Console) -> dict[str, Any]:
    """Measure loops over elements beside NumPy, print the table, and return the figures."""
    rows = loops.ratios(numpy_shim)
    figures = beside_numpy(console, "numpy_shim: loops over NumPy's time, cpu", rows)
    mean = math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))
    console.print(f"loops: geometric mean {mean:.2f} (bound {loops.MEAN_BOUND:.0f})")
    return figures | {"mean": mean, "holds": figures["holds"] and mean <= loops.MEAN_BOUND}


def report_programs(console: Console) -> dict[str, Any]:
    """Measure whole programs beside NumPy, print a table per kind, and return the figures."""
    kinds = {"programs of loops": programs.LOOPS, "examples of the pages": programs.EXAMPLES}
    figures: dict[str, Any] = {}
    for kind, chosen in kinds.items():
        rows = programs.ratios(chosen, numpy_shim)
        made = Table("program", title=f"numpy_shim: {kind} over NumPy's time, cpu")
        made.add_column("NumPy, ms", justify="right")
        made.add_column("ratio", justify="right")
        for row in rows:
            made.add_row(escape(row["case"]), f"{row['numpy_us'] / 1e3:.3f}", f"{row['ratio']:.1f}")
        console.print(made)
        mean = geometric_mean(rows, "ratio")
        console.print(f"{kind}: geometric mean {mean:.2f} (bound {programs.MEAN_BOUND:.0f})")
        figures[kind] = {"rows": rows, "mean": mean, "holds": mean <= programs.MEAN_BOUND}
    return figures | {"holds": all(f["holds"] for f in figures.values())}


def report_large(console: Console) -> dict[str, Any]:
    """Measure large arrays beside NumPy, print the table, and return the figures."""
    rows = large_arrays.ratios(numpy_shim, 10_000_000)
    title = "numpy_shim: large arrays over NumPy's time, ten million elements, cpu"
    return beside_numpy(console, title, rows)


def report_backend(console: Console) -> dict[str, Any]:
    """Measure the device ``npy`` over raw torch, print the table, and return the figures."""
    rows = backend.ratios()
    made = Table("statement", "ratio", title="xp_backend: npy over raw torch, 10 elements")
    for statement, ratio in rows.items():
        made.add_row(escape(statement), f"{ratio:.1f}")
    console.print(made)
    holds = max(rows.values()) <= backend.BOUND
    console.print(f"xp_backend: the highest {max(rows.values()):.1f} (bound {backend.BOUND:.0f})")
    return {"rows": rows, "holds": holds}


def beside_numpy(console: Console, title: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Print rows of ratios to NumPy's time, and return them with whether the bounds hold."""
    made = Table(title=title)
    for column, justify in (("case", "left"), ("NumPy, ms", "right"), ("ratio", "right")):
        made.add_column(column, justify=justify)  # type: ignore[arg-type]
    made.add_column("bound", justify="right")
    made.add_column("why it is larger")
    for row in rows:
        over = row["ratio"] > row["bound"]
        ratio = f"[red]{row['ratio']:.1f}[/]" if over else f"{row['ratio']:.1f}"
        made.add_row(
            escape(row["case"]), f"{row['numpy_us'] / 1e3:.3f}", ratio, f"{row['bound']:g}",
            row["reason"],
        )  # fmt: skip
    console.print(made)
    return {"rows": rows, "holds": all(row["ratio"] <= row["bound"] for row in rows)}


def report(subject: Subject, options: argparse.Namespace, console: Console) -> dict[str, Any]:
    """Measure one namespace, print its tables, and return the figures."""
    name, device, peers = subject.name, options.device, not options.no_peers
    cases = [case for case in CASES if options.only in case.label]
    small = run(cases, 10, device, options.rounds, options.number, subject, peers)
    console.print(table(f"{name}: cost of a call, 10 elements, float64, {device}", small))
    looking = run(LOOKING, 10, device, options.rounds, options.number, subject, peers)
    console.print(table("The same, where a look at the values costs most", looking))
    own = run(subject.own, 10, device, options.rounds, options.number, subject, peers)
    if own:
        console.print(table(f"{name}: cost of what the standard does not have", own))
    large = run(LARGE, 1_000_000, device, 7, 10, subject, peers)
    console.print(table(f"{name}: cost of a call, a million elements, {device}", large))
    milliseconds = import_milliseconds(name)
    lengths = {} if options.no_traces else trace_lengths(subject)
    if lengths:
        traced = Table(title=f"{name}: torch calls in the trace")
        traced.add_column("expression")
        traced.add_column("calls", justify="right")
        for label, length in lengths.items():
            traced.add_row(escape(label), str(length))
        console.print(traced)

    mean = geometric_mean(small, name)
    worst = max(small, key=lambda row: float(row[name]))
    holds = mean <= subject.mean_bound and worst[name] <= subject.worst_bound
    timed = f"import {milliseconds:.0f} ms"
    if subject.import_bound_ms is not None:
        holds = holds and milliseconds <= subject.import_bound_ms
        timed += f" (bound {subject.import_bound_ms:.0f})"
    console.print(
        f"{name}: {len(small)} cases, torch {torch.__version__}: geometric mean {mean:.3f} "
        f"(bound {subject.mean_bound:.2f}), worst {worst['case']} {worst[name]:.2f} "
        f"(bound {subject.worst_bound:.2f}), {timed}: "
        + ("[green]within the bounds[/]" if holds else "[red]over a bound[/]")
    )
    return {
        "small": small,
        "looking": looking,
        "own": own,
        "large": large,
        "import_ms": milliseconds,
        "traces": lengths,
        "holds": holds,
    }


if __name__ == "__main__":
    sys.exit(main())
