"""``numpy.lib.npyio``: the files that ``load`` opens."""

from __future__ import annotations

from numpy.lib.npyio import DataSource as DataSource

from .._functions.io import NpzFile as NpzFile

__all__ = ["DataSource", "NpzFile"]
