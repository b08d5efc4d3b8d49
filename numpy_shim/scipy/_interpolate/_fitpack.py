"""What ``scipy.interpolate._fitpack`` computes for splines of one variable, in torch.

The functions are those of SciPy 1.18. A spline is given as FITPACK has it: its knots, coefficients
(there may be more than are used), and degree. Each function but the integral returns FITPACK's
``ier`` last: 0 if all is right, 10 for invalid input.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import torch
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from .._standing import OnTheHostError
from ._dierckx import basis, evaluate_spline, interval

_BEFORE = find_spec("scipy.interpolate._dfitpack")
error: type[Exception] = (
    getattr(import_module(_BEFORE.name), "__dfitpack_error") if _BEFORE else ValueError
)
"""What SciPy raises for arrays of other sizes; before 1.18 it is f2py's."""

ZERO, REFUSE, BOUNDARY = 1, 2, 3
"""What a spline is outside of its knots (``ext``); with 0 it goes on."""


def splev(t: Any, c: Any, k: int, x: Any, ext: int) -> tuple[ndarray | None, int]:
    return splder(t, c, k, 0, x, ext)


def splder(t: Any, c: Any, k: int, nu: int, x: Any, ext: int) -> tuple[ndarray | None, int]:
    """The derivative ``nu`` at the places."""
    knots, control = spline_of("splev", t, c, k)
    places = as_tensor("splev", x).to(knots)
    if not len(places):
        return None, 10
    low, high = knots[k], knots[len(knots) - k - 1]
    outside = (places < low) | (places > high)
    if ext == REFUSE and bool(outside.any()):
        return None, 1
    if ext == BOUNDARY and nu == 0:
        places = torch.maximum(torch.minimum(places, high), low)
    found = evaluate_spline(wrap(knots), wrap(control[:, None]), k, wrap(places), nu, True)
    values = found._tensor[:, 0]
    return wrap(torch.where(outside, 0.0, values) if ext == ZERO else values), 0


def integrals(t: Any, c: Any, k: int, a: Any, b: Any) -> tuple[ndarray, ndarray]:
    """The integral from ``a`` to ``b``, and of each B-spline; outside the spline is 0."""
    knots, control = spline_of("splint", t, c, k)
    ends = [as_tensor("splint", x).to(knots) for x in (a, b)]
    longer = torch.cat([knots[:1], knots, knots[-1:]])
    low, high = knots[k], knots[len(knots) - k - 1]
    below = []
    for end in ends:
        x = torch.maximum(torch.minimum(end, high), low).reshape(1)
        place = interval(longer, k + 1, x)
        sums = knots.new_zeros(len(knots) - k)
        at = place - k - 1 + torch.arange(k + 2, device=place.device)
        sums = sums.index_put((at,), basis(longer, k + 1, x, place)[0])
        below.append(sums.flip(0).cumsum(0).flip(0)[1:])  # the part of each that is left of ``x``
    widths = (knots[k + 1 :] - knots[: len(knots) - k - 1]) / (k + 1)
    integrals = widths * (below[1] - below[0])
    whole = torch.cat([integrals, knots.new_zeros(k + 1)])
    return wrap(torch.dot(control, integrals)), wrap(whole)


def splint(t: Any, c: Any, k: int, a: Any, b: Any) -> ndarray:
    return integrals(t, c, k, a, b)[0]


def spalde(t: Any, c: Any, order: int, x: Any) -> tuple[ndarray, int]:
    """The value and all derivatives at a place."""
    knots, control = spline_of("spalde", t, c, order - 1)
    place = as_tensor("spalde", x).to(knots).reshape(1)
    if bool((place < knots[order - 1]) | (place > knots[len(knots) - order])):
        return wrap(knots.new_zeros(order)), 10
    of_all = [
        evaluate_spline(wrap(knots), wrap(control[:, None]), order - 1, wrap(place), nu, True)
        for nu in range(order)
    ]
    return wrap(torch.cat([found._tensor[:, 0] for found in of_all])), 0


def spline_of(name: str, t: Any, c: Any, k: int) -> tuple[Tensor, Tensor]:
    """The knots and the coefficients that are used."""
    knots, control = as_tensor(name, t).double(), as_tensor(name, c)
    if len(control) < len(knots) - k - 1:
        words = "The length of c must be >=n-k-1" if name == "splint" else "c array is too small"
        raise error("(len(c)>=n-k-1) failed for 2nd argument c" if _BEFORE else words)
    return knots, control.to(knots)[: len(knots) - k - 1]


def insert(
    periodic: int, t: Any, c: Any, k: int, x: Any, times: int
) -> tuple[ndarray, ndarray, int]:
    """The same spline with a knot more, ``times`` times: Boehm's algorithm."""
    if periodic:
        raise OnTheHostError("FITPACK inserts the knots of a periodic spline")
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


_insert = insert  # its name before SciPy 1.18
