"""Tells the code of a program from installed libraries, the standard library and this package."""

from __future__ import annotations

import os
from functools import cache

STATE = "__numpy_shim_jit__"  # the attribute of a function that has what ``jit`` knows of it

# Directories that belong to a Python installation or to an environment, anywhere.
_INSTALLED = frozenset({"site-packages", "dist-packages"})
STANDARD = os.path.dirname(os.path.realpath(os.__file__))
_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# Always libraries, even if the user's own tree has a checkout of them.
OWN = (_PACKAGE, os.path.join(os.path.dirname(_PACKAGE), "xp_torch"))


def inside(path: str, directory: str) -> bool:
    """Whether a path leads into a directory."""
    return path.startswith(os.path.join(directory, ""))


def is_installed(path: str) -> bool:
    """Whether a path leads through a directory where packages are installed."""
    return not _INSTALLED.isdisjoint(path.split(os.sep))


@cache
def is_programs(file: str) -> bool:
    """Whether a file, by the name that its code has, is a program's and not a library's.

    Code without a file, as that of an interactive session, is a program's.
    """
    if file.startswith("<"):
        return not file.startswith("<frozen")
    path = os.path.realpath(file)
    library = is_installed(path) or any(inside(path, own) for own in (*OWN, STANDARD))
    return not library
