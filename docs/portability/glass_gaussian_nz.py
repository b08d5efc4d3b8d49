"""`gaussian_nz` makes `mean` an array of the default device."""

import glass.observations

from conformance.worlds import world

with world("two devices") as xp:
    glass.observations.gaussian_nz(xp.linspace(0.0, 2.0, 5), 1.0, 0.1)
