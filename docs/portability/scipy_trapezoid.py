"""`trapezoid` of no values raises an IndexError; NumPy's result is 0."""

import scipy.integrate

from conformance.worlds import portable, world

with world("zero-size") as xp:
    portable(scipy.integrate.trapezoid)(xp.asarray([3.0, 1.0]))
