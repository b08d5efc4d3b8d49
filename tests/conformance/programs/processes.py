"""Interpolate by a Gaussian process whose kernel is fitted, and draw samples of it."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel

rng = np.random.RandomState(1)
places = np.linspace(0, 10, 200).reshape(-1, 1)
truth = np.squeeze(places * np.sin(places))
chosen = rng.choice(np.arange(truth.size), size=12, replace=False)
noisy = truth[chosen] + rng.normal(scale=0.3, size=chosen.size)
process = GaussianProcessRegressor(RBF(1.0, (1e-2, 1e2)) + WhiteKernel(0.1), normalize_y=True)
process.fit(places[chosen], noisy)
mean, deviation = process.predict(places, return_std=True)
inside = np.abs(mean - truth) < 1.96 * deviation
print(f"{process.score(places, truth):.4f} {inside.mean():.3f} {deviation.max():.4f}")
print(process.log_marginal_likelihood(np.log([1.0, 0.1])).round(4))
for sample in process.sample_y(places, 3, random_state=0).T:
    plt.plot(places, sample, ":")
plt.plot(places[chosen], noisy, "o", places, mean)
plt.fill_between(places.ravel(), mean - deviation, mean + deviation, alpha=0.3)
