"""`ttest_ind` makes the sample sizes arrays of the default device."""

import scipy.stats

from conformance.worlds import world

with world("two devices") as xp:
    scipy.stats.ttest_ind(xp.asarray([3.0, 1.0, 2.0]), xp.asarray([3.0, 1.0, 4.0]))
