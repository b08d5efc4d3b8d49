"""`SO3.slerp` calls `arccos`, NumPy's name for `acos`."""

import nanomanifold.SO3

from conformance.worlds import world

with world("strict") as xp:
    p, q = xp.asarray([[1.0, 0.0, 0.0, 0.0]]), xp.asarray([[0.6, 0.8, 0.0, 0.0]])
    nanomanifold.SO3.slerp(p, q, xp.asarray([0.5]))
