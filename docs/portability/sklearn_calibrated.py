"""`CalibratedClassifierCV` calls the method `reshape`, which arrays of the standard do not have."""

import sklearn.calibration
import sklearn.linear_model

from conformance.worlds import world

sklearn.set_config(array_api_dispatch=True)

with world("strict") as xp:
    x = xp.reshape(xp.arange(8.0), (8, 1))
    ridge = sklearn.linear_model.RidgeClassifier(solver="svd")
    found = sklearn.calibration.CalibratedClassifierCV(ridge, method="temperature", cv=2)
    found.fit(x, xp.asarray([0, 1] * 4))
