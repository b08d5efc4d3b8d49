"""`SO3.inverse` makes its smallest norm an array of the default device."""

import nanomanifold.SO3

from conformance.worlds import world

with world("two devices") as xp:
    nanomanifold.SO3.inverse(xp.asarray([[1.0, 0.0, 0.0, 0.0]]))
