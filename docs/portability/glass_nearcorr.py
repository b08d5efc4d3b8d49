"""`nearcorr` makes the unit matrix on the default device."""

import glass.algorithm

from conformance.worlds import world

with world("two devices") as xp:
    glass.algorithm.nearcorr(xp.asarray([[1.0, 1.2], [1.2, 1.0]]))
