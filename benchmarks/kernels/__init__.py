"""Kernels in the style of public suites, beside NumPy, torch by hand, Numba and JAX."""
