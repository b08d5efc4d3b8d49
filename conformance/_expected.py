"""Expected failures: one file per namespace, `test id  # reason` a line."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).with_name("expected")
# The parameters of a test may contain a "#"; they end with the bracket.
_ENTRY = re.compile(r"^(?P<id>[^\[#]+\[.*?\]|[^\[]+?)(?:\s+#\s*(?P<reason>.*))?$")


class ExpectationError(Exception):
    """A file of expected failures that cannot be used."""


def read(module: str, path: Path | None = None) -> dict[str, str]:
    """The reason of each expected failure by test id; empty if the module has no file."""
    source = path or FOLDER / f"{module}.txt"
    if path is None and not source.is_file():
        return {}
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
