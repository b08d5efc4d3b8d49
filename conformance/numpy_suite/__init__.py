"""NumPy's own tests, run on another namespace that has NumPy's interface.

`_files` finds the tests in the installed wheel, `_scope` tells which of them a namespace over torch
is held to, `_rewrite` and `_bridge` make the name `numpy` in them mean the namespace, `_testing`
hands its arrays to `numpy.testing`, and `_run` runs them in processes that may crash.
"""
