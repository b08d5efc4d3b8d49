"""Write pictures and a film with imageio, read them, and compare them by NumPy."""

import io

import imageio.v3 as iio
import matplotlib.pyplot as plt
import numpy as np

y, x = np.mgrid[:40, :60]
frames = np.stack([127 + 120 * np.sin((x + 3 * i) / 6) * np.cos(y / 8) for i in range(5)]).astype(
    np.uint8
)
colors = np.stack([frames[0], frames[1].T[:40, :40].repeat(2, 1)[:, :60], 255 - frames[2]], -1)

png = iio.imwrite("<bytes>", colors, extension=".png")
read = iio.imread(png)
print(read.shape, read.dtype, np.array_equal(read, colors), read.mean(axis=(0, 1)).round(3))
gif = iio.imwrite("<bytes>", frames, extension=".gif", loop=0)
film = iio.imread(io.BytesIO(gif), extension=".gif", index=None)
print(film.shape, np.abs(film[..., 0].astype(int) - frames).max())
bitmap = iio.imwrite("<bytes>", frames[3], extension=".bmp")
print(iio.improps(bitmap).shape, np.sum(iio.imread(bitmap) == frames[3]))
gray = read @ np.array([0.299, 0.587, 0.114])
edges = np.hypot(*np.gradient(gray))
print(edges.max().round(4), np.histogram(edges, bins=4)[0])

figure, axes = plt.subplots(1, 2)
axes[0].imshow(read)
axes[1].imshow(edges, cmap="gray")
