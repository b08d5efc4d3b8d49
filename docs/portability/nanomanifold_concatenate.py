"""`SE3.hat` calls `concatenate`, NumPy's name for `concat`."""

import nanomanifold.SE3

from conformance.worlds import world

with world("strict") as xp:
    nanomanifold.SE3.hat(xp.asarray([[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]]))
