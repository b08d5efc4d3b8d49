"""Every call of ``calls.py`` gives SciPy's values, in arrays of ours on the device."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
import xp_backend.npy  # noqa: F401 - the device

from .calls import ALL, names

LEAST = 250
DEVICES = ("cpu", "npy")


@cache
def room(device: str) -> dict[str, Any]:
    """The names of a call; ``"scipy"`` stands for NumPy and SciPy."""
    if device == "scipy":
        return names(numpy, "scipy")
    with torch.device(device):
        return names(numpy_shim, "numpy_shim.scipy")


def parts(x: Any) -> Iterator[Any]:
    """The values in a result, in order."""
    if isinstance(x, dict):
        for key in sorted(x, key=str):
            yield from parts(x[key])
    elif isinstance(x, (tuple, list)):
        for value in x:
            yield from parts(value)
    else:
        yield x


def evaluated(call: str, device: str) -> list[Any]:
    where = torch.device("cpu" if device == "scipy" else device)
    with warnings.catch_warnings(), where, numpy_shim.allow_implicit_host_copy():
        warnings.simplefilter("ignore")
        return list(parts(eval(call, room(device))))


def is_storable(x: Any) -> bool:
    return type(x) is numpy.ndarray and x.dtype.kind in "biufc"


@pytest.mark.parametrize("place", DEVICES)
@pytest.mark.parametrize("call", [call for _, call in ALL])
def test_a_call_gives_scipys_values(call: str, place: str):
    expected, found = evaluated(call, "scipy"), evaluated(call, place)
    assert len(found) == len(expected)
    for value, theirs in zip(found, expected, strict=True):
        if is_storable(theirs):
            assert type(value) is numpy_shim.ndarray
            assert value.device.type == place
            assert value.dtype == theirs.dtype
            values = value.tensor.cpu().numpy()
            assert values.shape == theirs.shape
        else:
            values = value
        if isinstance(theirs, (numpy.ndarray, numpy.number, int, float, complex)):
            numpy.testing.assert_allclose(values, theirs, rtol=1e-13, atol=1e-13)
        else:
            assert str(values) == str(theirs)


def test_the_list_is_long_enough():
    assert len(ALL) == len({call for _, call in ALL}) >= LEAST
