"""Draw from distributions, test, and estimate a density."""

import matplotlib.pyplot as plt
import numpy as np
from scipy import special, stats

np.random.seed(7)
sample = stats.t.rvs(10, size=300)
t, p = stats.ttest_1samp(sample, 0.0)
print(f"t = {t:6.3f} p = {p:6.4f}")
print(stats.describe(sample), special.erf(sample[:3]), special.gammainc(2.0, np.abs(sample[:2])))
rng = np.random.default_rng(2)
a = rng.random(30)
b = 1.6 * a + rng.random(30)
line = stats.linregress(a, b)
print(f"{line.slope:.5f} {line.intercept:.5f} {line.rvalue:.5f}", stats.spearmanr(a, b).statistic)
xs = np.linspace(stats.norm.ppf(0.01), stats.norm.ppf(0.99), 100)
plt.hist(sample, bins="auto", density=True, alpha=0.3)
plt.plot(xs, stats.norm.pdf(xs), xs, stats.gaussian_kde(sample)(xs))
plt.figure()
plt.plot(a, b, "o", a, line.intercept + line.slope * a)
