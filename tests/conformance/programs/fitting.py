"""Fit a decay with its uncertainty, and draw the data, the fit and the residuals."""

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import curve_fit


def decay(t, height, rate, floor):
    return height * np.exp(-rate * t) + floor


rng = np.random.default_rng(1729)
t = np.linspace(0, 4, 50)
measured = decay(t, 2.5, 1.3, 0.5) + 0.2 * rng.normal(size=t.size)
best, covariance = curve_fit(decay, t, measured)
print(best.round(4), np.sqrt(np.diag(covariance)).round(4))
fig, (above, below) = plt.subplots(2, 1, sharex=True)
above.errorbar(t, measured, yerr=0.2, fmt="o", ms=3)
above.plot(t, decay(t, *best), label=f"rate {best[1]:.3f}")
above.legend()
below.stem(t, measured - decay(t, *best))
plt.show()
