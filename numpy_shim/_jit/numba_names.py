"""What of Python, ``math`` and NumPy is given to Numba: what both were measured to compute alike.

A test compares each on zeros with a sign, infinities, NaN and the largest integers. A function that
uses a name which is not here, other operands or other kinds of numbers runs as it was.
"""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """What a function may be given."""

    most: int
    """The most operands by place, with the array of a method: what follows may be ``out``."""
    kinds: str
    """Of the operands: int64 (i), float64 (f), complex128 (c), bool (b); ``*``: whatever."""


def _known(*rows: tuple[int, str, str]) -> dict[str, Known]:
    return {name: Known(most, kinds) for most, kinds, names in rows for name in names.split()}


BUILTINS = _known(
    (8, "*", "range len enumerate zip min max int float bool"),
    (1, "ifc", "abs"),
    (1, "f", "round"),
    (2, "if", "complex"),
)
FUNCTIONS = _known(
    (1, "*", "zeros_like ones_like empty_like copy flatten ravel"),
    (2, "*", "zeros ones empty"),
    (8, "*", "reshape transpose"),
    (1, "ifc", "array absolute abs square"),
    (1, "fc", "conj conjugate real imag"),
    (2, "ifc", "full full_like"),
    (2, "if", "fill"),
    (3, "if", "arange"),
    (2, "i", "eye identity"),
    (2, "ifb", "astype"),
    (1, "if", "sqrt exp log log2 log10 log1p expm1 exp2 sin cos tan sinh cosh tanh"),
    (1, "if", "arcsin arccos arctan arcsinh arccosh arctanh degrees radians"),
    (1, "if", "asin acos atan asinh acosh atanh erf fabs cbrt isnan isfinite isinf"),
    (1, "f", "floor ceil trunc rint negative positive round"),
    (2, "if", "hypot arctan2 atan2 copysign maximum minimum"),
    (2, "f", "fmax fmin pow add subtract multiply divide true_divide"),
    (2, "b", "logical_and logical_or"),
    (1, "b", "logical_not"),
    (2, "ifcb", "sum"),
    (1, "ifcb", "any all"),
    (1, "ifc", "prod cumsum"),
    (1, "if", "mean max min amax amin argmax argmin"),
    (3, "ifcb", "where"),
    (2, "fc", "dot"),
    (2, "ifc", "outer"),
    (2, "*", "random standard_normal standard_exponential"),
    (4, "i", "integers"),
    (4, "if", "normal uniform"),
    (3, "if", "exponential"),
)
DRAWING = frozenset({
    "random", "standard_normal", "standard_exponential", "integers", "normal", "uniform",
    "exponential",
})  # fmt: skip
"""The methods of NumPy's ``Generator`` among them: its bits are the source in Numba, too."""
TYPES = frozenset({
    "float64", "int64", "complex128", "double", "intp", "bool_", "bool", "int8", "int16", "int32",
    "uint8", "uint16", "uint32", "uint64", "float32", "complex64",
})  # fmt: skip
VALUES = TYPES | {
    "shape", "size", "ndim", "T", "dtype", "pi", "e", "inf", "nan", "tau", "newaxis",
}  # fmt: skip
ERRORS = frozenset({
    "IndexError", "ValueError", "RuntimeError", "Exception", "ZeroDivisionError",
    "ArithmeticError", "TypeError", "LookupError", "KeyError", "OverflowError",
    "NotImplementedError", "AssertionError",
})  # fmt: skip
VIEWS = frozenset({"reshape", "ravel", "transpose", "real", "imag", "zip", "enumerate"})
"""Functions whose results share memory with their operands."""
