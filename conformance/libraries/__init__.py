"""Other people's libraries, their own tests: with NumPy, and with a namespace in NumPy's place."""
