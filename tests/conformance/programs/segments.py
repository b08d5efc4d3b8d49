"""Smooth an image, find its spots and colour them."""

import matplotlib.pyplot as plt
import numpy as np
from scipy import ndimage

np.random.seed(1)
size = 64
image = np.zeros((size, size))
points = (size * np.random.random((2, 40))).astype(int)
image[points[0], points[1]] = 1
image = ndimage.gaussian_filter(image, sigma=2.5)
mask = image > image.mean()
labels, count = ndimage.label(mask)
areas = ndimage.sum(mask, labels, range(count + 1))
labels[areas[labels] < 20] = 0
print(count, areas.max(), np.unique(labels).size, ndimage.center_of_mass(image))
fig, axes = plt.subplots(1, 3)
axes[0].imshow(image, cmap="gray")
axes[1].imshow(labels, cmap="nipy_spectral")
axes[2].contour(mask, [0.5], colors="r")
axes[2].imshow(np.hypot(ndimage.sobel(image, 0), ndimage.sobel(image, 1)))
