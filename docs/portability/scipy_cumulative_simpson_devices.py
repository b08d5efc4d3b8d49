"""`cumulative_simpson` makes `dx` an array of the default device."""

import scipy.integrate

from conformance.worlds import world

with world("two devices") as xp:
    scipy.integrate.cumulative_simpson(xp.asarray([3.0, 1.0, 2.0, 5.0]), dx=1.0)
