"""`freqz` converts to float64, whatever the dtype of the argument."""

import scipy.signal

from conformance.worlds import world

with world("no float64") as xp:
    scipy.signal.freqz(xp.asarray([1.0, 1.0]))
