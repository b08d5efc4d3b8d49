"""``numpy_shim.jit``: compiles functions that were written for NumPy."""
