"""`roc_curve` passes the order of `diff` by position, which the standard takes by name only."""

import sklearn.metrics

from conformance.worlds import world

sklearn.set_config(array_api_dispatch=True)

with world("strict") as xp:
    sklearn.metrics.roc_curve(xp.asarray([0, 1, 1, 0]), xp.asarray([0.1, 0.8, 0.3, 0.4]))
