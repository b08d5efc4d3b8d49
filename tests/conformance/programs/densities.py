"""Draw distributions, regressions and tables of numbers with seaborn."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns

sns.set_theme(style="ticks")
rng = np.random.default_rng(1)
size = rng.normal(30, 5, 80)
kind = np.where(np.arange(80) % 2, "left", "right")
weight = 2 * size + rng.normal(0, 4, 80) + 5 * (kind == "left")
frame = pd.DataFrame({"size": size, "weight": weight, "kind": kind})
print(frame.groupby("kind")["weight"].mean().round(4).to_dict())

figure, axes = plt.subplots(2, 3, figsize=(10, 6))
sns.histplot(size, bins=12, kde=True, ax=axes[0, 0])
sns.scatterplot(x=size, y=weight, hue=kind, ax=axes[0, 1])
sns.regplot(x=size, y=weight, ax=axes[0, 2], n_boot=50, seed=0)
sns.boxplot(data=frame, x="kind", y="weight", ax=axes[1, 0])
sns.heatmap(np.corrcoef(np.stack([size, weight, size * weight])), annot=True, ax=axes[1, 1])
sns.lineplot(x=np.arange(20), y=np.cumsum(weight[:20]), ax=axes[1, 2])
print([len(ax.lines) for ax in axes.flat], len(axes[0, 0].patches))
