"""Split, apply and combine: groups of a table, its times, and its pivot."""

import numpy as np
import pandas as pd

rng = np.random.default_rng(11)
days = pd.date_range("2024-01-01", periods=90, freq="D")
sales = pd.DataFrame(
    {
        "shop": rng.choice(["north", "south", "west"], 90),
        "price": rng.uniform(1, 20, 90).round(2),
        "count": rng.integers(1, 9, 90),
    },
    index=days,
)
sales["sum"] = sales["price"] * sales["count"]
sales.loc[np.arange(90) % 10 == 0, "price"] = np.nan
print(sales.groupby("shop")["sum"].agg(["sum", "max", np.ptp]).round(2))
print(sales.resample("MS")["sum"].sum().round(2), sales["price"].interpolate().sum().round(2))
print(sales.pivot_table("sum", "shop", sales.index.month, aggfunc="mean").round(3))
edges = np.quantile(sales["sum"], np.linspace(0, 1, 4))
sales["size"] = pd.cut(sales["sum"], edges, labels=["low", "mid", "high"], include_lowest=True)
print(sales["size"].value_counts(sort=False), np.corrcoef(sales["count"], sales["sum"])[0, 1])
scaled = sales.groupby("shop")["sum"].transform(lambda x: (x - np.mean(x)) / np.std(x))
print(scaled.abs().max().round(5), sales["sum"].ewm(span=5).mean().iloc[-1].round(4))
wide = pd.DataFrame(np.arange(6.0).reshape(2, 3), columns=list("abc")).melt()
wide["value"] += np.linspace(0, 1, 6)
print(wide, wide.set_index("variable").loc["b"].to_numpy().sum())
sales["sum"].cumsum().plot()
