"""The functions that gather a whole array for some case of the tables of the surface.

Split along axis 0 or 1, on two or three processes. Everything else keeps its operand's split or
reduces over it. ``docs/generate_gathering.py`` writes the list into the documentation.
"""

LISTED: dict[str, tuple[str, ...]] = {
    "numpy_shim": (
        "convolve", "correlate", "diag", "diagflat", "cumprod", "fft.fft", "fft.ifft", "fft.rfft",
        "fft.irfft", "fft.hfft", "fft.ihfft", "vectorize", "frompyfunc", "outer", "linalg.outer",
        "linalg.cholesky", "linalg.eigh", "linalg.eigvalsh", "linalg.eig", "linalg.eigvals",
        "linalg.qr", "linalg.svd", "linalg.svdvals", "linalg.inv", "linalg.pinv", "linalg.solve",
        "linalg.lstsq", "linalg.det", "linalg.slogdet", "linalg.matrix_rank", "linalg.tensorsolve",
        "linalg.tensorinv", "linalg.norm", "linalg.cond", "ndarray.data", "ndarray.__buffer__",
        "ndarray.argmax",
        "ndarray.byteswap", "ndarray.dumps", "ndarray.searchsorted", "ndarray.tobytes",
        "ndarray.tolist", "ndarray.__array__", "ndarray.__bytes__", "array2string", "array_repr",
        "array_str", "clip", "ndarray.__rmod__", "ndarray.__rdivmod__", "quantile", "pad",
        "polymul", "polyfit", "roots", "resize", "argmax", "searchsorted", "digitize", "unique",
        "unique_all", "unique_inverse", "unique_values", "union1d", "intersect1d", "setdiff1d",
        "setxor1d", "isin", "lib.stride_tricks.sliding_window_view", "add", "arccosh",
        "add.outer", "add.at", "put", "fill_diagonal", "broadcast_arrays", "ndarray.flat",
        "ndarray.put", "piecewise", "ndarray.__getitem__", "sin.at", "kron", "nanmedian",
        "add.reduce",
    ),
    "xp_torch": (
        "Array.__repr__", "Array.__array__", "Array.__dlpack_device__", "Array.__setitem__",
        "linalg.cross", "linalg.outer", "linalg.trace", "linalg.cholesky", "linalg.eig",
        "linalg.eigh", "linalg.eigvals", "linalg.eigvalsh", "linalg.qr", "linalg.svd",
        "linalg.svdvals", "linalg.det", "linalg.inv", "linalg.matrix_norm", "linalg.matrix_power",
        "linalg.matrix_rank", "linalg.pinv", "linalg.slogdet", "linalg.solve", "linalg.vector_norm",
        "squeeze", "Array.__rmod__", "searchsorted", "unique_all", "unique_counts",
        "unique_inverse", "unique_values", "tile", "isin",
    ),
}  # fmt: skip
