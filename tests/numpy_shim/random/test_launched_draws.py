"""Single numbers that a launched program draws on a device."""

from __future__ import annotations

import numpy
import pytest
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - it defines the device
from numpy_shim._host import crossings

DRAWS = {
    "integers": lambda r: r.integers(10),
    "choice": lambda r: r.choice([1.5, 2.5, 3.5]),
    "of range": lambda r: r.choice(10),
    "normal": lambda r: r.normal(),
    "uint8": lambda r: r.integers(10, dtype="uint8"),
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_number_is_numpys(monkeypatch: pytest.MonkeyPatch, name):
    draw = DRAWS[name]
    expected = draw(numpy.random.default_rng(5))
    with torch.device("npy"):
        outside = draw(np.random.default_rng(5))
        monkeypatch.setattr(crossings._watch, "counts", {})
        monkeypatch.setattr(crossings._watch, "mode", "allow")
        found = draw(np.random.default_rng(5))
        drawn = np.random.default_rng(5).integers(10, size=2)
    assert type(found) is type(expected)
    assert found == expected == outside
    assert type(outside) in (int, float) or outside.tensor.device.type == "npy"
    assert drawn.tensor.device.type == "npy"
