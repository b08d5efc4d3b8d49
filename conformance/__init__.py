"""Reports on how far a namespace follows the array API standard, or NumPy's own tests.

This package knows a namespace by name only. A subprocess imports it, or `importlib` for the
coverage report. See `python -m conformance --help`.
"""
