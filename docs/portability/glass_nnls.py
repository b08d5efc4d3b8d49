"""`nnls` makes its solution on the default device."""

import glass.algorithm

from conformance.worlds import world

with world("two devices") as xp:
    a = xp.asarray([[2.0, 1.0], [1.0, 3.0]])
    glass.algorithm.nnls(a, xp.asarray([1.0, 2.0]))
