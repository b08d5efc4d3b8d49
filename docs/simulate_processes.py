"""Writes what the eight programs move on 8, 64 and 512 processes into ``distributed.md``.

    python docs/simulate_processes.py [--check]

Nothing runs on so many processes: torch's fake process group answers every communication of the
first of them at once, with any values. What is counted does not depend on values: the
communications of one process and the bytes it receives.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import runpy
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

from _marked import DOCS, main, table

PROCESSES = (8, 64, 512)
LATENCY = 5e-6
BANDWIDTH = 25e9
Counts = dict[str, list[int]]
"""By kind of communication, how many, and the bytes received by one process."""


def rows(each: int) -> Callable[[int], list[str]]:
    """A size that grows with the processes: so many rows for each."""
    return lambda p: ["--size", str(each * p)]


def square(side: int) -> Callable[[int], list[str]]:
    """A matrix of so many elements for each process."""
    return lambda p: ["--size", str(round(side * math.sqrt(p)))]


# What a program is run with if there are p processes, for each to have as much as before.
PROGRAMS: dict[str, Callable[[int], list[str]]] = {
    "monte_carlo": rows(2000),
    "kmeans": rows(2000),
    "power_iteration": square(128),
    "matmul": square(128),
    "stencil": lambda p: ["--size", str(8 * p), "--columns", "256"],
    "pca": rows(1000),
    "histogram": rows(5000),
    "convolution": lambda p: ["--size", str(4 * p), "--columns", "1100"],
}


def simulate(processes: int) -> dict[str, dict[str, Counts]]:
    """What the first of so many processes receives, in each program and scaling."""
    done = subprocess.run(
        [sys.executable, __file__, "--simulate", str(processes)],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def simulated(processes: int) -> dict[str, dict[str, Counts]]:
    import torch.distributed as dist
    from torch.testing._internal.distributed.fake_pg import FakeStore

    import numpy_shim
    from numpy_shim import distributed
    from numpy_shim._launcher import imports, sharding

    dist.init_process_group("fake", rank=processes // 2, world_size=processes, store=FakeStore())
    # The fake group refuses to receive where nothing is sent, which the others may well do.
    dist.batch_isend_irecv = lambda messages: []
    dist.all_to_all_single = lambda into, *_, **__: into.zero_()
    folder = DOCS / "examples" / "distributed"
    imports.Redirection("numpy_shim", [str(folder)]).install()
    sharding.shard_above(numpy_shim, 1000, "auto")
    found: dict[str, dict[str, Counts]] = {}
    for name, given in PROGRAMS.items():
        found[name] = {}
        for scaling, size in (("weak", processes), ("strong", 64)):
            script = str(folder / f"{name}.py")
            sys.argv = [script, *given(size)]
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")  # the values are any
                told = distributed.explain(runpy.run_path, script, run_name="__main__")
            found[name][scaling] = {
                kind: [told.collectives[kind], told.bytes[kind]] for kind in told.collectives
            }
    return found


def seconds(counts: Counts, p: int) -> float:
    """The time of the communications in the model that the page describes."""
    steps = {
        "all_reduce": 2 * math.log2(p), "all_gather": math.log2(p), "results": math.log2(p),
        "broadcast": math.log2(p), "all_to_all": p - 1, "neighbours": 2,
    }  # fmt: skip
    return sum(n * steps[kind] * LATENCY + size / BANDWIDTH for kind, (n, size) in counts.items())


def exponent(values: list[int]) -> str:
    """The ``k`` of the power of p that fits best, by least squares of the logarithms."""
    if not all(values):
        return "0"
    x = [math.log(p) for p in PROCESSES]
    y = [math.log(v) for v in values]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / sum(
        (a - mx) ** 2 for a in x
    )
    return f"{slope:.2f}".replace("-0.00", "0.00")


def in_words(size: float) -> str:
    """A number of bytes."""
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"


def parts() -> dict[str, str]:
    every = {p: simulate(p) for p in PROCESSES}
    lines = []
    curves: dict[str, dict[str, list[int]]] = {}
    for name in PROGRAMS:
        for scaling in ("weak", "strong"):
            counts = [every[p][name][scaling] for p in PROCESSES]
            calls = [sum(n for n, _ in c.values()) for c in counts]
            moved = [sum(size for _, size in c.values()) for c in counts]
            curves.setdefault(scaling, {})[name] = moved
            times = [seconds(c, p) for c, p in zip(counts, PROCESSES, strict=True)]
            lines.append([
                name if scaling == "weak" else "", scaling,
                " / ".join(map(str, calls)), " / ".join(map(in_words, moved)),
                exponent(moved), " / ".join(f"{1000 * t:.2g}" for t in times),
            ])  # fmt: skip
    headings = ["program", "scaling", "communications", "bytes received by a process",
                "k of pᵏ", "ms in the model"]  # fmt: skip
    write_plot(curves, DOCS / "distributed.svg")
    return {"planning": table(headings, lines)}


def write_plot(curves: dict[str, dict[str, list[int]]], path: Path) -> None:
    """Bytes over processes, both in powers of ten, for both scalings."""
    colours = ("#4477aa", "#ee6677", "#228833", "#aa7700", "#66ccee", "#aa3377", "#777777", "#000")
    low, high = 2, 9
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 400" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="760" height="400" fill="white"/>',
    ]

    def at(panel: int, p: int, size: float) -> tuple[float, float]:
        x = 60 + 370 * panel + 200 * math.log(p / 8) / math.log(64)
        return x, 350 - 300 * (math.log10(max(size, 100)) - low) / (high - low)

    for panel, scaling in enumerate(("weak", "strong")):
        out.append(f'<text x="{60 + 370 * panel}" y="30" font-weight="bold">{scaling} scaling: '
                   "bytes received by a process</text>")  # fmt: skip
        for power in range(low, high + 1):
            x, y = at(panel, 8, 10**power)
            label = in_words(10**power)
            out.append(f'<line x1="{x}" x2="{x + 200}" y1="{y}" y2="{y}" stroke="#ddd"/>')
            out.append(f'<text x="{x - 6}" y="{y + 4}" text-anchor="end">{label}</text>')
        for p in PROCESSES:
            x, y = at(panel, p, 100)
            out.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle">{p}</text>')
        ends: list[float] = []
        ranked = sorted(curves[scaling].items(), key=lambda item: -item[1][-1])
        for name, moved in ranked:
            colour = colours[list(PROGRAMS).index(name)]
            points = [at(panel, p, size) for p, size in zip(PROCESSES, moved, strict=True)]
            path_ = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            x, y = points[-1]
            label = max(y, ends[-1] + 13) if ends else y
            ends.append(label)
            out.append(f'<polyline points="{path_}" fill="none" stroke="{colour}" '
                       f'stroke-width="2"/><text x="{x + 6}" y="{label + 4:.1f}" '
                       f'fill="{colour}">{name}</text>')  # fmt: skip
    path.write_text("\n".join([*out, "</svg>", ""]), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--simulate"]:
        print(json.dumps(simulated(int(sys.argv[2]))))
        sys.exit()
    sys.exit(main("distributed.md", parts(), __doc__.splitlines()[0]))
