"""`differentiate` passes the dtype to `numpy.issubdtype`."""

import xarray

from conformance.worlds import world

with world("strict") as xp:
    array = xarray.DataArray(
        xp.asarray([[1.0, 2.0], [3.0, 5.0]]), dims=("x", "y"), coords={"y": [0.0, 1.0]}
    )
    array.differentiate("y")
