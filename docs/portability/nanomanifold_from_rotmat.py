"""`SO3.from_rotmat` makes its zeros on the default device."""

import nanomanifold.SO3

from conformance.worlds import world

with world("two devices") as xp:
    nanomanifold.SO3.from_rotmat(xp.eye(3))
