"""Fixed calls, one a line, written as in a script: ``np.sort([3, 1], axis=0)``."""

from __future__ import annotations

from typing import Any

from tests.numpy_shim.differential import compare


def lines(calls: str) -> list[str]:
    """The calls of a text."""
    return [line.strip() for line in calls.strip().splitlines() if line.strip()]


def compare_call(call: str, **options: Any) -> Any:
    """Compare one call in both namespaces: its value, or the kind of its error."""
    return compare(eval(f"lambda np: {call}"), **options)
