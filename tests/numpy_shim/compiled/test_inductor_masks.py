"""Compiled functions store masks as bytes, with the values that they have without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

import numpy_shim as np
from tests.slow import slow
from xp_torch._torch import inductor_masks
from xp_torch._torch.inductor_masks import store_as_bytes

ROOMS: dict[str, Callable[..., Any]] = {
    "compared": lambda x: x <= 3,
    "both": lambda x: (x <= 3) & (x != 2),
    "of NaN": lambda x: ~np.isnan(x),
    "and the values": lambda x: (x > 2, np.where(x > 2, x, 0)),
    "selected": lambda x: x[x > 2],
    "places": lambda x: np.nonzero(x > 2)[0],
    "empty": lambda x: x[:0] > 2,
    "row": lambda x: x[:, None] < x,
    "a number": lambda x: x[0] < 3,
}


@pytest.mark.parametrize("dtype", ["float64", *map(slow, ["float32", "int32", "uint8", "bool"])])
@pytest.mark.parametrize("name", ROOMS)
def test_values(name: str, dtype: str) -> None:
    x = numpy.arange(37).astype(dtype)
    if dtype[0] == "f":
        x[4] = numpy.nan
    ours = np.asarray(x)
    expected, found = ROOMS[name](ours), np.jit(ROOMS[name], compiler="torch")(ours)
    for a, b in zip(*(x if isinstance(x, tuple) else (x,) for x in (expected, found)), strict=True):
        assert a.dtype == b.dtype
        assert numpy.array_equal(numpy.asarray(a), numpy.asarray(b), equal_nan=True)


@pytest.mark.skipif(not inductor_masks._STORES_BYTES, reason="this torch has no such view")
@pytest.mark.parametrize(
    ("function", "count"),
    [
        (lambda x: x < 1, 1),
        (lambda x: (x < 1, x > 2), 2),
        (lambda x: (x < 1).sum(), 0),  # nothing is stored
        (lambda x: torch.where(x < 1, x, 0), 0),
        (lambda x: x[x < 1], 1),
        (lambda x: (x < 1).reshape(-1, 1), 0),  # a view of a mask, which inductor stores itself
    ],
)  # fmt: skip
def test_which_are_stored(function: Callable[..., Any], count: int) -> None:
    x = torch.arange(5.0)
    graph = make_fx(function, tracing_mode="symbolic")(x)
    store_as_bytes(graph.graph)
    graph.recompile()
    graph.graph.lint()
    assert (
        len(graph.graph.find_nodes(op="call_function", target=torch.ops.aten.view.dtype)) == count
    )
    expected, found = function(x), graph(x)
    assert torch.equal(*(x if torch.is_tensor(x) else torch.stack(x) for x in (expected, found)))
