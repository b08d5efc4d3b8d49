"""Makes the program's threads share the settings that torch keeps per thread.

The default device and the modes that watch torch's calls are in force in one thread only.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any


def in_started_threads(context: Callable[[], AbstractContextManager[Any]]) -> Callable[[], None]:
    """Run every thread that is started from now on in its own context; returns an undo function."""
    plain = threading.Thread.start

    def start(self: threading.Thread) -> None:
        run = self.run

        def run_in_context() -> None:
            with context():
                run()

        self.run = run_in_context  # type: ignore[method-assign]  # subclasses have a run of their own
        plain(self)

    threading.Thread.start = start  # type: ignore[method-assign]

    def undo() -> None:
        if threading.Thread.start is start:
            threading.Thread.start = plain  # type: ignore[method-assign]

    return undo
