"""Group, pivot, join and smooth a table, with columns that NumPy computes."""

import numpy as np
import pandas as pd

rng = np.random.default_rng(0)
frame = pd.DataFrame(rng.standard_normal((60, 3)).cumsum(axis=0), columns=["a", "b", "c"])
frame["kind"] = np.where(frame["a"] > 0, "up", "down")
frame["length"] = np.hypot(frame["a"], frame["b"])
design = np.column_stack([np.ones(len(frame)), frame[["a", "b"]].values])
weights, *_ = np.linalg.lstsq(design, frame["c"].values, rcond=None)
frame["fit"] = design @ weights
print(weights, frame.groupby("kind")[["a", "length"]].agg(["mean", "std"]))
print(frame.describe().round(3), frame["a"].rolling(5).mean().tail(2))
print(frame.loc[np.argmax(frame["c"])], np.mean(frame["a"].where(frame["a"] > 0)))
best = np.abs(frame["fit"].values - frame["c"].values)
print(frame.iloc[np.argmin(best)], pd.cut(best, bins=np.linspace(0, 10, 3)).codes.sum())
joined = pd.merge(frame.head(3), pd.DataFrame({"kind": ["up", "down"], "n": [1, 2]}), on="kind")
print(joined, pd.DataFrame([{"mean": np.mean(best), "max": best.max()}]).dtypes)
frame[["c", "fit"]].plot()
