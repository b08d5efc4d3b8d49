"""Bars, pies, boxes, steps, errors, polar plots, annotations and a line that is updated."""

import matplotlib.pyplot as plt
import numpy as np

rng = np.random.default_rng(8)
figure, axes = plt.subplots(2, 3, figsize=(9, 5), layout="constrained")
groups = np.arange(4)
low, high = rng.uniform(1, 3, 4), rng.uniform(3, 5, 4)
bars = axes[0, 0].bar(groups, low, 0.4, yerr=0.1 * low, capsize=3)
axes[0, 0].bar(groups + 0.4, high, 0.4, bottom=np.zeros(4))
axes[0, 0].bar_label(bars, fmt="%.1f")
axes[0, 1].pie(low, labels=[f"{v:.2f}" for v in low], explode=np.where(low > 2, 0.1, 0.0))
data = [rng.normal(0, s, 50) for s in range(1, 4)]
boxes = axes[0, 2].boxplot(data, notch=True)
print([line.get_ydata().round(4) for line in boxes["medians"]])
counts, edges, patches = axes[1, 0].hist(data, bins=np.linspace(-4, 4, 9), stacked=True)
print(np.asarray(counts).sum(axis=1), edges[:2])
for patch, height in zip(patches[0], counts[0], strict=True):
    patch.set_facecolor(plt.cm.viridis(height / counts[0].max()))
steps = np.cumsum(rng.integers(-1, 2, 50))
axes[1, 1].step(np.arange(50), steps, where="mid")
axes[1, 1].fill_between(np.arange(50), steps, where=steps > 0, alpha=0.3, step="mid")
axes[1, 1].annotate("top", (np.argmax(steps), steps.max()), arrowprops={"arrowstyle": "->"})
axes[1, 1].axhline(steps.mean())
axes[1, 1].set_xticks(np.arange(0, 50, 10), [f"t{i}" for i in range(5)])
line = axes[1, 2].errorbar(groups, low, yerr=np.vstack([low, high]) / 10, fmt="o--")[0]
line.set_data(groups, high)
axes[1, 2].set_ylim(0, high.max() * 1.1)
angles = np.linspace(0, 2 * np.pi, 100)
polar = plt.figure().add_subplot(projection="polar")
polar.plot(angles, np.abs(np.cos(3 * angles)))
polar.scatter(angles[::10], rng.random(10), c=angles[::10], s=200 * rng.random(10), cmap="hsv")
