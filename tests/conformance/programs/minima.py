"""Find minima: by gradients, in bounds, with constraints, of sums of squares, and all over."""

import matplotlib.pyplot as plt
import numpy as np
from scipy import optimize


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def slope(x):
    out = np.zeros_like(x)
    out[1:-1] = 200 * (x[1:-1] - x[:-2] ** 2) - 400 * (x[2:] - x[1:-1] ** 2) * x[1:-1]
    out[1:-1] -= 2 * (1 - x[1:-1])
    out[0] = -400 * x[0] * (x[1] - x[0] ** 2) - 2 * (1 - x[0])
    out[-1] = 200 * (x[-1] - x[-2] ** 2)
    return out


start = np.array([1.3, 0.7, 0.8, 1.9])
steps = [start]
for method in ("BFGS", "L-BFGS-B", "CG"):
    found = optimize.minimize(rosenbrock, start, jac=slope, method=method, callback=steps.append)
    print(method, found.success, found.x.round(4))
limits = [{"type": "ineq", "fun": lambda x: 1.5 - x.sum()}]
found = optimize.minimize(
    rosenbrock, start, method="SLSQP", bounds=[(0, 2)] * 4, constraints=limits
)
print(found.x.round(3), found.fun.round(3))
times = np.linspace(0, 3, 40)
data = 2.5 * np.exp(-1.3 * times) + np.random.default_rng(3).normal(0, 0.05, 40)
fit = optimize.least_squares(
    lambda p: p[0] * np.exp(-p[1] * times) - data, [1.0, 1.0], loss="soft_l1"
)
print(fit.x.round(5), optimize.root(lambda x: x + 2 * np.cos(x), 0.3).x.round(6))
plan = optimize.linprog(
    [-1, 4], A_ub=np.array([[-3, 1], [1, 2]]), b_ub=[6, 4], bounds=[(None, None), (-3, None)]
)
print(plan.x, optimize.linear_sum_assignment(np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])))
best = optimize.differential_evolution(rosenbrock, [(0, 2)] * 2, seed=1, tol=1e-8)
print(best.x.round(5), optimize.brentq(lambda x: x**3 - 2, 0, 2))
xs, ys = np.meshgrid(np.linspace(-1, 2, 60), np.linspace(-1, 3, 60))
heights = (1 - xs) ** 2 + 100 * (ys - xs**2) ** 2
levels = np.log10(1 + heights).round(9)  # the last digit of a logarithm moves pixels
plt.contour(xs, ys, levels, 12)
plt.plot([s[0] for s in steps], [s[1] for s in steps], "k.-")
