"""Group points by several methods, and compare the groups."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.cluster import hierarchy
from scipy.spatial import ConvexHull, KDTree, Voronoi, distance
from sklearn.cluster import DBSCAN, AgglomerativeClustering, SpectralClustering
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.mixture import GaussianMixture

rng = np.random.default_rng(9)
centres = np.array([[0.0, 0.0], [3.0, 0.5], [1.0, 3.0]])
points = (centres[:, None] + 0.4 * rng.normal(size=(3, 25, 2))).reshape(-1, 2)
truth = np.repeat(np.arange(3), 25)
for model in (DBSCAN(0.6), AgglomerativeClustering(3), SpectralClustering(3, random_state=0)):
    labels = model.fit_predict(points)
    print(type(model).__name__, round(adjusted_rand_score(truth, labels), 4), np.unique(labels))
mixture = GaussianMixture(3, random_state=0, means_init=centres).fit(points)
print(mixture.means_.round(3), silhouette_score(points, mixture.predict(points)) > 0.6)
tree = hierarchy.linkage(points, "ward")
groups = hierarchy.fcluster(tree, 3, criterion="maxclust")
print(np.bincount(groups), hierarchy.cophenet(tree, distance.pdist(points))[0].round(5))
hull = ConvexHull(points)
near, which = KDTree(points).query(centres, k=2)
print(round(hull.volume, 4), which[:, 0], np.sum(near).round(4), Voronoi(centres).vertices.round(3))
hierarchy.dendrogram(tree, no_labels=True)
plt.figure()
xs, ys = np.meshgrid(np.linspace(-2, 5, 50), np.linspace(-2, 5, 50))
scores = -mixture.score_samples(np.column_stack([xs.ravel(), ys.ravel()]))
plt.contour(xs, ys, scores.reshape(xs.shape), levels=np.logspace(0, 2, 8))
plt.scatter(*points.T, c=groups)
corners = points[np.append(hull.vertices, hull.vertices[0])]
plt.plot(corners[:, 0], corners[:, 1], "k-")
