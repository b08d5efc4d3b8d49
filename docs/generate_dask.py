"""Writes the tables of ``dask.md`` from what is kept of the last report in ``dask.json``.

python docs/generate_dask.py [--add REPORT.json] [--check]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from _marked import DOCS, main, table

KEPT = DOCS / "dask.json"
SCALARS = "NumPy's scalar"
"""What the reasons say of tests that no library with NumPy's scalars can pass."""
OUTCOMES = ("passed", "failed", "skipped", "xfailed")
FACTS = ("dask", "module", "created", "asked", "passed", "share", "expected", "out_of_scope")


def kept() -> dict[str, Any]:
    """The results of the run that is shown."""
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def add(report: dict[str, Any]) -> None:
    """Keep the results of a report."""
    data = {name: report[name] for name in FACTS}
    data["beyond"] = len(report["beyond"])
    data["areas"] = report["runs"][0]["chapters"]
    text = json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False)
    KEPT.write_text(text + "\n", encoding="utf-8")


def areas(data: dict[str, Any]) -> str:
    """The outcomes by test file, and the share."""
    rows = [[name, *(str(c[o]) for o in OUTCOMES)] for name, c in sorted(data["areas"].items())]
    totals = (sum(c[o] for c in data["areas"].values()) for o in OUTCOMES)
    rows.append(["**all**", *(str(n) for n in totals)])
    told = (
        f"Dask {data['dask']}, {data['created'][:10]}: {data['passed']} of the {data['asked']} "
        f"tests that CuPy passes, as Dask marks them ({data['share']:.1f} %), and {data['beyond']} "
        "that CuPy fails."
    )
    scalars = sum(n for why, n in data["expected"].items() if SCALARS in why)
    rest = data["asked"] - scalars
    told += (
        f" Of the tests that CuPy passes, {scalars} ask for an array without axes where numpy_shim "
        f"gives NumPy's scalar; of the other {rest} it passes {data['passed']} "
        f"({100 * data['passed'] / rest:.1f} %)."
    )
    return f"{told}\n\n{table(['area', *OUTCOMES], rows)}"


def reasons(data: dict[str, Any]) -> str:
    """Why tests are expected to fail, and what is left out."""
    found = sorted(data["expected"].items(), key=lambda item: (-item[1], item[0]))
    rows = [[str(count), why] for why, count in found]
    rows += [[f"file `{area}`", f"{why}; not run"] for area, why in data["out_of_scope"].items()]
    return table(["tests", "reason"], rows)


def taken() -> None:
    """Add the report of the command line, and leave the rest of it."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--add", type=Path)
    options, rest = parser.parse_known_args()
    sys.argv[1:] = rest
    if options.add:
        add(json.loads(options.add.read_text(encoding="utf-8")))


if __name__ == "__main__":
    taken()
    shown = kept()
    parts = {"areas": areas(shown), "reasons": reasons(shown)}
    sys.exit(main("dask.md", parts, __doc__.splitlines()[0]))
