"""`fht` makes its coefficients on the default device."""

import scipy.fft

from conformance.worlds import world

with world("two devices") as xp:
    scipy.fft.fht(xp.asarray([3.0, 1.0, 2.0, 5.0]), 0.1, 0.5)
