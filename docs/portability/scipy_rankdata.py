"""`rankdata` joins an array of the default device to the argument."""

import scipy.stats

from conformance.worlds import world

with world("two devices") as xp:
    scipy.stats.rankdata(xp.asarray([3.0, 1.0, 2.0]))
