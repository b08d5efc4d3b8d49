"""Dask's tests of CuPy, with another module in the place of CuPy."""
