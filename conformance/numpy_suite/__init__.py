"""NumPy's own tests, run on another namespace that has NumPy's interface.

`_files` finds the tests in the installed wheel. `_scope` tells which of them a namespace over torch
must pass. `_rewrite` and `_bridge` make the name `numpy` in them refer to the namespace. `_testing`
converts its arrays for `numpy.testing`. `_run` runs the tests in processes that may crash.
"""
