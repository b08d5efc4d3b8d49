"""Floating-point errors: ``errstate`` and its like, honoured where they are asked for.

NumPy warns of a division by zero as it computes; on a device that would wait for every
result. So nothing is looked at until ``seterr`` or ``errstate`` asks for a warning, an
exception or a call; then each result is checked, which synchronises.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor

active = False
"""Whether any kind of error is looked for."""


def check(name: str, operands: list[Tensor], results: tuple[Tensor, ...]) -> None:
    """Look for the errors of a call, and warn or raise as it was asked for."""
    raise NotImplementedError(name, operands, results)


def geterr() -> dict[str, Any]:
    """What is done about each kind of floating-point error."""
    return dict.fromkeys(("divide", "over", "under", "invalid"), "ignore")
