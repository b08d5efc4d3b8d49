"""Functions of numbers alone in a launched program whose default device is not the CPU."""

from __future__ import annotations

import numpy
import pytest
import torch

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - it defines the device
from numpy_shim._host import crossings, number_calls

OTHERS = {
    "average": ([1, 2], None, [3, 1]),
    "clip": (2.5, 0, 1),
    "dot": ([1, 2.0], (3, 4)),
    "inner": ([1, 2], [3, 4]),
    "interp": (2.5, [1, 2, 3], [4, 5, 6]),
    "isclose": (0.1 + 0.2, 0.3),
    "allclose": ([0.1], [0.1]),
    "array_equal": ([1, 2], [1, 2]),
    "linalg.det": ([[1.0, 2.0], [3.0, 4.0]],),
    "percentile": ([1, 2, 4], 50),
    "quantile": ([1, 2, 4], 0.5),
    "searchsorted": ([1, 2, 4], 3),
    "vdot": ([1, 2j], [3, 4]),
    **dict.fromkeys(("angle", "around", "imag", "nan_to_num", "real", "round"), (2.567,)),
}


def function(package, name: str):
    for part in name.split("."):
        package = getattr(package, part)
    return package


@pytest.fixture
def on_device():
    torch.set_default_device("npy")
    yield
    torch.set_default_device(None)


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch, on_device: None):
    """As if all code were a launched program's, on the device."""
    monkeypatch.setattr(crossings._watch, "counts", {})
    monkeypatch.setattr(crossings._watch, "mode", "allow")
    monkeypatch.setattr(
        crossings._watch, "is_programs", lambda frame: frame.f_globals["__name__"] == __name__
    )


@pytest.mark.parametrize("name", sorted(number_calls.WITH_SCALARS))
def test_scalars_are_numpys(launched: None, name):
    args = OTHERS.get(name, ([numpy.float64(3.0), 1, 2.5],))
    found, expected = function(np, name)(*args), function(numpy, name)(*args)
    assert type(found) is type(expected)
    assert found == expected


@pytest.mark.parametrize("options", [{"axis": 0}, {"axis": -1}, {"dtype": np.float32}, {}])
def test_options_and_arrays(launched: None, options):
    for values in ([1, 2, 3], [[1, 2], [3, 4]], [], [[]]):
        found, expected = np.sum(values, **options), numpy.sum(values, **options)
        assert found.dtype == expected.dtype
        assert numpy.array_equal(numpy.asarray(found), expected)
        assert isinstance(found, numpy.generic) or found.tensor.device.type == "npy"


def test_what_has_data_of_a_device_stays_there(launched: None):
    x = np.arange(3.0)
    for found in (np.sum(x), np.mean([x.sum(), 1.0]), np.dot([1.0, 2.0, 3.0], x), np.array([1.0])):
        assert found.tensor.device.type == "npy"


def test_errors_are_as_on_the_cpu(launched: None):
    with pytest.raises(ValueError, match="zero-size array to reduction operation"):
        np.max([])
    with pytest.raises(ValueError, match="axis 1 is out of bounds"):
        np.sum([1, 2], axis=1)


def test_elsewhere_the_result_is_on_the_device(on_device: None):
    assert np.mean([1.0, 2.0]).tensor.device.type == "npy"
