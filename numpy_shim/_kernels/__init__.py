"""Algorithms that only NumPy has: functions from tensors to tensors, one file per topic."""
