"""`smail_nz` converts `z_mode` to float64, whatever the dtype of the redshifts."""

import glass.observations

from conformance.worlds import world

with world("no float64") as xp:
    glass.observations.smail_nz(xp.linspace(0.0, 2.0, 5), 1.0, 1.5, 2.0)
