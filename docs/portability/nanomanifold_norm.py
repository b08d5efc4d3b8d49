"""`SO3.exp` calls `linalg.norm`, which the standard does not have."""

import nanomanifold.SO3

from conformance.worlds import world

with world("strict") as xp:
    nanomanifold.SO3.exp(xp.asarray([[0.1, 0.2, 0.3]]))
