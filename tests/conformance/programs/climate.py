"""Label a field by time and place, take means and anomalies, and draw a map and a curve."""

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr

rng = np.random.default_rng(0)
days = np.arange(120)
lat, lon = np.linspace(-60, 60, 13), np.linspace(0, 330, 12)
season = 10 * np.sin(2 * np.pi * days / 60)[:, None, None] * np.sin(np.deg2rad(lat))[:, None]
values = 20 + season + rng.normal(size=(days.size, lat.size, lon.size))
field = xr.DataArray(
    values, dims=("day", "lat", "lon"), coords={"day": days, "lat": lat, "lon": lon}, name="t"
)
weights = np.cos(np.deg2rad(field.lat))
mean = field.weighted(weights).mean(("lat", "lon"))
print(mean.shape, float(mean.mean()), float(mean.max()))
by_month = field.groupby(field.day // 30).mean("day")
print(by_month.dims, by_month.sel(lat=0, method="nearest").mean("lon").values.round(3))
anomaly = field - field.mean("day")
print(float(np.abs(anomaly).max()), int((anomaly > 5).sum()))
north = field.sel(lat=slice(20, 60)).isel(lon=[0, 3])
print(north.shape, float(north.std()), np.percentile(north.values, 90).round(4))
joined = xr.Dataset({"t": field, "double": ("day", 2 * np.asarray(mean))})
print(list(joined.data_vars), joined.to_dataframe()["double"].head(2).round(4).tolist())
print(field.rolling(day=10).mean().dropna("day").sizes["day"], field.interp(lat=12.5).shape)

figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
anomaly.isel(day=15).plot(ax=left, vmin=-12, vmax=12)
mean.plot(ax=right)
plt.close(plt.figure())
