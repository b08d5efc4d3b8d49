"""What ``scipy.interpolate._fitpack`` computes in C for splines of one variable, in torch."""

from __future__ import annotations

from typing import Any

import torch

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from .._standing import OnTheHostError
from ._dfitpack import spline_of
from ._dierckx import interval


def _insert(
    periodic: int, t: Any, c: Any, k: int, x: Any, times: int
) -> tuple[ndarray, ndarray, int]:
    """The same spline with a knot more, ``times`` times: Boehm's algorithm."""
    if periodic:
        raise OnTheHostError("FITPACK inserts the knots of a periodic spline, in C")
    knots, control = spline_of("insert", t, c, k)
    place = as_tensor("insert", x).to(knots).reshape(1)
    if bool((place < knots[k]) | (place > knots[len(knots) - k - 1])):
        return wrap(knots), wrap(control), 10
    for _ in range(times):
        left = int(interval(knots, k, place))
        begin, end = knots[left - k + 1 : left + 1], knots[left + 1 : left + k + 1]
        width = end - begin
        part = torch.where(width == 0, 1.0, (place - begin) / torch.where(width == 0, 1.0, width))
        old = control[left - k : left + 1]
        new = part * old[1:] + (1 - part) * old[:-1]
        control = torch.cat([control[: left - k + 1], new, control[left:]])
        knots = torch.cat([knots[: left + 1], place, knots[left + 1 :]])
    return wrap(knots), wrap(torch.cat([control, knots.new_zeros(k + 1)])), 0
