"""Lists of numbers that become arrays of another device at once."""

from __future__ import annotations

import numpy
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - it defines the device


class Copies(TorchDispatchMode):
    """Counts what is made on a device or copied to it."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.count += "lift_fresh" not in str(function)
        return function(*args, **(kwargs or {}))


LISTS = [[1.0, 2.0], (1, 2), [1, 2.5], [[1, 2], [3, 4]], [numpy.float64(1.5), 2], [[1.0], [2.0]]]


@pytest.mark.parametrize("values", LISTS, ids=repr)
def test_lists_of_numbers_are_one_copy(values):
    with torch.device("npy"):
        with Copies() as copies:
            x = np.array(values)
        assert copies.count == 1
        theirs = numpy.array(values)
        assert x.tensor.device.type == "npy"
        assert x.dtype == theirs.dtype
        assert x.tolist() == theirs.tolist()
        assert np.array(values, np.float32).dtype == np.float32


@pytest.mark.parametrize("values", [[2**70, 1.0], [1, "a"], [[1], [2, 3]]], ids=repr)
def test_rarer_lists_are_as_on_the_cpu(values):
    def made():
        try:
            return np.array(values).tolist()
        except (TypeError, ValueError) as error:
            return str(error)

    expected = made()
    with torch.device("npy"):
        assert made() == expected


def test_draws_are_one_copy():
    with torch.device("npy"):
        np.random.seed(0)
        with Copies() as copies:
            x = np.random.randn(10)
        assert copies.count == 1
        assert x.tensor.device.type == "npy"
    assert x.tolist() == numpy.random.RandomState(0).randn(10).tolist()
