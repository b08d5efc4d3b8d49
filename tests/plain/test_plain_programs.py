"""An import of our packages changes no compiled program that has no array of ours.

Each program runs in a process without us, in a process that imports us first, and in the first
process again after it has imported us. Values, errors, graphs, operators, breaks, guards and what
inductor writes are the same.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from . import programs
from .recording import CODED, PROGRAMS

assert programs.TOPICS

ROOT = Path(__file__).parents[2]
Outcomes = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """All that the two processes have found; they run at the same time."""
    folder = tmp_path_factory.mktemp("plain")
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1",
        # In one process, and each program anew: a graph from a file passes no rule of ours.
        "TORCHINDUCTOR_COMPILE_THREADS": "1", "TORCHINDUCTOR_FX_GRAPH_CACHE": "0",
    }  # fmt: skip
    processes = {}
    for import_ in ("before", "after"):
        log = (folder / f"{import_}.log").open("w")
        processes[import_] = subprocess.Popen(
            [sys.executable, "-m", "tests.plain.collect", str(folder / import_), import_],
            cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
    found = []
    for import_, process in processes.items():
        if process.wait(timeout=500):
            text = (folder / f"{import_}.log").read_text("utf-8")
            found.append({"failed": f"import {import_}: {text[-3000:]}"})
        with (folder / import_).open() as file:
            found += [json.loads(line) for line in file]
    return found


@pytest.fixture(scope="module")
def outcomes(records: list[dict[str, Any]]) -> Outcomes:
    return {(r["program"], r["phase"]): r for r in records if "program" in r}


def test_the_processes_end_well(records: list[dict[str, Any]]):
    assert [record["failed"] for record in records if "failed" in record] == []


@pytest.mark.parametrize("phase", ["before", "after"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_import_changes_nothing(program: str, phase: str, outcomes: Outcomes):
    """``phase`` tells when our packages are imported: before Dynamo, or after the program."""
    without, beside = outcomes[program, "without"], outcomes[program, phase]
    for part in without.keys() - {"phase", "time"}:
        assert beside[part] == without[part], part


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_does_what_it_is_for(program: str, outcomes: Outcomes):
    """Without us it ends, and torch's compiler has seen it."""
    outcome = outcomes[program, "without"]
    assert outcome["error"] is None
    assert outcome["graphs"] or outcome["breaks"] or "total" in outcome["counts"] or (
        "Error" in outcome["value"] or "torch._dynamo.exc" in outcome["value"]
    )  # fmt: skip
    assert bool(outcome["code"]) == (program in CODED)


def test_what_is_compiled_before_the_import_stays(records: list[dict[str, Any]]):
    (kept,) = [record["kept"] for record in records if "kept" in record]
    first, again = kept
    assert first["graphs"] == len(first["values"])
    assert again == first
