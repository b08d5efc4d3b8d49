"""Writes the tables of ``torch_releases.md`` from the code and the tests.

python docs/generate_releases.py [--check]
"""

from __future__ import annotations

import ast
import re
import sys

from _marked import DOCS, linked, main, table

from tests import releases
from tests.numpy_shim import older_releases
from xp_torch._torch import patches

HOMES = [
    "xp_torch/_torch/internals.py",
    "xp_torch/_torch/dynamo.py",
    "xp_torch/_torch/patches.py",
    "xp_backend/_torch_internals.py",
]


def changes() -> str:
    """Every change of torch: where, what for, and what is lost without it."""
    patches.install_all()
    rows = [
        [f"`{p.target.removeprefix('torch.')}`", p.why, p.without, f"{p.until}."]
        for p in sorted(patches.PATCHES, key=lambda p: p.target)
    ]
    return table(["name, in `torch`", "what it does", "without it", "what would end it"], rows)


_LINE = re.compile(r"((?:``\S+``(?:'s)?,? ?)+)?\s*(.*)")
"""A line of a table in a docstring: names, or none where a cell goes on, and the reason."""


def names() -> str:
    """The tables in the docstrings of the files that use private names."""
    rows: list[list[str]] = []
    for home in HOMES:
        text = ast.get_docstring(ast.parse((DOCS.parent / home).read_text(encoding="utf-8"))) or ""
        body = re.split(r"^=+  =+$", text, flags=re.MULTILINE)[2]
        for line in body.strip().splitlines():
            found, reason = (part or "" for part in _LINE.fullmatch(line).groups())  # type: ignore[union-attr]
            if found and not (rows and rows[-1][1].endswith(",")):
                rows.append([home, "", ""])
            rows[-1][1] = f"{rows[-1][1]} {found}".strip()
            rows[-1][2] = f"{rows[-1][2]} {reason}".strip()
    return table(
        ["file", "name", "what would make it unnecessary"],
        [[f"`{home}`", *(cell.replace("``", "`") for cell in cells)] for home, *cells in rows],
    )


def limits() -> str:
    """What is expected to fail before a release."""
    rows = [
        [f"{'.'.join(map(str, since.release))}", since.reason] for since in older_releases.TORCH
    ]
    traced: dict[tuple[int, int], list[str]] = {}
    for name, release in releases.TRACED_SINCE.items():
        traced.setdefault(release, []).append(f"`{name}`")
    rows += [[".".join(map(str, r)), "traces " + ", ".join(n)] for r, n in traced.items()]
    for name, release in releases.GRADIENT_SINCE.items():
        rows.append([".".join(map(str, release)), f"has the derivative of `{name}`"])
    return table(["from torch", "which"], rows)


if __name__ == "__main__":
    tables = {"patches": changes(), "names": names(), "releases": limits()}
    parts = {name: linked(text) for name, text in tables.items()}
    sys.exit(main("torch_releases.md", parts, __doc__.splitlines()[0]))
