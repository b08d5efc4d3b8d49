"""Run the tests of other libraries with NumPy, and with a namespace instead of NumPy."""
