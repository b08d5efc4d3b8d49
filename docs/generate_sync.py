"""Writes the list of ``sync.md`` from the one that the tests and the GPU check use.

python docs/generate_sync.py [--check]
"""

from __future__ import annotations

import sys

from _marked import main, table

from tests import synchronising


def listed() -> str:
    """The calls that wait, under their reasons."""
    reasons: dict[str, list[str]] = {}
    for call in synchronising.LIST:
        reasons.setdefault(call.why, []).append(f"`{call.text}`")
    return table(["reason", "calls"], [[why, "<br>".join(c)] for why, c in reasons.items()])


def free() -> str:
    """The calls close to them that do not."""
    return ", ".join(f"`{call.text}`" for call in synchronising.FREE) + "."


if __name__ == "__main__":
    sys.exit(main("sync.md", {"waits": listed(), "free": free()}, __doc__.splitlines()[0]))
