"""Surfaces, wires, bars, triangles, streams and shaded heights."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import tri
from matplotlib.colors import BoundaryNorm, LightSource

xs, ys = np.mgrid[-2:2:40j, -2:2:40j]
heights = xs * np.exp(-(xs**2) - ys**2)
figure, axes = plt.subplots(1, 3, subplot_kw={"projection": "3d"}, figsize=(9, 3))
axes[0].plot_surface(xs, ys, heights, cmap="viridis", linewidth=0)
axes[0].contourf(xs, ys, heights, zdir="z", offset=-0.6)
axes[1].plot_wireframe(xs, ys, heights, rstride=4, cstride=4)
axes[2].bar3d(np.arange(4), np.arange(4) % 2, np.zeros(4), 0.5, 0.5, np.linspace(1, 2, 4))
axes[2].voxels(np.indices((2, 2, 2)).sum(axis=0) < 2, alpha=0.3)
figure, axes = plt.subplots(2, 2)
angles = np.repeat(np.linspace(0, 2 * np.pi, 12, endpoint=False)[:, None], 4, axis=1)
radii = np.linspace(0.2, 1, 4)
net = tri.Triangulation((radii * np.cos(angles)).ravel(), (radii * np.sin(angles)).ravel())
middle = np.hypot(net.x[net.triangles].mean(axis=1), net.y[net.triangles].mean(axis=1))
net.set_mask(middle < 0.2)
print(net.triangles.shape, tri.LinearTriInterpolator(net, net.x**2)(0.5, 0.1).round(5))
axes[0, 0].tripcolor(net, np.cos(3 * angles).ravel(), shading="gouraud")
axes[0, 1].streamplot(ys, xs, -1 - xs**2 + ys, 1 + xs - ys**2, color=heights, density=0.6)
shaded = LightSource(azdeg=315).shade(heights, cmap=plt.cm.gist_earth, blend_mode="soft")
print(shaded.shape, shaded[..., 3].min())
axes[1, 0].imshow(shaded)
levels = np.linspace(-0.4, 0.4, 6)
mesh = axes[1, 1].pcolormesh(xs, ys, heights, norm=BoundaryNorm(levels, 256))
figure.colorbar(mesh, ax=axes[1, 1])
axes[1, 1].clabel(axes[1, 1].contour(xs, ys, heights, levels, colors="w"))
down, right = np.gradient(heights)
axes[1, 1].quiver(xs[::8, ::8], ys[::8, ::8], down[::8, ::8], right[::8, ::8], scale=2)
