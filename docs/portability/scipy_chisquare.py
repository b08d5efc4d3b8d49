"""`chisquare` makes `ddof` an array of the default device."""

import scipy.stats

from conformance.worlds import world

with world("two devices") as xp:
    scipy.stats.chisquare(xp.asarray([3.0, 1.0, 2.0]))
