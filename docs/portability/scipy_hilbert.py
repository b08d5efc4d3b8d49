"""`hilbert` writes into arrays."""

import scipy.signal

from conformance.worlds import world

with world("immutable") as xp:
    scipy.signal.hilbert(xp.asarray([3.0, 1.0, 2.0, 5.0]))
