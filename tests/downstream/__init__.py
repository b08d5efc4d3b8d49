"""Real libraries on xp_torch arrays, beside the same on NumPy arrays."""
