"""The functions of numpy_shim that read values, and so wait for the device, with the reasons.

On an accelerator the decompositions of ``linalg`` wait too, for torch looks whether they
exist; that list is in ``docs/sync.md``.
"""

from __future__ import annotations

SHAPE = "the shape of the result depends on the values"
PYTHON = "a value becomes a Python object"
HOST = "the values go to the host"
TRUTH = "the answer is a Python bool"
CALLS = "a Python function is called with the values, or decides by them"

WAITING: dict[str, str] = {
    **dict.fromkeys(
        ("argwhere", "bincount", "compress", "extract", "flatnonzero", "intersect1d",
         "mask_indices", "ndarray.compress", "ndarray.__getitem__", "ndarray.nonzero", "nonzero",
         "piecewise", "poly1d", "polydiv", "polymul", "repeat", "roots", "setdiff1d",
         "setxor1d", "trim_zeros", "union1d", "unique", "unique_all",
         "unique_counts", "unique_inverse", "unique_values"),
        SHAPE,
    ),
    **dict.fromkeys(
        ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "float32", "float64", "complex64", "complex128"),
        "a scalar type is NumPy's own, which takes the value",
    ),
    **dict.fromkeys(
        ("float64.__hash__", "float64.__round__", "float64.as_integer_ratio", "float64.hex",
         "float64.is_integer", "linalg.lstsq", "polyfit", "ndarray.__float__", "ndarray.item",
         "ndarray.tolist"),
        PYTHON,
    ),
    **dict.fromkeys(
        ("array2string", "array_repr", "array_str", "format_float_positional",
         "format_float_scientific", "ndarray.__array__", "ndarray.__buffer__", "ndarray.__bytes__",
         "ndarray.__dlpack__", "ndarray.data",
         "ndarray.to_device", "ndarray.tobytes"),
        HOST,
    ),
    **dict.fromkeys(
        ("allclose", "array_equal", "array_equiv", "asarray_chkfinite", "ndarray.__bool__",
         "ndarray.__contains__"),
        TRUTH,
    ),
    **dict.fromkeys(("frompyfunc", "vectorize"), CALLS),
    "add.reduceat": "the indices say how long each part is",
    "real_if_close": "the dtype of the result depends on the values",
    "sin.at": "every index is checked before the first element is written",
}  # fmt: skip
