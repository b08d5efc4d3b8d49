"""Writes the tables of ``libraries.md`` from what is kept of reports in ``libraries.json``.

python docs/generate_libraries.py [--add REPORT.json ... [--without-time]] [--check]

A report that is added takes the place of an older one of the same library, module and sub-package.
``--without-time`` is for runs on a machine that was busy with other work.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from _marked import DOCS, main, table

KEPT = DOCS / "libraries.json"
SHOWN = 6
OUTCOMES = ("passed", "failed", "skipped", "xfailed")


def kept() -> dict[str, Any]:
    """The results of the runs that are shown."""
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def causes(found: list[dict[str, Any]], wanted: set[str] | None = None) -> list[dict[str, Any]]:
    """What is kept of the causes, of the tests that are wanted."""
    lines = []
    for cause in found:
        ids = [i for i in cause["tests"] if wanted is None or i in wanted]
        if ids:
            line = {name: cause[name] for name in ("kind", "message", "frame")}
            lines.append({**line, "tests": len(ids), "example": ids[0]})
    return sorted(lines, key=lambda line: -line["tests"])


def add(data: dict[str, Any], report: dict[str, Any], timed: bool = True) -> None:
    """Take the results of a report in."""
    name, version = report["library"]["name"], report["library"]["version"]
    subject = report["runs"][0]
    if "control" in report:
        data["library"][name] = {
            "version": version,
            "module": report["module"],
            "numpy": report["control"]["version"],
            "created": report["created"][:10],
            "counts": subject["counts"],
            "times": report["times"] if timed else None,
            "causes": causes(report["causes"]),
        }
        return
    areas = data["backends"].setdefault(name, {})
    for area in subject["chapters"]:
        own = {t["id"] for t in subject["tests"] if t["chapter"] == area}
        areas[area] = {
            "version": version,
            "created": report["created"][:10],
            "runs": {r["module"]: r["chapters"].get(area) for r in report["runs"]},
            "regressions": len(own.intersection(subject["regressions"])),
            "causes": causes(subject["causes"], own),
        }


def cell(text: str) -> str:
    """Text that a table may hold."""
    return text.replace("|", "\\|")


def why(name: str, cause: dict[str, Any]) -> list[str]:
    """A row about a cause."""
    text = f"{cause['kind']}: {cause['message']}" if cause["message"] else cause["kind"]
    file, _, test = cause["example"].partition("::")
    test = f"{Path(file).stem}::{test}"
    return [name, str(cause["tests"]), f"`` {cell(text)} ``", cause["frame"], f"`{cell(test)}`"]


def rows_of(name: str, found: list[dict[str, Any]]) -> list[list[str]]:
    """Rows about the largest causes, and one about the others."""
    rows = [why(name, cause) for cause in found[:SHOWN]]
    if rest := found[SHOWN:]:
        failures = str(sum(cause["tests"] for cause in rest))
        rows.append([name, failures, f"{len(rest)} other causes", "", ""])
    return rows


def libraries(data: dict[str, Any]) -> str:
    rows = []
    for name, found in sorted(data["library"].items()):
        counts = found["counts"]
        tests = sum(counts.values())
        times = "" if found["times"] is None else f"{found['times']:.1f}"
        share = f"{100 * counts['passed'] / tests:.1f} %"
        numbers = [str(tests), *(str(counts[o]) for o in OUTCOMES), share, times]
        rows.append([f"{name} {found['version']}", *numbers, found["created"]])
    return table(["library", "tests", *OUTCOMES, "share", "time", "run on"], rows)


def library_causes(data: dict[str, Any]) -> str:
    headings = ["library", "failures", "cause", "innermost frame in the module", "one of them"]
    items = sorted(data["library"].items())
    return table(headings, [row for name, found in items for row in rows_of(name, found["causes"])])


def backends(data: dict[str, Any]) -> str:
    names = ("xp_torch", "array_api_strict", "torch")
    rows = []
    for library, areas in sorted(data["backends"].items()):
        for area, found in sorted(areas.items()):
            columns = [found["runs"].get(name) for name in names]
            cells = [" / ".join(str(c[o]) for o in OUTCOMES) if c else "" for c in columns]
            title = f"{library} {found['version']}"
            rows.append([title, area, *cells, str(found["regressions"]), found["created"]])
    headings = ["library", "sub-package", *names, "fails, passes with array_api_strict", "run on"]
    return table(headings, rows)


def backend_causes(data: dict[str, Any]) -> str:
    headings = ["sub-package", "failures", "cause", "innermost frame in the module", "one of them"]
    rows = [
        row
        for library, areas in sorted(data["backends"].items())
        for area, found in sorted(areas.items())
        for row in rows_of(f"{library}, {area}", found["causes"])
    ]
    return table(headings, rows)


def taken() -> None:
    """Add the reports of the command line, and leave the rest of it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--add", nargs="+", type=Path, default=[])
    parser.add_argument("--without-time", action="store_true")
    options, rest = parser.parse_known_args()
    sys.argv[1:] = rest
    if options.add:
        data = kept() if KEPT.is_file() else {"library": {}, "backends": {}}
        for path in options.add:
            report = json.loads(path.read_text(encoding="utf-8"))
            add(data, report, timed=not options.without_time)
        text = json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False)
        KEPT.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    taken()
    shown = kept()
    parts = {
        "library": libraries(shown),
        "library causes": library_causes(shown),
        "backends": backends(shown),
        "backends causes": backend_causes(shown),
    }
    sys.exit(main("libraries.md", parts, __doc__.splitlines()[0]))
