"""`multalm` makes the counts of repetitions on the default device."""

import glass.harmonics

from conformance.worlds import world

with world("two devices") as xp:
    alm = xp.asarray([1.0, 2.0, 3.0], dtype=xp.complex128)
    glass.harmonics.multalm(alm, xp.asarray([1.0, 0.5]))
