"""The common options of the command lines."""

from __future__ import annotations

import argparse
import os
from pathlib import Path


def positive(text: str) -> int:
    """An option's value that is a count."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def cpus() -> int:
    """The number of CPU cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def add_basic(suite: argparse.ArgumentParser, module: str, expected: str, timeout: float) -> None:
    """The options that every run of tests has."""
    add = suite.add_argument
    add("--module", default=module, metavar="M", help=f"the namespace to test (default: {module})")
    text = "write report.json, .md, .html, .xml (JUnit), badge.json, badge.svg"
    add("--report", type=Path, metavar="DIR", help=text)
    text = "earlier JSON reports: --report shows the trend and what changed, and adds this one"
    add("--history", type=Path, metavar="DIR", help=text)
    add("--expected", type=Path, metavar="FILE", help=f"expected failures (default: {expected})")
    text = f"seconds for one test ({timeout:g})"
    add("--timeout", type=float, default=timeout, metavar="S", help=text)


def add_common(suite: argparse.ArgumentParser, module: str, expected: str, timeout: float) -> None:
    """The options that the suites of namespaces have."""
    add_basic(suite, module, expected, timeout)
    add = suite.add_argument
    add("--jobs", type=positive, default=cpus(), metavar="N", help="default: the number of CPUs")
    add("--against", nargs="+", default=[], metavar="M", help="peers to show beside the namespace")
