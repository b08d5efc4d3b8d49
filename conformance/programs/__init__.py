"""Programs run with NumPy and by the launcher, and what they print and draw compared."""
