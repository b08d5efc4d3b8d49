"""`std` calls the function of NumPy."""

import xarray

from conformance.worlds import world

with world("device") as xp:
    array = xarray.DataArray(xp.asarray([[1.0, 2.0], [3.0, 5.0]]), dims=("x", "y"))
    array.std("y")
