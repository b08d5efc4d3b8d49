"""``numpy.lib.npyio``: the files that ``load`` opens."""

from __future__ import annotations

from numpy.lib.npyio import DataSource

from .._functions.io import NpzFile

__all__ = ["DataSource", "NpzFile"]
