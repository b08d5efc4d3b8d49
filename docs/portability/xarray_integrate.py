"""`integrate` brings its float64 coordinates to the device."""

import xarray

from conformance.worlds import world

with world("no float64") as xp:
    array = xarray.DataArray(
        xp.asarray([[1.0, 2.0], [3.0, 5.0]]), dims=("x", "y"), coords={"y": [0.0, 1.0]}
    )
    array.integrate("y")
