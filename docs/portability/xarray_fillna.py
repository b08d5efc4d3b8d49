"""`fillna` passes the name of a dtype to `result_type`."""

import xarray

from conformance.worlds import world

with world("strict") as xp:
    array = xarray.DataArray(xp.asarray([[1.0, 2.0], [3.0, 5.0]]), dims=("x", "y"))
    array.fillna(0.0)
