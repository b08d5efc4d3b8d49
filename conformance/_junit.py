"""JUnit XML of a run, which CI services show: `report.xml`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from ._results import Result, Run

# Characters that XML 1.0 does not allow.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)


def _case(suite: ElementTree.Element, result: Result) -> None:
    file, _, name = result.id.partition("::")
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=_clean(file.removesuffix(".py").replace("/", ".")),
        name=_clean(name or file),
        time=f"{result.seconds:.3f}",
    )
    essence = _clean(result.essence)
    if result.outcome == "failed":
        kind = "failure" if result.how in ("", "failed") else "error"
        found = ElementTree.SubElement(case, kind, message=essence, type=result.how or "failed")
        found.text = _clean(result.detail)
    elif result.outcome == "xfailed":
        ElementTree.SubElement(case, "skipped", message=essence, type="pytest.xfail")
    elif result.outcome != "passed":
        ElementTree.SubElement(case, "skipped", message=essence, type="pytest.skip")


def _suite(run: Run, created: str) -> ElementTree.Element:
    errors = sum(r.how not in ("", "failed") for r in run.failures)
    passed = run.counts()["passed"]
    suite = ElementTree.Element(
        "testsuite",
        name=run.module,
        timestamp=created,
        time=f"{run.seconds:.3f}",
        tests=str(len(run.results) + len(run.problems)),
        failures=str(len(run.failures) - errors),
        errors=str(errors + len(run.problems)),
        skipped=str(len(run.results) - len(run.failures) - passed),
    )
    for result in run.results:
        _case(suite, result)
    for problem in run.problems:
        case = ElementTree.SubElement(
            suite, "testcase", classname=_clean(problem.kind), name=_clean(problem.subject)
        )
        line, *_ = problem.message.splitlines() or [""]
        element = ElementTree.SubElement(case, "error", message=_clean(line), type=problem.kind)
        element.text = _clean(problem.message)
    return suite


def junit(runs: Sequence[Run], created: str) -> str:
    """The XML of some runs, a test suite for each; problems are errors of their own.

    A crash, a hang or an error in a fixture is an `error`, a failed assertion a `failure`. Expected
    failures are `skipped`, as pytest writes them.
    """
    root = ElementTree.Element("testsuites")
    root.extend(_suite(run, created) for run in runs)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
