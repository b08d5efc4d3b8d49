"""Solve on sparse matrices: a plate's heat, shortest paths, and a network's eigenvectors."""

import matplotlib.pyplot as plt
import numpy as np
from scipy import sparse
from scipy.sparse import csgraph, linalg

size = 12
ones = np.ones(size)
second = sparse.diags([ones[1:], -2 * ones, ones[1:]], [-1, 0, 1])
plate = sparse.kron(second, sparse.eye(size)) + sparse.kron(sparse.eye(size), second)
source = np.zeros((size, size))
source[3:5, 3:5] = -1
heat = linalg.spsolve(plate.tocsr(), source.ravel()).reshape(size, size)
again, info = linalg.cg(-plate.tocsr(), -source.ravel(), rtol=1e-10)
print(heat.max().round(6), info, np.allclose(again, heat.ravel()), plate.nnz)
rng = np.random.default_rng(6)
points = rng.random((30, 2))
apart = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
graph = sparse.csr_array(np.where(apart < 0.35, apart, 0))
paths, before = csgraph.dijkstra(graph, indices=0, return_predecessors=True)
print(paths[np.isfinite(paths)].max().round(5), before[:4], csgraph.connected_components(graph)[0])
print(csgraph.minimum_spanning_tree(graph).sum().round(5))
values, vectors = linalg.eigsh(csgraph.laplacian(graph), k=2, which="SM")
side = vectors[:, 1] * np.sign(vectors[0, 1])
print(np.sort(values).round(6), int((side > 0).sum()))
graph.data[:] = 1 / graph.data
graph.data *= 2
print(graph.sum().round(4), graph[0].toarray().max().round(5), (graph @ np.ones(30))[:3].round(4))
plt.imshow(heat, cmap="hot")
plt.figure()
plt.scatter(points[:, 0], points[:, 1], c=side, s=50)
