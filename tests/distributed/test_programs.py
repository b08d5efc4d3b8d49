"""The programs of docs/examples, unchanged, on one, two and three processes by ``--ranks``.

One start runs several programs: starting takes longer than they do.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.distributed.test_surface import ALL
from tests.numpy_shim.test_examples import ARGUMENTS, PICTURES, assert_same_output, same_picture

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
EIGHT = {
    "convolution": ["--size", "61", "--columns", "48"],
    "histogram": ["--size", "20001"],
    "kmeans": ["--size", "2003"],
    "matmul": ["--size", "101"],
    "monte_carlo": ["--size", "10007"],
    "pca": ["--size", "1501"],
    "power_iteration": ["--size", "97"],
    "stencil": ["--size", "70", "--columns", "33"],
}
ARGUMENTS_HERE = {
    **ARGUMENTS,
    "mandelbrot": ["--width", "60", "--steps", "20"],
    "options": ["--paths", "1001", "--days", "12"],
    "pagerank": ["--pages", "80"],
    "patterns": ["--size", "48", "--steps", "50"],
    "smoke": ["--size", "40", "--steps", "10"],
}
DRIVER = """
import runpy, sys
for script, *arguments in {commands!r}:
    print("program", script, flush=True)
    sys.argv = [script, *arguments]
    runpy.run_path(script, run_name="__main__")
"""
everything = pytest.mark.skipif(os.environ.get(ALL) != "all", reason=f"{ALL}=all runs it")


def outputs(commands: list[list[str]], *launcher: str, seconds: int) -> str:
    """What programs print, one after the other, in one start."""
    known = {k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE")}
    done = subprocess.run(
        [sys.executable, *launcher, "-c", DRIVER.format(commands=commands)],
        cwd=EXAMPLES,
        env={**known, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("program ") == len(commands)
    return done.stdout


def split(ranks: int) -> list[str]:
    return ["-m", "numpy_shim", "--ranks", str(ranks), "--shard-above", "1KB"]


def test_every_program_is_run():
    assert {p.stem for p in (EXAMPLES / "distributed").glob("*.py")} == set(EIGHT)


@pytest.mark.parametrize("ranks", [1, 2, pytest.param(3, marks=everything)])
def test_the_eight_programs_print_what_numpy_prints(ranks: int):
    commands = [[f"distributed/{name}.py", *given] for name, given in EIGHT.items()]
    theirs = outputs(commands, seconds=120)
    assert_same_output(outputs(commands, *split(ranks), seconds=240), theirs)


@everything
@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize("name", ARGUMENTS_HERE)
def test_the_examples_print_what_one_process_prints(name: str, ranks: int, tmp_path: Path):
    made = {}
    for count in (1, ranks):
        given = [f"{name}.py", *ARGUMENTS_HERE[name]]
        if name in PICTURES:
            given += ["--output", str(tmp_path / f"{count}.ppm")]
        made[count] = outputs([given], *split(count), seconds=600)
    assert_same_output(made[ranks].replace(f"{ranks}.ppm", "1.ppm"), made[1])
    if name in PICTURES:
        ours, alone = ((tmp_path / f"{n}.ppm").read_bytes() for n in (ranks, 1))
        same_picture(ours, alone)


@everything
def test_the_page_has_what_many_processes_would_move():
    """The table of docs/distributed.md is what the fake process group counts today."""
    done = subprocess.run(
        [sys.executable, "docs/simulate_processes.py", "--check"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
