"""Which arrays of a device a loop of a launched program reads on the host."""

from __future__ import annotations

import numpy
import pytest
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - it defines the device
from numpy_shim._host import crossings
from xp_torch._kernels import interchange


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch):
    """As if all code were a launched program's."""
    monkeypatch.setattr(crossings._watch, "counts", {})
    monkeypatch.setattr(crossings._watch, "mode", "allow")
    monkeypatch.setattr(crossings._watch, "is_programs", lambda frame: True)


def kinds(x: np.ndarray) -> set[bool]:
    """Whether elements are NumPy's scalars, by each way to read them."""
    i = x.size - 1
    read = [x[i], *x, *x.flat, *[v for _, v in np.ndenumerate(x)], np.flip(x)[i]]
    return {type(v) is numpy.float64 for v in read}


def test_elements_of_a_launched_program_are_numpys(launched: None):
    x = np.arange(100.0, device="npy")
    assert kinds(x) == {True}
    assert [x[i] for i in range(40)] == list(range(40))
    x[7] = -1.0
    assert x[7] == -1.0
    assert [float(v) for v in x[5:9]] == [5.0, 6.0, -1.0, 8.0]


def test_elsewhere_they_stay_on_the_device(launched: None, monkeypatch: pytest.MonkeyPatch):
    x = np.arange(100.0, device="npy")
    followed = np.asarray(torch.arange(3.0, dtype=torch.float64, device="npy", requires_grad=True))
    assert kinds(followed) == {False}
    monkeypatch.setattr(crossings._watch, "mode", "")
    assert kinds(x) == {False}


def test_what_dlpack_has_is_noted(launched: None, monkeypatch: pytest.MonkeyPatch):
    """Another library may write to it; NumPy's views read the CPU's memory itself."""
    monkeypatch.setattr(interchange, "_shared", set())
    x, y = np.arange(100.0, device="npy"), np.arange(3.0)
    assert kinds(x) == {True}
    x.__dlpack__()
    np.from_dlpack(y)
    assert interchange.is_shared(x.tensor)
    assert not interchange.is_shared(y.tensor)
    assert kinds(x) == {False}
    assert kinds(np.arange(100.0, device="npy")) == {True}


def test_arrays_without_values_stay_as_they_are(launched: None):
    x = np.ones(100, device="meta")
    assert {v.shape for v in x} == {x[x.size - 1].shape} == {()}
