"""Checks of slices and neighbours: what NumPy programs on a grid are made of."""

from __future__ import annotations

import itertools

import numpy

import numpy_shim as np
from numpy_shim import distributed
from tests.distributed.bodies import mesh
from tests.distributed.checks import check, pair, same


@check
def a_stencil_moves_its_borders_only() -> None:
    """Bytes grow with the surface: rows at the borders, whatever the number of rows."""
    width, processes = 16, mesh().size()
    moved = {}
    for rows in (60, 600, 6000):
        u, n = pair(rows, width)

        def step(u: np.ndarray | numpy.ndarray) -> None:
            u[1:-1] = (u[:-2] + u[2:]) / 2

        found = distributed.explain(step, u)
        step(n)
        same(u, n)
        assert set(found.bytes) == {"neighbours"}
        moved[rows] = found.bytes["neighbours"]
    bound = 8 * width * 4 * 3 * processes
    assert max(moved.values()) <= bound
    assert moved[60] == moved[6000]


@check
def a_slice_of_rows_that_are_where_they_are_needed_is_a_view() -> None:
    for rows in range(1, 12):
        for first, last, step in itertools.product(range(4), range(4), (1, 2)):
            a, n = pair(rows, 3)
            for m in (a, n):
                x = m[first : rows - last : step]
                x += 1
                m *= 2
                x[:1] = 7
                m[first : rows - last : step] -= x[::-1]
            same(a, n)
            same(a[first : rows - last : step], n[first : rows - last : step])
    u, _ = pair(8, 3)
    if mesh().size() == 2:
        assert not distributed.explain(lambda: u[1:-1] * 2).bytes
        assert not distributed.explain(u.__setitem__, slice(1, -1), 1.0).bytes


@check
def shifts_and_differences_move_their_borders_only() -> None:
    a, n = pair(3000)
    whole = n.nbytes
    shifts = (
        lambda m, x: m.roll(x, 3),
        lambda m, x: m.diff(x),
        lambda m, x: m.cumsum(x),
        lambda m, x: x[5:-7] - x[:-12],
        lambda m, x: m.concatenate([x[:2], x]),
    )
    for k, f in enumerate(shifts):
        found = distributed.explain(f, np, a)
        same(found.result, f(numpy, n))
        assert sum(found.bytes.values()) < whole / 20, (k, found.bytes)


@check
def two_axes_of_a_stencil() -> None:
    u, n = pair(40, 30)
    for b in (u, n):
        b[1:-1, 1:-1] += 0.1 * (
            b[:-2, 1:-1] + b[2:, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] - 4 * b[1:-1, 1:-1]
        )
    same(u, n)


@check
def views_of_views_are_those_of_numpy_whatever_is_written_when() -> None:
    """What a process lacks comes when a slice is taken, and is joined when it is read."""
    for seed in range(30):
        rng = numpy.random.default_rng(seed)
        a, n = pair(int(rng.integers(1, 14)), int(rng.integers(1, 5)))
        views = [(a, n)]
        for _ in range(9):
            x, y = views[rng.integers(len(views))]
            action = rng.integers(5)
            if action < 2:
                where = tuple(
                    slice(
                        int(rng.integers(k + 1)),
                        k - int(rng.integers(3)),
                        int(rng.choice([1, 1, 2, -1])),
                    )
                    if rng.integers(2)
                    else slice(None)
                    for k in y.shape
                )
                views.append((x[where], y[where]))
            elif action == 2:
                x *= 2
                y *= 2
            elif action == 3:
                x[1:3] = x[:2].copy()[: len(y[1:3])]
                y[1:3] = y[:2].copy()[: len(y[1:3])]
            else:
                same(x + 1, y + 1)
        for x, y in views:
            same(x, y)
