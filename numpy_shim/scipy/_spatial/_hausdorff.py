"""What ``scipy.spatial._hausdorff`` computes in Cython, without its shuffled order."""

from __future__ import annotations

from typing import Any

from ..._convert.arguments import as_tensor
from ._distance_pybind import pairs, root


def directed_hausdorff(u: Any, v: Any, rng: Any) -> tuple[float, int, int]:
    """The largest distance from a row of ``u`` to the nearest one of ``v``, and both rows."""
    a, b = as_tensor("directed_hausdorff", u), as_tensor("directed_hausdorff", v)
    far = pairs(lambda x, y: root(((x - y) ** 2).sum(-1)), a, b)
    nearest, places = far.min(1)
    row = int(nearest.argmax())
    return float(nearest[row]), row, int(places[row])
