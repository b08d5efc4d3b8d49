"""Runs of the public suite that did not take place, for the tests of tables and reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from conformance._cli import parser
from conformance.array_api._checkout import Checkout
from conformance.array_api._suite import ArrayApi, ArrayApiRun


def suite(**options: Any) -> ArrayApi:
    """The suite, with a seed of 7 and a checkout that is not there."""
    words = ["array-api", "--max-examples", "20", "--jobs", "2"]
    for name, value in options.items():
        words += [f"--{name}", str(value)]
    found = ArrayApi(Console(quiet=True), parser().parse_args(words))
    found.checkout = Checkout(Path("/suite"), "0123456789abcdef", "", modified=False)
    found.seed = 7
    return found


def run(module: str, version: str = "0.1", **fields: Any) -> ArrayApiRun:
    """A run without results."""
    repeat = suite().request(module, None).repeat
    found = ArrayApiRun(module, version, repeat, api_version="2025.12", seed=7, max_examples=20)
    for name, value in fields.items():
        setattr(found, name, value)
    return found
