"""`cumulative_trapezoid` converts to float64, whatever the dtype of the argument."""

import glass.arraytools

from conformance.worlds import world

with world("no float64") as xp:
    x = xp.asarray([0.0, 1.0, 3.0], dtype=xp.float32)
    glass.arraytools.cumulative_trapezoid(x * x, x)
