"""``numpy_shim.export``: files of functions written for NumPy, which run without Python."""
