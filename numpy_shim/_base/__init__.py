"""The lowest floor: dtypes, defaults, axes, tracing, error states; no arrays and no kernels."""
