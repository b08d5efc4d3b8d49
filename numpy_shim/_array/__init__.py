"""The array class and the scalars, their views and their layout in memory."""
