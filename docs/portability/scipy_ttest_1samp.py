"""`ttest_1samp` makes `popmean` an array of the default device."""

import scipy.stats

from conformance.worlds import world

with world("two devices") as xp:
    scipy.stats.ttest_1samp(xp.asarray([3.0, 1.0, 2.0]), 0.0)
