"""The array class and the scalars, their views and how they lie in memory."""
