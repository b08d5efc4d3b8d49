"""Writes which functions gather a split array into ``distributed.md``, from the list of the tests.

python docs/generate_gathering.py [--check]
"""

from __future__ import annotations

import sys

from _marked import main

from tests.distributed.gathering import LISTED


def listed() -> str:
    """The names of both namespaces."""
    return "\n".join(
        f"- `{namespace}`: " + ", ".join(f"`{name}`" for name in names)
        for namespace, names in LISTED.items()
    )


if __name__ == "__main__":
    sys.exit(main("distributed.md", {"gathering": listed()}, __doc__.splitlines()[0]))
