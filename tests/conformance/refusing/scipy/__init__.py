"""In SciPy's place."""
