"""Writes the reference of ``numpy_shim`` into docs/api/numpy/, a page a chapter of ``__all__``.

    python docs/generate_reference.py [--check]

With ``--check`` nothing is written; the exit status is 1 if a page is not current.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from pathlib import Path

DOCS = Path(__file__).parent
PACKAGE = DOCS.parent / "numpy_shim"
FOLDER = DOCS / "api" / "numpy"
MODULES = ["linalg", "fft", "random", "polynomial", "lib", "lib.stride_tricks", "lib.array_utils",
           "lib.scimath", "lib.format", "lib.npyio", "distributed"]  # fmt: skip
NOT_OURS = {"Modules", "Scalar types"}
"""Chapters that name what NumPy or a page of its own documents."""


def chapters() -> dict[str, list[str]]:
    """The names of ``__all__`` by the comments between them."""
    source = (PACKAGE / "__init__.py").read_text("utf-8")
    found: dict[str, list[str]] = {}
    inside, title = False, ""
    for line in source.splitlines():
        if line.startswith("__all__ = ["):
            inside = True
        elif inside and line.startswith("]"):
            break
        elif inside and (comment := re.match(r"\s*# (.*)", line)):
            title = comment[1].strip()
        elif inside:
            found.setdefault(title, []).extend(ast.literal_eval(f"[{line.strip()}]"))
    return found


def names_of(module: str) -> list[str]:
    """The public names of a submodule."""
    import importlib

    return sorted(importlib.import_module(f"numpy_shim.{module}").__all__)


def pages() -> dict[str, str]:
    """Each page's text, by its file name."""
    made = {}
    for title, names in chapters().items():
        names = [n for n in names if n != "ndarray"]  # on its own page
        if title not in NOT_OURS:
            made[f"{slug(title)}.md"] = page(
                title, [f"numpy_shim.{name}" for name in names if not name.startswith("_")]
            )
    for module in MODULES:
        names = [f"numpy_shim.{module}.{name}" for name in names_of(module)]
        made[f"{module.replace('.', '_')}.md"] = page(f"numpy_shim.{module}", names)
    made["ndarray.md"] = page("The array", ["numpy_shim.ndarray"])
    return made


def slug(title: str) -> str:
    """The file name of a chapter: its first words."""
    first = re.split("[,:]", title)[0]
    return first.lower().replace(" ", "_")


def page(title: str, names: list[str]) -> str:
    entries = "\n\n".join(f"::: {name}" for name in names)
    return f"# {title}\n\n{entries}\n"


def main() -> int:
    """Write the pages, or compare them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    made = pages()
    old = {f.name: f.read_text("utf-8") for f in FOLDER.glob("*.md")}
    if check:
        stale = sorted(n for n in made.keys() | old.keys() if made.get(n) != old.get(n))
        print(f"not current: {', '.join(stale)}" if stale else "docs/api/numpy is current")
        return 1 if stale else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in old.keys() - made.keys():
        (FOLDER / name).unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
