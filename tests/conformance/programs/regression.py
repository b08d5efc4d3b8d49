"""Fit linear, logistic and time series models with statsmodels, and draw the fit."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf

rng = np.random.default_rng(2)
x = np.linspace(0, 10, 80)
y = 1.5 + 0.8 * x - 0.05 * x**2 + rng.normal(scale=0.3, size=x.size)
design = sm.add_constant(np.column_stack((x, x**2)))
fit = sm.OLS(y, design).fit()
print(np.asarray(fit.params).round(4), np.asarray(fit.bse).round(4), round(float(fit.rsquared), 6))
print(np.asarray(fit.conf_int()).round(4).tolist(), round(float(fit.f_pvalue), 12))
print(np.abs(y - fit.predict(design)).max().round(4), np.sum(fit.resid**2).round(4))

frame = pd.DataFrame({"x": x, "y": y, "high": (y > np.median(y)).astype(int)})
print(smf.ols("y ~ x + np.sin(x)", frame).fit().params.round(4).to_dict())
logit = sm.Logit(np.asarray(frame["high"]), sm.add_constant(x)).fit(disp=0)
print(np.asarray(logit.params).round(3), float(logit.llf) < 0)
robust = sm.RLM(y, design, M=sm.robust.norms.HuberT()).fit()
print(np.asarray(robust.params).round(3))
correlations = sm.tsa.acf(rng.normal(size=60).cumsum(), nlags=4)
print(correlations.round(4))
smooth = sm.nonparametric.lowess(y, x, frac=0.3)
print(smooth.shape, smooth[:, 1].mean().round(4))

plt.plot(x, y, ".")
plt.plot(x, fit.fittedvalues)
plt.plot(smooth[:, 0], smooth[:, 1])
sm.qqplot(fit.resid, line="s")
