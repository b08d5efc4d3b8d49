"""Fit lines with a penalty, curves by splines and polynomials, and compare their errors."""

import matplotlib.pyplot as plt
import numpy as np
from scipy import interpolate, stats
from sklearn.compose import TransformedTargetRegressor
from sklearn.linear_model import LassoCV, LogisticRegression, Ridge, lasso_path
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, PolynomialFeatures, SplineTransformer

rng = np.random.default_rng(10)
x = np.sort(rng.uniform(0, 6, 60))
y = np.exp(0.3 * x) * (1 + 0.1 * np.sin(5 * x)) + 0.05 * rng.normal(size=60)
grid = np.linspace(0.2, 5.8, 100)
plt.plot(x, y, ".")
for transform in (PolynomialFeatures(3), SplineTransformer(n_knots=6)):
    model = make_pipeline(transform, Ridge(1e-3)).fit(x[:, np.newaxis], y)
    fitted = model.predict(x[:, np.newaxis])
    print(f"{mean_squared_error(y, fitted):.5f} {r2_score(y, fitted):.5f}")
    plt.plot(grid, model.predict(grid[:, np.newaxis]))
logs = TransformedTargetRegressor(Ridge(), func=np.log, inverse_func=np.exp).fit(x[:, None], y)
both = make_pipeline(FunctionTransformer(np.sqrt), Ridge()).fit(x[:, None], y)
print(logs.predict(x[:2, None]).round(5), both.predict(x[:2, None]).round(5))
wide = rng.normal(size=(50, 8))
goal = wide @ np.array([3.0, -2, 0, 0, 1, 0, 0, 0]) + 0.1 * rng.normal(size=50)
lasso = LassoCV(cv=3, alphas=np.logspace(-3, 0, 10)).fit(wide, goal)
print(f"{lasso.alpha_:.5f}", np.flatnonzero(np.abs(lasso.coef_) > 0.5), lasso.coef_.round(3))
scores = cross_validate(LogisticRegression(), wide, goal > 0, cv=3)["test_score"]
print(scores.mean().round(4), stats.ttest_rel(goal, wide @ lasso.coef_).pvalue.round(4))
spline = interpolate.make_smoothing_spline(x, y, lam=0.1)
cubic = interpolate.CubicSpline(x, y)
plt.plot(grid, spline(grid), grid, interpolate.PchipInterpolator(x, y)(grid), "--")
print(spline(np.array([1.0, 2.0])).round(5), cubic(3.0, 1).round(4), np.polyfit(x, y, 2).round(5))
plt.figure()
alphas, weights, _ = lasso_path(wide, goal, alphas=np.logspace(-3, 0, 10))
plt.semilogx(alphas, weights.T)
