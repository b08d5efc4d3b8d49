"""Writes the table of worlds of ``conformance.md`` from their descriptions.

python docs/generate_worlds.py [--check]
"""

from __future__ import annotations

import sys

from _marked import main, table

from conformance.worlds import WORLDS, World


def cell(world: World) -> str:
    """The name, and whether a test must say what is under test."""
    return f"`{world.name}`" + (" ¹" if world.needs_function else "")


def listed() -> str:
    """A row for each world."""
    rows = [[cell(w), w.sentence, w.remedy] for w in WORLDS]
    return table(["world", "what it is", "what to write instead"], rows)


if __name__ == "__main__":
    sys.exit(main("conformance.md", {"worlds": listed()}, __doc__.splitlines()[0]))
