"""Draw one function as a surface, contours, arrows and streams."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import cm

x, y = np.meshgrid(np.linspace(-3, 3, 25), np.linspace(-3, 3, 25))
z = (1 - x / 2 + x**5 + y**3) * np.exp(-(x**2) - y**2)
fig, ax = plt.subplots(subplot_kw={"projection": "3d"})
fig.colorbar(ax.plot_surface(x, y, z, cmap=cm.coolwarm), shrink=0.5)
fig, axes = plt.subplots(2, 2)
axes[0, 0].contourf(x, y, z, levels=np.linspace(z.min(), z.max(), 7))
axes[0, 1].pcolormesh(x, y, z, vmin=-0.5, vmax=1.0)
v, u = np.diff(z[1:, :], axis=1), -np.diff(z[:, 1:], axis=0)
axes[1, 0].quiver(x[1:, 1:], y[1:, 1:], u, v, np.hypot(u, v))
axes[1, 1].streamplot(x[1:, 1:], y[1:, 1:], u, v, color=np.hypot(u, v), density=0.5)
print(z.min().round(4), z.max().round(4))
