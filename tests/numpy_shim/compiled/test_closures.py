"""What the functions close over is small: Dynamo looks through all of it in every graph.

It does so where it finds a function by the class of an intermediate result, as for an operator.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from typing import Any

import numpy
import pytest

import numpy_shim as np

MOST = 120
"""Entries. A table by dtype has 14 or 15; a specification of a ufunc has hundreds."""


def entries(value: Any) -> int:
    if isinstance(value, dict):
        return sum(entries(k) + entries(v) for k, v in value.items())
    if isinstance(value, (tuple, list, set, frozenset)):
        return sum(map(entries, value))
    return 1


def methods() -> Iterator[tuple[str, types.FunctionType]]:
    for name in dir(np.ndarray):
        value = inspect.getattr_static(np.ndarray, name)
        function = value.fget if isinstance(value, property) else value
        if isinstance(function, types.FunctionType):
            yield name, function


NEEDS_ALL = {"__divmod__", "__rdivmod__"}
"""They have no other way than the general one."""


@pytest.mark.parametrize(
    ("name", "function"), [pair for pair in methods() if pair[0] not in NEEDS_ALL]
)
def test_methods_close_over_little(name, function):
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    sizes = {cell: entries(content.cell_contents) for cell, content in cells.items()}
    assert sum(sizes.values()) <= MOST, sizes


def test_what_a_process_has_computed_adds_nothing():
    """An operator keeps a function for each type of NumPy's scalars that it has met."""
    x = np.ones(2)
    method = np.ndarray.__mul__
    before = [entries(cell.cell_contents) for cell in method.__closure__]
    for kind in (numpy.float32, numpy.float64, numpy.int8, numpy.int64, numpy.complex64):
        x * kind(2)
    assert [entries(cell.cell_contents) for cell in method.__closure__] == before
