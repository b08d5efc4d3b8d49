"""Scale, search, score and draw: a classifier's regions, its curve and clusters."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.metrics import confusion_matrix, roc_curve
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

iris = load_iris()
points = PCA(n_components=2).fit_transform(iris.data)
train, test, train_kinds, test_kinds = train_test_split(points, iris.target, random_state=0)
model = make_pipeline(StandardScaler(), SVC())
search = GridSearchCV(model, {"svc__C": np.logspace(-1, 1, 3)}, cv=3).fit(train, train_kinds)
print(
    search.best_params_, search.score(test, test_kinds), cross_val_score(model, points, iris.target)
)
print(confusion_matrix(test_kinds, search.predict(test)))
xs, ys = np.meshgrid(np.linspace(-4, 4, 60), np.linspace(-2, 2, 40))
regions = search.predict(np.c_[xs.ravel(), ys.ravel()]).reshape(xs.shape)
plt.contourf(xs, ys, regions, alpha=0.3)
plt.scatter(points[:, 0], points[:, 1], c=iris.target, edgecolors="k")
scores = search.decision_function(np.stack([xs.ravel(), ys.ravel()], axis=1))[:, 0]
wrong, right, _ = roc_curve(regions.ravel() == 0, scores)
print(np.trapezoid(right, wrong).round(4))
clusters = KMeans(3, n_init=2, random_state=0).fit(points)
print(np.bincount(clusters.labels_), clusters.cluster_centers_.round(4))
plt.figure()
plt.plot(wrong, right)
