"""Writes the findings of ``portability/index.md``: runs each file of the folder, in its world.

python docs/generate_portability.py [--check]
"""

from __future__ import annotations

import ast
import contextlib
import importlib.metadata
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
DEVICES = {"two devices": "device1", "no float64": "no_float64", "zero-size": "CPU_DEVICE"}
"""The devices of array-api-strict that stand for a world."""
EVERY = TestCode(lambda frame: True, lambda frame: True)
LIBRARIES = ("array-api-extra", "array-api-strict", "scipy")


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
    if world not in DEVICES:
        return "not run: JAX is not installed"
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
    return shown(f"{type(error).__name__}: {error}") if error else "passes"


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
    return [
        f"[{file.stem}]({file.name})", f"`{name[1]}`", doc, shown(line), shown(found.text),
        on_strict(name[1], code),
    ]  # fmt: skip


def findings() -> str:
    """A row for each file, and the versions."""
    headings = ["file", "world", "what happens", "line", "error", "on array-api-strict"]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    rows = [row(file) for file in FILES]
    return f"{len(rows)} findings, with {versions}.\n\n{table(headings, rows)}"


if __name__ == "__main__":
    sys.exit(main("portability/index.md", {"findings": findings()}, __doc__.splitlines()[0]))
