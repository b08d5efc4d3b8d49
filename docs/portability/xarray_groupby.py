"""`groupby` indexes the array by an array of NumPy."""

import xarray

from conformance.worlds import world

with world("strict") as xp:
    array = xarray.DataArray(
        xp.asarray([[1.0, 2.0], [3.0, 5.0]]), dims=("x", "y"), coords={"x": [0, 0]}
    )
    array.groupby("x").sum()
