"""Loops over arrays on a device, or with a gradient: elements are copied in blocks."""

from __future__ import annotations

import itertools

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - the device


class Count(TorchDispatchMode):
    """Counts the operators of torch."""

    operators = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.operators += 1
        return func(*args, **(kwargs or {}))


def values(place: str, size: int = 1000) -> np.ndarray:
    """0, 1, 2 ...: with a gradient on the CPU, where other arrays are read as NumPy's."""
    tensor = torch.arange(float(size), device=place)
    return np.asarray(tensor.requires_grad_() if place == "cpu" else tensor)


@pytest.mark.parametrize("place", ["cpu", "npy"])
@pytest.mark.parametrize("size", [0, 1, 16, 17, 1000])
def test_elements(size: int, place: str):
    x = values(place, size)
    assert [float(v.tensor.detach().cpu()) for v in x] == list(range(size))
    turned = x[::-1]
    assert [float(v.tensor.detach().cpu()) for v in turned] == list(range(size))[::-1]


@pytest.mark.parametrize("place", ["cpu", "npy"])
def test_few_operators(place: str):
    x = values(place)
    with Count() as count:
        assert len(list(x)) == 1000
    assert count.operators < 50
    with Count() as count:
        assert len(list(itertools.islice(x, 2))) == 2
    assert count.operators < 10


def test_writes_are_seen():
    """Before the loop reaches an element, and not after."""
    x = np.zeros(100, device="npy")
    seen = []
    for i, v in enumerate(x):
        seen.append(v)
        x[:] = i + 1
    assert [float(v.tensor.cpu()) for v in seen] == list(range(100))
    x = np.zeros(100, device="npy")
    later = iter(x.T)
    first = next(later)
    x += 7
    assert [float(v.tensor.cpu()) for v in (first, *later)] == [0] + [7] * 99


def test_gradients():
    x = values("cpu", 300)
    (found,) = torch.autograd.grad(sum(v * v for v in x).tensor, x.tensor)
    assert found.tolist() == [2.0 * i for i in range(300)]
    assert np.vmap(lambda row: sum(row))(np.ones((2, 3))).tolist() == [3, 3]
