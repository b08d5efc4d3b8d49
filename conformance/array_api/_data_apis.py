"""Reports in the format of the Consortium's compliance dashboard, schema `v1`.

The format is pytest-json-report's with a header: data-apis/array-api-tests-compliance-data,
`schemas/compliance/v1.schema.json`, and what its harvester checks beside the schema.
"""

from __future__ import annotations

import json
import platform
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .._results import Result, UnableError

SCHEMA = "v1"
INCOMPLETE = ("broken run", "not collected")
"""The kinds of problems after which tests are missing."""


def report_name(module: str) -> str:
    """The name of a library in the reports: that of its module, with hyphens."""
    return module.replace("_", "-")


def _test(result: Result) -> dict[str, Any]:
    """One test, as pytest-json-report has it; `reason` is of a skip or an expected failure."""
    outcome = "error" if result.how == "error" else result.outcome
    told: dict[str, Any] = {"nodeid": result.id, "outcome": outcome}
    phase = "setup" if outcome == "error" else "call"
    told[phase] = {"duration": result.seconds, "outcome": result.outcome}
    if result.outcome == "failed":
        told[phase] |= {
            "crash": {"message": result.essence},
            "longrepr": result.detail or result.essence,
        }
    elif result.essence:
        told["reason"] = result.essence
    return told


def report(run: Any, revision: str, now: datetime) -> dict[str, Any]:
    """The report of a run. Raises UnableError for a run that the dashboard would refuse."""
    missing = [f"{p.kind}: {p.subject}" for p in run.problems if p.kind in INCOMPLETE]
    if missing or not run.results:
        why = ", ".join(missing) or "no test ran"
        raise UnableError(f"{run.module} has no report, because its run is not whole: {why}")
    if not re.fullmatch("[0-9a-f]{40}", revision):
        raise UnableError("the format data-apis names the suite's revision, which is unknown here")
    if not run.version:
        raise UnableError(f"the format data-apis names a version, and {run.module} has none")
    tests = [_test(result) for result in run.results]
    summary = Counter(test["outcome"] for test in tests)
    return {
        "schema": SCHEMA,
        "name": report_name(run.module),
        "version": run.version,
        "api_version": run.api_version,
        "timestamp": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "platform": {
            "description": platform.platform(),
            "system": platform.system(),
            "release": platform.release(),
            "machine": platform.machine(),
        },
        "execution_target": run.target,
        "python": platform.python_version(),
        "test_suite": revision,
        "data": {
            "duration": run.seconds,
            "exitcode": int(bool(run.failures)),
            "summary": {**summary, "total": len(tests), "collected": len(tests)},
            "tests": tests,
        },
    }


def write(run: Any, revision: str, folder: Path) -> Path:
    """Write the report of a run: a file named by the library and the seed of the examples."""
    data = report(run, revision, datetime.now(UTC))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{data['name']}-seed{run.seed}.json"
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
