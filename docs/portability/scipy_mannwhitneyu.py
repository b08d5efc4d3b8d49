"""`mannwhitneyu` counts ties in float64."""

import scipy.stats

from conformance.worlds import world

with world("no float64") as xp:
    scipy.stats.mannwhitneyu(xp.asarray([3.0, 1.0]), xp.asarray([3.5, 1.5]))
