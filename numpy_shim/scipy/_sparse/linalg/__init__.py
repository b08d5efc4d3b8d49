"""``scipy.sparse.linalg`` where the arrays are: SciPy's Python code is executed in this package."""
