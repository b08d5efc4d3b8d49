"""Copies to the host are refused without a launcher, else counted by place and put back."""

from __future__ import annotations

from collections import namedtuple

import numpy
import pytest

import numpy_shim as np
import xp_backend.npy  # noqa: F401  # defines the device
from numpy_shim._host import crossings, exchange


@pytest.fixture
def watched(monkeypatch):
    """A launched program whose only file is this one; gives a way to choose the mode."""
    state = crossings._Watch(is_programs=lambda frame: frame.f_code.co_filename == __file__)
    monkeypatch.setattr(crossings, "_watch", state)

    def choose(mode):
        state.mode = mode
        return state

    return choose


def on_npy(*shape):
    return np.ones(shape, device="npy")


def test_refused_without_a_launcher():
    with pytest.raises(TypeError, match=r"scipy.signal.lfilter.*allow_implicit_host_copy"):
        exchange.to_host(on_npy(3), "scipy.signal.lfilter")
    assert not crossings.counts()


def test_counted_by_line_and_function(watched):
    watched("allow")
    x = on_npy(4)
    for _ in range(3):
        numpy.asarray(x)
    exchange.to_host([x, {"k": (x, 2)}], "scipy.signal.lfilter")
    (first, looped), (second, once) = crossings.counts().items()
    assert second.line == first.line + 1
    assert (looped.times, looped.bytes, looped.in_loop) == (3, 96, 2)
    assert (second.what, once.times, once.bytes, once.in_loop) == ("scipy.signal.lfilter", 2, 64, 0)


def test_the_cpu_is_no_crossing(watched):
    watched("error")
    x = np.ones(3)
    host = exchange.to_host(x, "f")
    host[0] = 5
    assert x[0] == 5
    assert type(exchange.back(host, x.tensor.device)) is np.ndarray
    assert not crossings.counts()


def test_results_come_back(watched):
    watched("allow")
    device = on_npy(1).tensor.device
    result = namedtuple("Result", "a b")(numpy.arange(3), {"n": [numpy.ones(2), "text", 4.0]})
    made = exchange.back(result, device, "f")
    assert type(made) is type(result)
    assert [made.a.tensor.device, made.b["n"][0].tensor.device] == [device, device]
    assert made.b["n"][1:] == ["text", 4.0]
    (count,) = crossings.counts().values()
    assert (count.times, count.back, count.back_bytes) == (0, 2, 40)
    strings = numpy.array(["a"])
    assert exchange.back(strings, device) is strings


def test_error_names_the_place(watched):
    watched("error")
    with pytest.raises(TypeError, match=r"32 bytes on npy:0.*test_crossings.*--host-copies error"):
        exchange.to_host(on_npy(4), "f")
    with np.allow_implicit_host_copy():
        exchange.to_host(on_npy(4), "f")


def test_warn_says_each_place_once(watched, capsys):
    watched("warn")
    for _ in range(2):
        exchange.to_host(on_npy(4), "f")
    text = capsys.readouterr().err
    assert text.count("f copies 32 bytes from npy:0 to the host") == 1
