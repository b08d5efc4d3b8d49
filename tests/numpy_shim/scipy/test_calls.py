"""Every call of ``calls.py`` gives SciPy's values, in arrays of ours on the device."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy
import pytest
import torch

import numpy_shim
import xp_backend.npy  # noqa: F401 - the device

from .calls import ALL, CALLS, names

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


def check(call: str, place: str) -> None:
    """Raise AssertionError unless the call gives SciPy's values, and its arrays are ours."""
    expected, found = evaluated(call, "scipy"), evaluated(call, place)
    tolerance = float(call.partition("  # ")[2] or 1e-13)
    assert len(found) == len(expected)
    for value, theirs in zip(found, expected, strict=True):
        if type(theirs) is numpy.ndarray and theirs.dtype.kind in "biufc":
            # of its numbers SciPy makes 0-D arrays under its switch
            assert type(value) is numpy_shim.ndarray or theirs.shape == ()
            assert value.device.type == place
            assert (value.dtype, value.shape) == (theirs.dtype, theirs.shape)
        if hasattr(value, "tensor"):
            assert value.device.type == place
            value = value.tensor.cpu().numpy()
        if isinstance(theirs, (numpy.ndarray, numpy.number, int, float, complex)):
            numpy.testing.assert_allclose(value, theirs, rtol=tolerance, atol=tolerance)
        else:
            assert str(value) == str(theirs)


@pytest.mark.parametrize("place", DEVICES)
@pytest.mark.parametrize("call", ALL)
def test_a_call_gives_scipys_values(call: str, place: str):
    """With ``SCIPY_ARRAY_API=1``, which the tests set."""
    check(call, place)


@pytest.mark.parametrize("place", DEVICES)
def test_calls_give_scipys_values_without_its_switch(place: str):
    """SciPy's own code never runs on arrays of ours then, except through the bridge."""
    environment = {k: v for k, v in os.environ.items() if k != "SCIPY_ARRAY_API"}
    command = [sys.executable, "-m", __name__, place]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


IN_PLACE = {
    "special": 56, "signal": 67, "ndimage": 47, "stats": 55, "linalg": 35, "fft": 16,
    "optimize": 21, "integrate": 13, "spatial": 12, "cluster": 3, "interpolate": 22,
    "the others": 8,
}  # fmt: skip
"""How many calls of a sub-package do not cross to the host."""


@pytest.mark.parametrize("chapter", IN_PLACE)
def test_calls_that_do_not_cross(chapter: str):
    names, done = room("npy"), []
    for call in CALLS[chapter].strip().split("\n"):
        with warnings.catch_warnings(), torch.device("npy"):
            warnings.simplefilter("ignore")
            try:
                eval(call.strip(), names)
            except Exception:  # a copy to the host is refused; values are compared above
                continue
        done.append(call)
    assert len(done) >= IN_PLACE[chapter], done


def test_the_list_is_long_enough():
    assert len(ALL) == len(set(ALL)) >= LEAST


def main(place: str) -> int:
    """Check all calls in this process, and print what is wrong."""
    wrong = 0
    for call in ALL:
        try:
            check(call, place)
        except Exception as error:
            wrong += 1
            print(f"{call}: {type(error).__name__}: {error}")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
