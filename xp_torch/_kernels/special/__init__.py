"""Special functions of floating-point tensors, a file a family.

Each function takes real tensors that broadcast, of one dtype, float32 or float64, and gives SciPy's
values; float32 is computed in float64. Functions that SciPy has for complex numbers take them where
the docstring says so. No function reads a value: series and iterations have fixed numbers of
steps.
"""
