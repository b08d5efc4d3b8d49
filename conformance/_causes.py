"""Group failed tests by cause: failures with one cause need one fix."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

LENGTH = 200
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+\b")
# Excludes the digits of names such as float64.
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?j?(?!\w)|(?<!\w)\.\d+(?!\w)")
_NUMBERS = re.compile(r"#(?:[,\s]+#)+")
_FOLDER = re.compile(r"(?<![\w.])/(?:[\w.+-]+/)+")


@dataclass(frozen=True)
class Cause:
    """The exception's type, its message without variable parts, and its origin.

    `frame` is the innermost frame in the module under test, file and function; "" if the exception
    did not come from there.
    """

    kind: str
    message: str = ""
    frame: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}" if self.message else self.kind


UNKNOWN = Cause("unknown")


def normalised(text: str) -> str:
    """The first line of a message without numbers, addresses and folders.

    >>> normalised("shapes (3, 4) and (5,) at 0x7f0a, float64, 1.5e-3 off")
    'shapes (#) and (#,) at 0x#, float64, # off'
    """
    lines = text.strip().splitlines()
    line = " ".join(lines[0].split()) if lines else ""
    line = _NUMBER.sub("#", _FOLDER.sub("", _ADDRESS.sub("0x#", line)))
    return _NUMBERS.sub("#", line)[:LENGTH].rstrip()


def where(trace: TracebackType | None, folder: Path | None) -> str:
    """The innermost frame of a traceback in a folder: file and function."""
    found = ""
    while trace is not None and folder is not None:
        code = trace.tb_frame.f_code
        path = Path(code.co_filename)
        if path.is_relative_to(folder):
            found = f"{path.relative_to(folder.parent).as_posix()} in {code.co_qualname}"
        trace = trace.tb_next
    return found


def cause(error: BaseException, folder: Path | None) -> Cause:
    """The cause of an exception; for a group, that of its first exception."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return Cause(type(error).__name__, normalised(str(error)), where(error.__traceback__, folder))
