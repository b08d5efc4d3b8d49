"""The public functions, one file per chapter of NumPy's reference."""
