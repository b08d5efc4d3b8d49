"""`tf2zpk` makes the companion matrix on the default device."""

import scipy.signal

from conformance.worlds import world

with world("two devices") as xp:
    scipy.signal.tf2zpk(xp.asarray([1.0, 2.0]), xp.asarray([1.0, 4.0]))
