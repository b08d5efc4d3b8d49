"""xarray on arrays of ours, plain and as Dask's chunks: the values are those of NumPy's arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest

import numpy_shim as np
from numpy_shim.testing import assert_allclose

xarray = pytest.importorskip("xarray")
pandas = pytest.importorskip("pandas")
da = pytest.importorskip("dask.array")

VALUES = numpy.random.RandomState(0).rand(48, 3)
VALUES[5, 1] = numpy.nan


def table(data: Any) -> Any:
    return xarray.DataArray(
        data,
        dims=("time", "x"),
        coords={
            "time": pandas.date_range("2026-01-01", periods=48, freq="6h"),
            "x": [10, 20, 30],
            "label": ("time", list("abcd") * 12),
        },
        name="v",
    )


BODIES: dict[str, Callable[[Any], Any]] = {
    "groupby sum": lambda a: a.groupby("label").sum(),
    "groupby mean": lambda a: a.groupby("label").mean(),
    "groupby std": lambda a: a.groupby("label").std(),
    "groupby first": lambda a: a.groupby("label").first(),
    "groupby hour": lambda a: a.groupby("time.hour").max(),
    "groupby map": lambda a: a.groupby("label").map(lambda g: g / g.max()),
    "anomalies": lambda a: a.groupby("label") - a.groupby("label").mean(),
    "rolling mean": lambda a: a.rolling(time=5).mean(),
    "rolling sum": lambda a: a.rolling(time=5, center=True, min_periods=2).sum(),
    "rolling max": lambda a: a.rolling(time=3).max(),
    "rolling std": lambda a: a.rolling(time=4).std(),
    "rolling windows": lambda a: a.rolling(time=3).construct("window"),
    "resample mean": lambda a: a.resample(time="1D").mean(),
    "resample sum": lambda a: a.resample(time="2D").sum(),
    "resample up": lambda a: a.resample(time="3h").ffill(),
    "coarsen": lambda a: a.drop_vars("label").coarsen(time=4).mean(),
    "sum": lambda a: a.sum("time"),
    "std": lambda a: a.std("x"),
    "where": lambda a: a.where(a > 0.5),
    "fillna": lambda a: a.fillna(0),
    "shift": lambda a: a.shift(time=2),
    "concat": lambda a: xarray.concat([a, a], "time"),
    "dot": lambda a: xarray.dot(a.fillna(0), a.fillna(0), dim="time"),
    "argmax": lambda a: a.fillna(0).argmax("time"),
    "quantile": lambda a: a.chunk(time=-1).quantile([0.1, 0.5], "time"),
    "ufunc": lambda a: xarray.apply_ufunc(numpy.sqrt, a, dask="allowed"),
    "dataset": lambda a: a.to_dataset().cumsum("time")["v"],
}


@pytest.mark.filterwarnings("ignore:invalid value", "ignore:Degrees of freedom")
@pytest.mark.parametrize("chunks", [None, (10, 2)], ids=["plain", "dask"])
@pytest.mark.parametrize("name", BODIES)
def test_values_are_numpys(name: str, chunks: Any):
    """The data stay ours from end to end; dtype, dimensions and coordinates are NumPy's."""
    body = BODIES[name]
    data = np.asarray(VALUES)
    ours = table(data if chunks is None else da.from_array(data, chunks=chunks, asarray=False))
    wanted = body(table(VALUES)).compute()
    lazy = body(ours)
    assert isinstance(lazy.data, da.Array) == (chunks is not None or name == "quantile")
    result = lazy.compute()
    assert type(result.data) is np.ndarray
    assert (result.dtype, result.dims) == (wanted.dtype, wanted.dims)
    assert all(result.coords[c].equals(wanted.coords[c]) for c in wanted.coords)
    assert_allclose(result.data, wanted.values, rtol=1e-12, atol=1e-14)


def test_the_mean_of_all_is_a_scalar():
    mean = table(np.asarray(VALUES)).mean()
    assert float(mean) == pytest.approx(float(table(VALUES).mean()), rel=1e-12)
