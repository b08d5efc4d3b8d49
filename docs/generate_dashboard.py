"""Writes the tables of ``dashboard.md`` from what is kept of the reports in ``dashboard.json``.

python docs/generate_dashboard.py [--add FOLDER --examples N] [--check]

FOLDER has the reports that ``python -m conformance array-api --report-format data-apis`` wrote, of
one or several seeds. Reports with another number of examples replace all that are kept.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from _marked import DOCS, main, table

KEPT = DOCS / "dashboard.json"
HEADER = ("name", "version", "api_version", "timestamp", "execution_target", "python")
FAILED = ("failed", "error")
FIRST = "xp-torch"


def reduced(report: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a report: all but the tests that passed, and their texts."""
    tests = report["data"]["tests"]
    expected: dict[str, list[str]] = {}
    for test in tests:
        if test["outcome"] == "xfailed":
            expected.setdefault(test["reason"], []).append(test["nodeid"])
    return {
        **{name: report[name] for name in (*HEADER, "test_suite")},
        "platform": {name: report["platform"][name] for name in ("system", "machine")},
        "summary": report["data"]["summary"],
        "failed": [test["nodeid"] for test in tests if test["outcome"] in FAILED],
        "expected": expected,
    }


def add(folder: Path, examples: int) -> None:
    """Keep what the pages show of the reports of a folder, in place of those they repeat."""
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    same = kept.get("examples") == examples
    reports = {(r["name"], r["seed"]): r for r in kept.get("reports", ()) if same}
    paths = sorted(folder.glob("*-seed*.json"))
    if not paths:
        raise SystemExit(f"generate_dashboard: {folder} has no report *-seed*.json")
    for path in paths:
        seed = int(path.stem.rpartition("-seed")[2])
        report = reduced(json.loads(path.read_text(encoding="utf-8")))
        reports[report["name"], seed] = {"seed": seed, **report}
    data = {"examples": examples, "reports": list(reports.values())}
    KEPT.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def libraries(data: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The reports of each library by seed: ours first, then the others by name."""
    found: dict[str, list[dict[str, Any]]] = {}
    for report in sorted(data["reports"], key=lambda r: (r["name"] != FIRST, r["name"], r["seed"])):
        found.setdefault(report["name"], []).append(report)
    return found


def span(values: list[int]) -> str:
    """Equal numbers once, others as a range."""
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"


def target(report: dict[str, Any]) -> str:
    """The execution target in words: its kind, and what is known beside it."""
    return ", ".join(report["execution_target"].values())


def ever_failed(reports: list[dict[str, Any]]) -> set[str]:
    return {test for report in reports for test in report["failed"]}


def always_failed(reports: list[dict[str, Any]]) -> set[str]:
    return set.intersection(*(set(report["failed"]) for report in reports))


def side_by_side(data: dict[str, Any]) -> str:
    """A row a library: versions, counts over the seeds, and what differs between them."""
    rows = []
    for name, reports in libraries(data).items():
        counts = [Counter(report["summary"]) for report in reports]
        failed = [sum(c[outcome] for outcome in FAILED) for c in counts]
        unsteady = len(ever_failed(reports) - always_failed(reports))
        first = reports[0]
        rows.append([
            f"`{name}`", first["version"], first["api_version"], target(first),
            span([c["passed"] for c in counts]), span(failed),
            span([c["xfailed"] for c in counts]), span([c["skipped"] for c in counts]),
            str(unsteady), str(len(reports)),
        ])  # fmt: skip
    headings = [
        "library", "version", "standard", "on", "passed", "failed", "expected to fail", "skipped",
        "failed in some runs only", "runs",
    ]  # fmt: skip
    return table(headings, rows)


def chapters(data: dict[str, Any]) -> str:
    """A row a file of the suite: the tests that fail in some run, by library."""
    found = libraries(data)
    counts = {
        name: Counter(Path(test.split("::")[0]).stem for test in ever_failed(reports))
        for name, reports in found.items()
    }
    files = sorted({file for counter in counts.values() for file in counter})
    rows = [[f"`{file}`", *(str(counts[name][file] or "") for name in found)] for file in files]
    return table(["file of the suite", *(f"`{name}`" for name in found)], rows)


def reasons(data: dict[str, Any]) -> str:
    """A row a reason of expected failures, with the number of its tests."""
    rows = []
    for name, reports in libraries(data).items():
        tests: dict[str, set[str]] = {}
        for report in reports:
            for reason, ids in report["expected"].items():
                tests.setdefault(reason, set()).update(ids)
        rows += [[f"`{name}`", str(len(ids)), reason] for reason, ids in tests.items()]
    return table(["library", "tests", "reason"], rows) if rows else "There are none."


def conditions(data: dict[str, Any]) -> str:
    """When, where and with what the reports were made."""
    reports = data["reports"]
    days = sorted({report["timestamp"][:10] for report in reports})
    drawn = sorted({report["seed"] for report in reports})
    seeds = f"seed{'s' if len(drawn) > 1 else ''} {', '.join(map(str, drawn))}"
    first = reports[0]
    machine = "{system} ({machine})".format(**first["platform"])
    return (
        f"Made on {' and '.join(days)} with Python {first['python']} on {machine}, "
        f"{data['examples']} examples for each property test, {seeds}, array-api-tests at "
        f"`{first['test_suite'][:12]}`."
    )


def taken() -> None:
    """Take the reports of the command line, and leave the rest of it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--add", type=Path)
    parser.add_argument("--examples", type=int)
    options, sys.argv[1:] = parser.parse_known_args()
    if options.add is None:
        return
    if options.examples is None:
        parser.error("--add needs --examples: the format of the reports does not say how many")
    add(options.add, options.examples)


if __name__ == "__main__":
    taken()
    shown = json.loads(KEPT.read_text(encoding="utf-8"))
    parts = {
        "conditions": conditions(shown),
        "libraries": side_by_side(shown),
        "files": chapters(shown),
        "reasons": reasons(shown),
    }
    sys.exit(main("dashboard.md", parts, __doc__.splitlines()[0]))
