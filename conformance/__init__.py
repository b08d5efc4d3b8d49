"""Reports on how far a namespace follows the array API standard, or NumPy's own tests.

A namespace is known here by its name only: it is imported in a subprocess, or by
`importlib` for the coverage report. See `python -m conformance --help`.
"""
