"""Elements that a loop of a launched program writes to an array of a device."""

from __future__ import annotations

import threading

import numpy
import pytest
import torch
from torch.utils._device import DeviceContext

import numpy_shim as np
import xp_backend.npy  # noqa: F401 - it defines the device
from numpy_shim._host import crossings, loop_writes


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch):
    """As if all code were a launched program's, on the device."""
    monkeypatch.setattr(crossings._watch, "counts", {})
    monkeypatch.setattr(crossings._watch, "mode", "allow")
    monkeypatch.setattr(crossings._watch, "is_programs", lambda frame: True)
    for name in ("__torch_function__", "__exit__"):  # other tests have torch's own again
        monkeypatch.setattr(DeviceContext, name, getattr(DeviceContext, name))
    monkeypatch.setattr(loop_writes, "act_before_compiling", lambda act: None)
    monkeypatch.setattr(loop_writes, "_may_wait", False)
    loop_writes.begin()
    torch.set_default_device("npy")
    yield
    torch.set_default_device(None)
    assert not loop_writes._waiting  # nothing waits without the default device


def recurrence(x, n: int = 100):
    for i in range(1, n):
        x[i] = 0.5 * x[i - 1] + i
    return x


def waits(x) -> bool:
    return any(reads.tensor is x._tensor for reads in loop_writes._waiting)


def test_writes_wait_until_torch_reads(launched: None):
    x = recurrence(np.zeros(100))
    assert waits(x)
    assert (x.shape, len(x), x.dtype) == ((100,), 100, np.float64)
    assert waits(x)  # these read no values
    expected = recurrence(numpy.zeros(100))
    assert float(x.sum()) == expected.sum()
    assert not waits(x)
    assert numpy.array_equal(numpy.asarray(x), expected)
    x[3] = -1
    assert x[3] == -1.0
    assert waits(x)
    assert torch.equal(x.tensor.cpu()[:5], torch.tensor([0.0, 1.0, 2.5, -1.0, float(x[4])]).cpu())


def test_views_share_what_is_written(launched: None):
    x = recurrence(np.zeros(100))
    v = x[10:20]
    assert [v[i] for i in range(3)] == [x[10 + i] for i in range(3)]
    x[11] = 5.0
    assert v[1] == 5.0
    for i in range(10):
        v[i] = float(i)
    assert [x[10 + i] for i in range(10)] == list(range(10))
    x[12] = 100.0
    v[3] = 200.0
    assert x[10:15].tolist() == [0.0, 1.0, 100.0, 200.0, 4.0]


def test_a_loop_sees_its_own_writes(launched: None):
    x, theirs = np.arange(100.0), numpy.arange(100.0)
    for y in (x, theirs):
        for i, v in enumerate(y):
            if i < 99:
                y[i + 1] = v + 0.5 * y[i + 1]
    assert numpy.array_equal(numpy.asarray(x), theirs)


def test_what_torch_computed_between_is_seen(launched: None):
    x, theirs = np.zeros((10, 10)), numpy.zeros((10, 10))
    for y in (x, theirs):
        for k in range(5):
            for i in range(10):
                for j in range(10):
                    y[i, j] += i * j + y[j, i]
            y[k] *= 2.0
            y[:, k] += y[k, 3]
    assert numpy.array_equal(numpy.asarray(x), theirs)


@pytest.mark.parametrize(
    ("key", "value"),
    [(100, 1), (-101, 1), ((0, 0), 1), (5, 2**70), (5, 1j), (5, float("nan"))],
    ids=repr,
)
def test_what_numpy_refuses_is_refused(launched: None, key, value):
    x, theirs = np.arange(100), numpy.arange(100)
    for i in range(1, 40):
        x[i] = x[i - 1]
    with pytest.raises((IndexError, OverflowError, TypeError, ValueError)) as expected:
        theirs[key] = value
    with pytest.raises(type(expected.value)):
        x[key] = value
    assert x[50] == 50


def test_other_threads_see_writes(launched: None):
    x = recurrence(np.zeros(100))
    found = []

    def read() -> None:
        with torch.device("npy"):
            found.append(float(x.sum()))

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert found == [recurrence(numpy.zeros(100)).sum()]


def test_where_the_default_device_is_not_set_nothing_waits(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(crossings._watch, "mode", "allow")
    monkeypatch.setattr(crossings._watch, "is_programs", lambda frame: True)
    with torch.device("npy"):
        x = recurrence(np.zeros(100))
    assert not waits(x)
    assert numpy.array_equal(x.tensor.cpu(), recurrence(numpy.zeros(100)))


def test_gradients_see_each_write(launched: None):
    w = np.asarray(torch.ones(3, dtype=torch.float64, requires_grad=True))
    x = np.zeros(100)
    for i in range(40):
        x[i] = 2.0
    y = (x[:3] * w).sum()
    x[50] = 1.0
    assert waits(x)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.tensor.backward()
    z = w * 1.0
    for i in range(30):
        z[i % 3] = 1.0
    assert not waits(z)


def test_writes_between_torchs_computation_go_to_the_device(launched: None):
    x = recurrence(np.zeros(1000))
    for i in range(100, 120):
        x[i] = 1.0
        x.sum()
    x[500] = 1.0
    assert not waits(x)
