"""Grow trees and forests, rank features, and compare scores by fold."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier
from sklearn.inspection import permutation_importance
from sklearn.model_selection import KFold, learning_curve
from sklearn.tree import DecisionTreeRegressor, export_text, plot_tree

rng = np.random.default_rng(5)
x = np.sort(5 * rng.random((80, 1)), axis=0)
y = np.sin(x).ravel()
y[::5] += 3 * (0.5 - rng.random(16))
tree = DecisionTreeRegressor(max_depth=2).fit(x, y)
print(export_text(tree, decimals=3), tree.predict([[1.5], [4.0]]))
features = rng.normal(size=(150, 4))
kinds = (features[:, 0] + features[:, 1] ** 2 > 0.5).astype(int)
forest = RandomForestClassifier(20, random_state=0).fit(features, kinds)
order = np.argsort(forest.feature_importances_)[::-1]
ranks = permutation_importance(forest, features, kinds, n_repeats=3, random_state=0)
print(order, ranks.importances_mean.round(3), forest.predict_proba(features[:2]).sum(axis=1))
target = features[:, 1] + 2 * features[:, 2] + 3 * features[:, 3]
errors = []
for train, test in KFold(3).split(features):
    model = GradientBoostingRegressor(n_estimators=20, random_state=0)
    model.fit(features[train], target[train])
    errors.append(np.mean((model.predict(features[test]) - target[test]) ** 2))
print(np.array(errors).round(4))
sizes, train_scores, test_scores = learning_curve(tree, x, y, train_sizes=np.linspace(0.3, 1, 3))
print(sizes, train_scores.mean(axis=1).round(4), test_scores.std(axis=1).round(4))
plot_tree(tree)
figure, ax = plt.subplots()
ax.bar(np.arange(4), forest.feature_importances_[order])
ax.errorbar(np.arange(4), ranks.importances_mean[order], yerr=ranks.importances_std[order])
