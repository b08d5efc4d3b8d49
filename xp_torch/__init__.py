"""A strict namespace of the Python array API standard, version 2025.12, over PyTorch.

Array-agnostic libraries use it as ``import xp_torch as xp``. It has every name of the standard,
on the CPU and on CUDA, and two documented extras. ``to_torch`` converts an array to a tensor
(``asarray`` converts a tensor to an array). ``flags`` holds the strictness switches.
"""

from . import _flags, _operators, fft, linalg
from ._arithmetic import (
    abs,
    add,
    atan2,
    conj,
    copysign,
    divide,
    floor_divide,
    hypot,
    imag,
    logaddexp,
    multiply,
    negative,
    nextafter,
    positive,
    pow,
    real,
    reciprocal,
    remainder,
    sign,
    signbit,
    square,
    subtract,
)
from ._bitwise import (
    bitwise_and,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
)
from ._comparison import (
    equal,
    greater,
    greater_equal,
    isfinite,
    isinf,
    isnan,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    not_equal,
)
from ._constants import e, inf, nan, newaxis, pi
from ._conversion import asarray, from_dlpack
from ._conversion import to_torch as to_torch
from ._creation import empty, full, ones, zeros
from ._creation_like import empty_like, full_like, ones_like, zeros_like
from ._cumulative import cumulative_prod, cumulative_sum
from ._data_types import astype, can_cast, finfo, iinfo, isdtype, result_type
from ._dtypes import (
    bool,
    complex64,
    complex128,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ._exponential import exp, expm1, log, log1p, log2, log10, sqrt
from ._flags import flags as flags
from ._grids import eye, meshgrid, tril, triu
from ._indexing_functions import take, take_along_axis
from ._info import __array_namespace_info__
from ._linear_algebra import matmul, matrix_transpose, tensordot, vecdot
from ._manipulation import (
    broadcast_arrays,
    broadcast_shapes,
    broadcast_to,
    expand_dims,
    moveaxis,
    permute_dims,
    reshape,
    squeeze,
)
from ._rearranging import concat, flip, repeat, roll, stack, tile, unstack
from ._rounding import ceil, clip, floor, round, trunc
from ._searching import argmax, argmin, count_nonzero, nonzero, searchsorted, where
from ._sets import isin, unique_all, unique_counts, unique_inverse, unique_values
from ._sorting import argsort, sort
from ._spaced import arange, linspace
from ._statistical import max, mean, min, prod, std, sum, var
from ._torch import patches as _patches
from ._trigonometric import acos, acosh, asin, asinh, atan, atanh, cos, cosh, sin, sinh, tan, tanh
from ._utility import all, any, diff

__version__ = "0.1.0"
__array_api_version__ = "2025.12"

__all__ = [  # noqa: RUF022 - in the order of the standard
    # Constants
    "e",
    "inf",
    "nan",
    "newaxis",
    "pi",
    # Creation functions
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
    # Data type functions
    "astype",
    "can_cast",
    "finfo",
    "iinfo",
    "isdtype",
    "result_type",
    # Data types
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "complex64",
    "complex128",
    # Element-wise functions
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_invert",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "square",
    "sqrt",
    "subtract",
    "tan",
    "tanh",
    "trunc",
    # Indexing functions
    "take",
    "take_along_axis",
    # Inspection
    "__array_namespace_info__",
    # Linear algebra functions
    "matmul",
    "matrix_transpose",
    "tensordot",
    "vecdot",
    # Manipulation functions
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
    # Searching functions
    "argmax",
    "argmin",
    "count_nonzero",
    "nonzero",
    "searchsorted",
    "where",
    # Set functions
    "isin",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    # Sorting functions
    "argsort",
    "sort",
    # Statistical functions
    "cumulative_sum",
    "cumulative_prod",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
    # Utility functions
    "all",
    "any",
    "diff",
    # Extensions
    "linalg",
    "fft",
]


def __dir__() -> list[str]:
    """The names of the version in force, and the two documented extras."""
    return [*_flags.public_names(), "__array_api_version__", "__version__", "flags", "to_torch"]


_flags.attach({name: globals()[name] for name in __all__})
_patches.wait_for_torch()
_patches.mark_functions()
