"""The common options of the command lines."""

from __future__ import annotations

import argparse
import os


def positive(text: str) -> int:
    """An option's value that is a count."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def cpus() -> int:
    """The number of CPU cores available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
