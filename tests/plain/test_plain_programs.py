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
from filelock import FileLock

from . import programs
from .processes import ROOT, environment
from .recording import CODED, PROGRAMS

assert programs.TOPICS
pytestmark = pytest.mark.timeout(1800)  # the first test waits for the processes

Outcomes = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """All that the two processes have found, for every worker of this run of pytest."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with FileLock(folder / "plain.lock"):
        if not (folder / "plain").exists():
            (folder / "plain").mkdir()
            collect(folder / "plain")
    found = []
    for file in (folder / "plain").glob("*.json"):
        found += [json.loads(line) for line in file.read_text().splitlines()]
    return found


def collect(folder: Path) -> None:
    """Run the two processes at the same time; what they find is in files, and how they failed."""
    processes = {}
    for import_ in ("before", "after"):
        command = [sys.executable, "-m", "tests.plain.collect"]
        processes[import_] = subprocess.Popen(
            [*command, str(folder / f"{import_}.json"), import_], cwd=ROOT, env=environment(),
            stdout=(folder / f"{import_}.log").open("w"), stderr=subprocess.STDOUT,
        )  # fmt: skip
    for import_, process in processes.items():
        try:
            failed = process.wait(timeout=1500)
        except subprocess.TimeoutExpired:
            process.kill()
            failed = process.wait()
        if failed:
            text = f"import {import_}: {(folder / f'{import_}.log').read_text('utf-8')[-3000:]}"
            (folder / f"failed-{import_}.json").write_text(json.dumps({"failed": text}))


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
    parts = without.keys() - {"phase", "time"}
    if phase == "after" and sys.version_info >= (3, 13):
        # A class that was called often is called without a frame of __init__ that Dynamo would see.
        parts -= {"frames"}
    for part in parts:
        assert beside[part] == without[part], part


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_does_what_it_is_for(program: str, outcomes: Outcomes):
    """Without us it ends, and torch's compiler has seen it."""
    outcome = outcomes[program, "without"]
    assert outcome["error"] is None
    assert outcome["graphs"] or outcome["breaks"] or "total" in outcome["frames"] or (
        "Error" in outcome["value"] or "torch._dynamo.exc" in outcome["value"]
    )  # fmt: skip
    assert bool(outcome["code"]) == (program in CODED)


def test_what_is_compiled_before_the_import_stays(records: list[dict[str, Any]]):
    (kept,) = [record["kept"] for record in records if "kept" in record]
    first, again = kept
    assert first["graphs"] == len(first["values"])
    assert again == first
