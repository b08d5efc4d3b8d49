"""Reports on how far a namespace follows the Python array API standard.

A namespace is known here by its name only: it is imported in a subprocess, or by
`importlib` for the coverage report. See `python -m conformance --help`.
"""
