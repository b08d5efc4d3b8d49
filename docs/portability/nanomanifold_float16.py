"""`SO3.from_matrix` compares the dtype with `float16`, which the standard does not have."""

import nanomanifold.SO3

from conformance.worlds import world

with world("strict") as xp:
    nanomanifold.SO3.from_matrix(xp.eye(3))
