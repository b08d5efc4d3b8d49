"""``python -m numpy_shim``: run a NumPy program on torch. See docs/launcher.md."""
