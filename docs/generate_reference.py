"""Writes the reference of ``numpy_shim`` into docs/api/numpy/, a page a chapter of ``__all__``.

    python docs/generate_reference.py [--check]

With ``--check`` nothing is written; the exit status is 1 if a page is not current.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))  # the script is also run from a checkout not installed

import numpy_shim  # noqa: E402

PACKAGE = DOCS.parent / "numpy_shim"
FOLDER = DOCS / "api" / "numpy"
MODULES = ["linalg", "fft", "random", "polynomial", "lib", "lib.stride_tricks", "lib.array_utils",
           "lib.scimath", "lib.format", "lib.mixins", "lib.npyio", "distributed",
           "special"]  # fmt: skip
BESIDE = {"export": ["numpy_shim._export.exported.Exported"]}
"""What stands on a page after a function: the class of its results."""
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
    shown = [other for name in names for other in (name, *BESIDE.get(name.rpartition(".")[2], []))]
    entries = "\n\n".join(entry(name) for name in shown)
    return f"# {title}\n\n{entries}\n"


def entry(name: str) -> str:
    """What a page says of a name: mkdocstrings reads its docstring, unless it is NumPy's object."""
    parent, _, last = name.rpartition(".")
    value = getattr(importlib.import_module(parent), last)
    if is_numpys(value):
        if inspect.ismodule(value):
            kind, path = "module", value.__name__
        else:
            kind = "class" if isinstance(value, type) else "function"
            path = f"{value.__module__}.{last}"
        return f"## {last} {{ #{name} }}\n\nNumPy's own {kind}: `{path} is {name}`."
    module = name.removeprefix("numpy_shim.")
    if module in MODULES:
        text = f"{first_line(value)} See [its page]({module.replace('.', '_')}.md)."
        return f"## {last} {{ #{name} }}\n\n{text}"
    if can_be_read(value):
        return f"::: {name}{griffe_options(name, value)}"
    if inspect.ismodule(value):
        names = ", ".join(f"`{n}`" for n in sorted(value.__all__))
        text = f"NumPy's code of this name, run on our arrays. Names: {names}."
    elif kind_of(value).__module__.startswith("numpy_shim.polynomial"):
        text = f"NumPy's code of this name, run on our arrays: a class of `{value.__module__}`."
    elif (home := kind_of(value).__module__).startswith("numpy_shim._numpys."):
        source = home.replace("numpy_shim._numpys", "numpy.lib")
        text = f"NumPy's code of this name, in `{source}`, run on our arrays."
    else:
        shown = f"{last}{inspect.signature(value)}\n\n{inspect.getdoc(value)}"
        text = f"```text\n{shown}\n```"
    return f"## {last} {{ #{name} }}\n\n{text}"


def kind_of(value: object) -> Any:
    """A function or class itself; the class of another object."""
    return value if callable(value) else type(value)


def first_line(value: object) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(value) or "").partition("\n")[0]


def griffe_options(name: str, value: object) -> str:
    """The warnings of mkdocstrings' parser to switch off: about texts that are NumPy's own."""
    parent, _, last = name.rpartition(".")
    if name in ("numpy_shim.ndarray", "numpy_shim.distributed.Explanation"):
        option = "warn_unknown_params"  # it knows of __init__, not of __new__ or a named tuple
    elif isinstance(value, numpy_shim.ufunc) or (
        parent == "numpy_shim.random"
        and (isinstance(value, type) or inspect.ismethod(value) or last == "seed")
    ):
        option = "warnings"
    else:
        return ""
    return f"\n    options:\n      docstring_options:\n        {option}: false"


def can_be_read(value: object) -> bool:
    """Whether mkdocstrings finds the object: in a plain module of the package's own files."""
    if not callable(value) and not inspect.ismodule(value):
        return not type(value).__module__.startswith("numpy_shim._numpys.")
    home = value if inspect.ismodule(value) else sys.modules.get(getattr(value, "__module__", ""))
    if home is None:
        return True
    ours = Path(getattr(home, "__file__", None) or "/").is_relative_to(PACKAGE)
    return type(home) is ModuleType and ours and not is_numpys(inspect.unwrap(value))


def is_numpys(value: object) -> bool:
    """Whether an object is NumPy's: mkdocstrings would load all of NumPy for it."""
    if inspect.ismodule(value):
        return value.__name__.split(".")[0] == "numpy"
    if not callable(value):
        return False
    module = getattr(value, "__module__", None)
    if module is None:  # of functions written in C
        module = getattr(inspect.getmodule(value), "__name__", "")
    return str(module).split(".")[0] == "numpy"


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
