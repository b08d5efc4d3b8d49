"""K-means of many points, as tutorials write it."""

import numpy as np


def closest(points, centroids):
    d = np.sqrt(((points[:, np.newaxis, :] - centroids) ** 2).sum(axis=2))
    return np.argmin(d, axis=1)


def move(points, labels, k):
    return np.array([points[labels == i].mean(axis=0) for i in range(k)])


rng = np.random.default_rng(2)
points = np.concatenate(
    [rng.normal(loc=c, scale=0.6, size=(20000, 3)) for c in rng.uniform(-5, 5, (8, 3))]
)
centroids = points[rng.choice(len(points), 8, replace=False)]
for _ in range(150):
    labels = closest(points, centroids)
    centroids = move(points, labels, 8)
print(np.round(np.sort(centroids[:, 0]), 2))
