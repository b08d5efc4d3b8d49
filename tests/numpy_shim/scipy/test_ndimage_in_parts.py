"""``scipy.ndimage`` of images that are large enough to be computed in parts."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import numpy_shim as np

from .test_ndimage import ALL_MODES, FUNCTIONS, RNG, START, compare, image


@pytest.fixture(autouse=True)
def begin_again() -> None:
    """The numbers of a test do not depend on the tests before it."""
    RNG.bit_generator.state = START


@pytest.mark.parametrize("mode", ALL_MODES)
def test_interpolation_in_parts(mode: str):
    x = image("float64", 260, 270)
    places = RNG.uniform(-90, 350, (2, 280, 250))
    for order in (0, 1, 3, 5):
        options: dict[str, Any] = {"order": order, "mode": mode, "cval": -3.0}
        compare("map_coordinates", x, places, **options)
        compare("rotate", x, 33.0, **options)
        compare("zoom", x, 1.2, **options)
        compare("shift", x, (1.25, -2.5), output="int16", **options)
        for axis in (0, 1) if order > 1 else ():
            compare("spline_filter1d", x, order, axis, mode=mode)
    compare("spline_filter1d", image("float64", 30, 100, 40), 3, 1, mode=mode)
    x[40, 50] = numpy.nan
    compare("spline_filter1d", x, 3, 1, mode=mode)
    compare("map_coordinates", x[:2], [[1e300, -1e300, 1, 2.0**40] * 200] * 2, order=1)


def test_short_lines_are_filtered_as_others(device: str):
    t = torch.tensor(image("float64", 2, 70), requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda t: FUNCTIONS["spline_filter1d"](np.asarray(t), 3, 0).tensor, (t,), atol=1e-6
    )
    for mode in ("mirror", "grid-wrap"):
        x = image("float64", 3, 90, 5)
        for axis in range(3):
            compare("spline_filter1d", x, 3, axis, mode=mode, device=device)


def test_an_output_on_the_memory_of_the_input():
    for name, args in (("shift", (1.0,)), ("rotate", (20.0,)), ("spline_filter1d", (3,))):
        options = {} if name[0] == "s" else {"reshape": False}
        for turned in (False, True):
            x = np.asarray(image("float64", 260, 270))
            expected = FUNCTIONS[name](x.copy(), *args, **options)
            output = x[::-1] if turned else x
            FUNCTIONS[name](x, *args, output=output, **options)
            numpy.testing.assert_allclose(numpy.asarray(output), numpy.asarray(expected))
