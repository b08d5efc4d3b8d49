"""`fht` brings complex128 coefficients to the device."""

import scipy.fft

from conformance.worlds import world

with world("no float64") as xp:
    scipy.fft.fht(xp.asarray([3.0, 1.0, 2.0, 5.0]), 0.1, 0.5)
