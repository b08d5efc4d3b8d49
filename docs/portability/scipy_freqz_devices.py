"""`freqz` makes the frequencies on the default device."""

import scipy.signal

from conformance.worlds import world

with world("two devices") as xp:
    scipy.signal.freqz(xp.asarray([1.0, 1.0]))
