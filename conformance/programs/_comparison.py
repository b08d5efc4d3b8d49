"""One program, run twice: its exit status, words, numbers and figures."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

import numpy

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
ADDRESS = re.compile(r"(?<= at )0x[0-9a-fA-F]+")
"""Where an object is in memory, as ``repr`` shows it: another place in every run."""
CLOSE = 1e-6
"""The relative difference of printed numbers that is allowed beside one unit of the last digit."""
ZERO = 1e-9
"""Numbers below it are what rounding leaves of zero."""
STEPS = 2
"""Steps of brightness of 255 by which a pixel may differ."""


@dataclass
class Ran:
    """How a program ended, what it printed and drew, and what crossed to the host."""

    status: int
    text: str
    errors: str
    figures: dict[str, Any] = field(default_factory=dict)
    crossings: list[list[Any]] = field(default_factory=list)


class Start(Protocol):
    """Runs `python words` in a folder, without a standard input."""

    def __call__(
        self, words: Sequence[str], *, cwd: Path, variables: Mapping[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]: ...


def in_new_interpreter(
    words: Sequence[str], *, cwd: Path, variables: Mapping[str, str], timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run `python words`."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=cwd, env=variables, capture_output=True, text=True, timeout=timeout, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def run(
    script: Path,
    folder: Path,
    launcher: Sequence[str] = (),
    timeout: float = 300.0,
    start: Start = in_new_interpreter,
) -> Ran:
    """Run a program beside copies of its files; `launcher`: a module with options, or nothing."""
    work = folder / "work"
    work.mkdir(parents=True)
    for path in script.parent.iterdir():
        if path.is_file():
            shutil.copy(path, work)
        else:
            (work / path.name).symlink_to(path)
    words = ["-m", f"{__package__}.started", str(folder), *launcher, "--", str(script)]
    # The same order of the words in a set in every run.
    variables = {**os.environ, "MPLBACKEND": "Agg", "PYTHONHASHSEED": "0"}
    done = start(words, cwd=work, variables=variables, timeout=timeout)
    found = Ran(done.returncode, done.stdout, done.stderr)
    for file in sorted(folder.glob("*.npy")):
        found.figures[file.stem] = numpy.load(file).astype(int)
    crossings = folder / "crossings.json"
    if crossings.is_file():
        found.crossings = json.loads(crossings.read_text("utf-8"))
    return found


def difference(expected: Ran, found: Ran) -> str:
    """The first difference of two runs; empty if there is none."""
    if expected.status != found.status:
        last = (found.errors.strip().splitlines() or [""])[-1]
        return f"exit status {found.status}, with NumPy {expected.status}: {last}"
    return _text(expected.text, found.text) or _figures(expected.figures, found.figures)


def _text(expected: str, found: str) -> str:
    expected, found = ADDRESS.sub("0x", expected), ADDRESS.sub("0x", found)
    theirs, ours = NUMBER.sub("#", expected).split(), NUMBER.sub("#", found).split()
    if theirs != ours:
        pairs = enumerate(zip(theirs, ours, strict=False))
        at = next((i for i, (a, b) in pairs if a != b), min(len(theirs), len(ours)))
        part = slice(max(at - 3, 0), at + 4)
        return f"printed {' '.join(ours[part])!r}, with NumPy {' '.join(theirs[part])!r}"
    for a, b in zip(NUMBER.findall(expected), NUMBER.findall(found), strict=True):
        if not _is_close(a, b):
            return f"printed {b}, with NumPy {a}"
    return ""


def _is_close(a: str, b: str) -> bool:
    one, other = Decimal(a), Decimal(b)
    largest = max(abs(one), abs(other))
    last = max(int(x.as_tuple().exponent) for x in (one, other))
    are_floats = all({".", "e"} & {*text} for text in (a, b))
    has_unit = are_floats and (last < 0 or ("e" in a and "e" in b))
    unit = Decimal(1).scaleb(last) if has_unit else Decimal(0)
    rounding = largest * Decimal(CLOSE) if are_floats else Decimal(0)
    is_zero = are_floats and largest < Decimal(ZERO)
    return is_zero or abs(one - other) <= max(unit, rounding)


def _figures(expected: dict[str, Any], found: dict[str, Any]) -> str:
    if expected.keys() != found.keys():
        return f"{len(found)} open figures, with NumPy {len(expected)}"
    for name, pixels in expected.items():
        if pixels.shape != found[name].shape:
            return f"figure {name} has the shape {found[name].shape}, with NumPy {pixels.shape}"
        apart = (abs(pixels - found[name]).max(axis=-1) > STEPS).sum()
        if apart:
            return f"figure {name}: {apart} of {pixels[..., 0].size} pixels differ"
    return ""
