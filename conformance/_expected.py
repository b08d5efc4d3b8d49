"""Expected failures: one file per namespace, `test id  # reason` a line.

A file `M.on_D.txt` adds those of the namespace `M` on the device `D`."""

from __future__ import annotations

import re
from pathlib import Path

from ._results import UnableError

FOLDER = Path(__file__).with_name("expected")
# The parameters of a test may contain a "#"; they end with the bracket.
_ENTRY = re.compile(r"^(?P<id>[^\[#]+\[.*?\]|[^\[]+?)(?:\s+#\s*(?P<reason>.*))?$")


class ExpectationError(UnableError):
    """A file of expected failures that cannot be used."""


def read(module: str, path: Path | None = None, device: str | None = None) -> dict[str, str]:
    """The reason of each expected failure by test id; empty if the module has no file."""
    if path is not None:
        return _read_file(path)
    entries: dict[str, str] = {}
    kind = (device or "").partition(":")[0]
    for name in (f"{module}.txt", f"{module}.on_{kind}.txt"):
        source = FOLDER / name
        if source.is_file():
            entries |= _read_file(source)
    return entries


def _read_file(source: Path) -> dict[str, str]:
    entries: dict[str, str] = {}
    try:
        lines = source.read_text("utf-8").splitlines()
    except OSError as error:
        raise ExpectationError(f"{source}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        match = _ENTRY.match(text)
        if match is None or not match["reason"]:
            raise ExpectationError(f"{source}:{number}: no reason given (`test id  # reason`)")
        if match["id"] in entries:
            raise ExpectationError(f"{source}:{number}: {match['id']} is listed twice")
        entries[match["id"]] = match["reason"]
    return entries
