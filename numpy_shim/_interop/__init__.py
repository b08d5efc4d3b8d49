"""torch's and NumPy's own functions on our arrays."""
