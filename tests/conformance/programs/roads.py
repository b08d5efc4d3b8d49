"""Make a network of places, find its ways and its parts, and draw it."""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

rng = np.random.default_rng(3)
places = rng.uniform(size=(24, 2))
apart = np.linalg.norm(places[:, None] - places, axis=-1)
near = np.where((apart < 0.33) & (apart > 0), apart, 0.0)
graph = nx.from_numpy_array(near)
print(graph.number_of_nodes(), graph.number_of_edges(), nx.number_connected_components(graph))
largest = graph.subgraph(max(nx.connected_components(graph), key=len))
nodes = sorted(largest)
print(nx.shortest_path(largest, nodes[0], nodes[-1], weight="weight"))
print(round(nx.shortest_path_length(largest, nodes[0], nodes[-1], weight="weight"), 6))
rank = nx.pagerank(graph)
print(max(rank, key=rank.get), round(max(rank.values()), 6))
between = np.array(list(nx.betweenness_centrality(graph).values()))
print(np.argmax(between), between.sum().round(6))
spectrum = np.linalg.eigvalsh(nx.laplacian_matrix(graph).toarray())
print((spectrum < 1e-9).sum(), spectrum[-1].round(6))
print(nx.to_numpy_array(nx.minimum_spanning_tree(graph)).sum().round(6))

position = {i: places[i] for i in range(len(places))}
nx.draw(graph, position, node_size=40 + 900 * between, node_color=between, width=0.5)
plt.figure()
nx.draw_networkx(nx.path_graph(5), pos=nx.circular_layout(nx.path_graph(5)))
