"""What older releases of torch do not do: the cases that need a newer one.

The reasons in the table are those of the release that ``constraints.txt`` pins. Each name here
has been seen to fail with the releases before the one that is given, and a name that no longer
does fails the test of exceptions.
"""

from __future__ import annotations

import torch

from tests.surface import Case

TORCH = tuple(int(part) for part in torch.__version__.split(".")[:2])

TRACED_SINCE: dict[str, tuple[int, int]] = {
    **dict.fromkeys(
        (
            # Dynamo did not call the method that makes a Python value, nor in-place ones by name,
            "Array.__bool__", "Array.__int__", "Array.__float__", "Array.__index__",
            "ndarray.__bool__", "ndarray.__float__", "ndarray.__contains__",
            "float64.is_integer", "float64.__round__",
            "ndarray.__iand__", "ndarray.__ior__", "ndarray.__ixor__", "ndarray.__ilshift__",
            "ndarray.__irshift__",
        ),
        (2, 12),
    ),
    **dict.fromkeys(
        (
            # nor those of a number beside an array.
            "Array.__rand__", "Array.__ror__", "ndarray.__rand__", "ndarray.__ror__",
        ),
        (2, 13),
    ),
}  # fmt: skip

GRADIENT_SINCE: dict[str, tuple[int, int]] = dict.fromkeys(("nextafter", "spacing"), (2, 13))
"""torch had no derivative of ``nextafter``."""


def traced(case: Case) -> bool:
    """Whether this release of torch traces the case, as far as releases go."""
    return TRACED_SINCE.get(case.name, (0, 0)) <= TORCH


def differentiated(case: Case) -> bool:
    """Whether this release of torch has the derivatives that the case needs."""
    return GRADIENT_SINCE.get(case.name, (0, 0)) <= TORCH
