"""`linkage` converts its argument to float64."""

import scipy.cluster.hierarchy

from conformance.worlds import world

with world("no float64") as xp:
    scipy.cluster.hierarchy.linkage(xp.asarray([[3.0, 1.0], [2.0, 5.0], [0.0, 0.0]]))
