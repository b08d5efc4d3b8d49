"""The host beside the device: what crosses to it, what comes back, and what is NumPy's there."""
