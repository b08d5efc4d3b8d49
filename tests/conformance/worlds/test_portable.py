"""The commands `worlds` and `portable`, and `portable(function)` without pytest."""

from __future__ import annotations

import re
from pathlib import Path

import array_api_extra
import numpy as np
import pytest

from conformance._results import UnableError
from conformance.worlds import WORLDS, Unportable, portable, world
from conformance.worlds._draws import draw, evaluated
from tests.conformance.worlds import library
from tests.conformance.worlds.runs import run


def test_the_list_of_worlds(tmp_path: Path):
    done = run(tmp_path, "conformance", "worlds")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert len(lines) == len(WORLDS)
    for line, w in zip(lines, WORLDS, strict=True):
        assert line.startswith(w.name)
        assert w.sentence in line


def test_a_function_in_worlds(tmp_path: Path):
    """Each world's outcome, the refused line, and status 1."""
    done = run(tmp_path, "conformance", "portable", "small.ramp", "--worlds", "strict,two devices")
    assert done.returncode == 1, done.stderr
    assert re.search(r"│ strict +│ +2 │ +· │", done.stdout)
    assert re.search(r"│ two devices +│ +· │ +2 │", done.stdout)
    assert "2 ✗ small.py:18 in ramp\n    x + ones\n" in done.stdout
    assert "small.ramp runs in 1 of 2 worlds" in done.stdout


def test_given_arguments(tmp_path: Path):
    words = ("conformance", "portable", "small.named", "--worlds", "strict,device")
    done = run(tmp_path, *words)
    assert done.returncode == 2
    assert "a text for name cannot be drawn: use --arguments" in done.stdout
    done = run(tmp_path, *words, "--arguments", "xp.asarray([1.0]), 'a'")
    assert done.returncode == 0, done.stdout
    assert "small.named runs in 2 of 2 worlds" in done.stdout


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("small.nothing",), "small.nothing cannot be imported"),
        (("small.np",), "small.np is no function"),
        (("small.ramp", "--worlds", "moon"), "there is no world 'moon'"),
        (("small.ramp", "--arguments", "3"), "small.ramp on NumPy's arrays: TypeError"),
    ],
)
def test_what_cannot_run(tmp_path: Path, words: tuple[str, ...], text: str):
    done = run(tmp_path, "conformance", "portable", *words)
    assert done.returncode == 2
    assert text in done.stdout


def test_drawn_arguments():
    """By annotation and name; of the first dtype that NumPy takes; the same for a seed."""

    def function(x, n: int, *, xp, scale: float, flag=False):
        return xp.sum(x) * n * scale

    found = draw(function, 3, seed=1)
    assert len(found) == 3
    assert [a.positional[0].value.dtype.name for a in found] == ["float64"] * 3
    assert found[0].positional[1].value == 1
    assert found[0].named["xp"].is_namespace
    assert found[0].wanted == np.sum(found[0].positional[0].value) * 0.5
    again = draw(function, 3, seed=1)
    np.testing.assert_array_equal(found[2].positional[0].value, again[2].positional[0].value)
    assert [a.positional[0].value.dtype.name for a in draw(lambda x: ~x & 1, 2, 0)] == ["int64"] * 2
    with pytest.raises(UnableError, match="takes none of the arrays"):
        draw(lambda x: x.nothing, 1, 0)
    assert evaluated("xp.asarray([1, 2])", np.sum)(np) == 3


def test_wrong_gradients_are_found():
    """`gradcheck=True` compares with finite differences."""

    def rounded(x):
        xp = x.__array_namespace__()
        return xp.floor(x) + x

    def smooth(x):
        return x * x

    with world("gradient") as xp:
        x = xp.asarray([1.5, 2.5])
        assert portable(rounded, gradcheck=True)(x).shape == (2,)
        portable(smooth, gradcheck=True)(x)
        with pytest.raises(Unportable, match="the gradient is wrong"):
            portable(lambda x: xp.sqrt(x - 1.5), gradcheck=True)(x)


def test_portable_needs_a_world():
    with pytest.raises(RuntimeError, match="outside of a world"):
        portable(library.center)(np.ones(3))
    with pytest.raises(TypeError, match="unknown options tolerance"):
        portable(library.center, tolerance=1)


def test_worlds_end_with_their_block():
    """Methods, flags and devices are as before, also after an error."""
    import xp_torch

    methods = dict(vars(type(xp_torch.asarray(0.0))))
    for w in WORLDS:
        if not w.installed:
            continue
        with pytest.raises(ZeroDivisionError), world(w.name) as xp:
            raise ZeroDivisionError
        assert dict(vars(type(xp_torch.asarray(0.0)))) == methods
        assert xp_torch.asarray(0.0).device.type == "cpu"
        assert xp_torch.flags.api_version == "2025.12"
    assert xp is not None


def test_unknown_and_absent_worlds():
    with pytest.raises(ValueError, match="there is no world 'moon'; the worlds are strict"):
        world("moon")
    absent = [w.name for w in WORLDS if not w.installed]
    for name in absent:
        with pytest.raises(ModuleNotFoundError, match=f"the world '{name}' needs"), world(name):
            pass


def test_the_block_reads_what_its_calls_may_not():
    def reads(x):
        return float(x)

    with world("no values") as xp:
        x = xp.asarray(2.0)
        assert float(x) == 2.0
        assert [float(v) for v in (x, x)] == [2.0, 2.0]
        with pytest.raises(TypeError, match="float: the array has no values"):
            reads(x)


def test_assertions_read_what_the_block_may_read():
    """Those of array_api_extra are the test's, as NumPy's are."""
    from array_api_extra.testing import assert_close

    def asserts(x):
        assert_close(x, x.__array_namespace__().asarray(2.0))

    with world("no values") as xp:
        assert_close(xp.asarray(2.0), xp.asarray(2.0))
        with pytest.raises(TypeError, match="the array has no values"):
            asserts(xp.asarray(2.0))


def test_a_namespace_in_an_argument_is_plain():
    """A library that is handed the namespace makes arrays on the default device."""

    def fill(x, xp):
        return xp.zeros(2)

    with world("two devices") as xp:
        x = xp.asarray([1.0, 2.0])
        assert x.device.type == "npy"
        assert portable(fill)(x, xp).device.type == "cpu"
        assert portable(fill)(x, xp=xp).device.type == "cpu"
        assert x.__array_namespace__() == xp


def test_at_may_write_to_immutable_arrays():
    """array_api_extra.at is the portable way: it is what the refusal recommends."""
    with world("immutable") as xp:
        x = xp.asarray([1.0, 2.0])
        y = array_api_extra.at(x, 0).set(5.0, copy=True)
        assert float(y[0]) == 5.0
        assert float(x[0]) == 1.0
        with pytest.raises(TypeError, match="immutable"):
            library.first_zeroed(x)


@pytest.mark.parametrize("name", ["device", "no float64"])
def test_arrays_from_elsewhere_come_to_the_device(name: str):
    def shifted(x):
        return x + x.__array_namespace__().asarray(np.asarray([1.0], dtype=np.float32))

    with world(name) as xp:
        x = xp.asarray(np.asarray([1.0], dtype=np.float32))
        assert x.device.type == shifted(x).device.type == "npy"
        assert xp.asarray(x, device="cpu").device.type == "cpu"
