"""Writes the findings of ``portability/index.md``: runs each file of the folder, in its world.

python docs/generate_portability.py [--check]

The rows of a library that is not installed stay as they are.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.metadata
import importlib.util
import os
import re
import sys
import warnings
from pathlib import Path
from typing import Any
from unittest import mock

from _marked import DOCS, main, table

os.environ["SCIPY_ARRAY_API"] = "1"  # before SciPy is imported

import array_api_strict

from conformance.worlds._bound import BoundNamespace
from conformance.worlds._frames import TestCode
from conformance.worlds._refusals import refusal
from conformance.worlds._table import find

FILES = sorted((DOCS / "portability").glob("*.py"))
PAGE = DOCS / "portability" / "index.md"
DEVICES = {
    "strict": "CPU_DEVICE", "device": "device1", "two devices": "device1",
    "no float64": "no_float64", "zero-size": "CPU_DEVICE",
}  # fmt: skip
"""The devices of array-api-strict that stand for a world."""
ELSEWHERE = {
    "immutable": "not run: JAX is not installed",
    "no values": "not run: its arrays have values",
}
PASSES = "passes"
EVERY = TestCode(lambda frame: True, lambda frame: True)
LIBRARIES = {
    "array_api_extra": "array-api-extra", "glass": "glass", "nanomanifold": "nanomanifold",
    "scipy": "scipy", "sklearn": "scikit-learn", "xarray": "xarray",
}  # fmt: skip
"""The distribution of each library, by the beginning of a file's name."""


def raised(code: Any) -> Exception | None:
    """What a program raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(code, {})
        except Exception as error:
            return error
    return None


def shown(text: str) -> str:
    """A text as code in a cell of a table."""
    return f"`{' '.join(text.split()).replace('|', '/')}`" if text else ""


def on_strict(world: str, code: Any) -> str:
    """What the same program raises with arrays of array-api-strict."""
    if world in ELSEWHERE:
        return ELSEWHERE[world]
    device = array_api_strict.Device(DEVICES[world])
    namespace = BoundNamespace(array_api_strict, EVERY, device)
    empty = world == "zero-size"

    def portable(function: Any, **options: Any) -> Any:
        return lambda x, *rest: function(x[:0], *rest) if empty else function(x, *rest)

    entered = lambda name: contextlib.nullcontext(namespace)  # noqa: E731
    with (
        mock.patch("conformance.worlds.world", entered),
        mock.patch("conformance.worlds.portable", portable),
    ):
        error = raised(code)
    return shown(f"{type(error).__name__}: {error}") if error else PASSES


def library(file: Path) -> str:
    """The library that a file is about."""
    return next(name for name in LIBRARIES if file.stem.startswith(name))


def row(file: Path) -> list[str]:
    """The file, the world, the line and the error of a finding, and the same on a real library."""
    source = file.read_text("utf-8")
    code = compile(source, str(file), "exec")
    name = re.search(r'world\("([^"]+)"\)', source)
    assert name is not None, file
    error = raised(code)
    assert error is not None, f"{file.name} raises nothing"
    found = refusal(find(name[1]), error)
    line = re.sub(r"^.*site-packages/", "", found.frame)
    doc = ast.get_docstring(ast.parse(source)) or ""
    on_real = on_strict(name[1], code)
    assert on_real != PASSES, f"{file.name} is no finding: it runs on array-api-strict"
    distribution = LIBRARIES[library(file)]
    return [
        f"[{file.stem}]({file.name})", f"`{name[1]}`", doc,
        f"{distribution} {importlib.metadata.version(distribution)}: {shown(line)}",
        shown(found.text), on_real,
    ]  # fmt: skip


def kept(file: Path) -> list[str]:
    """The row of a finding as it is on the page."""
    start = f"| [{file.stem}]({file.name}) |"
    (line,) = (line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(start))
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def findings() -> str:
    """A row for each file, and the version of array-api-strict."""
    headings = ["file", "world", "what happens", "line", "error", "on array-api-strict"]
    installed = {name for name in LIBRARIES if importlib.util.find_spec(name) is not None}
    rows = [(row if library(file) in installed else kept)(file) for file in FILES]
    version = importlib.metadata.version("array-api-strict")
    text = f"{len(rows)} findings, beside array-api-strict {version}."
    return f"{text}\n\n{table(headings, rows)}"


if __name__ == "__main__":
    sys.exit(main("portability/index.md", {"findings": findings()}, __doc__.splitlines()[0]))
