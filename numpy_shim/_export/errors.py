"""The error of ``export``."""

from __future__ import annotations

__all__ = ["ExportError"]


class ExportError(RuntimeError):
    """A function cannot be exported, or its file gives other results than the function.

    The text names the line of the program that is concerned, where there is one, and the reason.
    """
