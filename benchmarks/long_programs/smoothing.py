"""Non-local smoothing of a picture: a bilateral filter by shifted copies."""

import numpy as np


def bilateral(image, radius, spatial, tonal):
    padded = np.pad(image, radius, mode="reflect")
    total = np.zeros_like(image)
    weights = np.zeros_like(image)
    h, w = image.shape
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            shifted = padded[radius + dy : radius + dy + h, radius + dx : radius + dx + w]
            weight = np.exp(-(dx**2 + dy**2) / (2 * spatial**2)) * np.exp(
                -((shifted - image) ** 2) / (2 * tonal**2)
            )
            total += weight * shifted
            weights += weight
    return total / weights


rng = np.random.default_rng(4)
y, x = np.mgrid[0:512, 0:512]
clean = ((x // 64 + y // 64) % 2).astype(float)
noisy = clean + rng.normal(scale=0.2, size=clean.shape)
smooth = noisy
for _ in range(20):
    smooth = bilateral(smooth, 5, 3.0, 0.4)
print(
    "error before",
    round(float(np.abs(noisy - clean).mean()), 4),
    "after",
    round(float(np.abs(smooth - clean).mean()), 4),
)
