"""`fht` of no values raises a ZeroDivisionError."""

import scipy.fft

from conformance.worlds import portable, world

with world("zero-size") as xp:
    portable(scipy.fft.fht)(xp.asarray([3.0, 1.0]), 0.1, 0.5)
