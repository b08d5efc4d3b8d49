"""A strict Python array API standard namespace over PyTorch."""

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
from ._array import Array
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
from ._creation import (
    arange,
    asarray,
    empty,
    empty_like,
    eye,
    from_dlpack,
    full,
    full_like,
    linspace,
    meshgrid,
    ones,
    ones_like,
    tril,
    triu,
    zeros,
    zeros_like,
)
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
from ._indexing_functions import take, take_along_axis
from ._info import __array_namespace_info__
from ._interchange import to_torch
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
from ._statistical import max, mean, min, prod, std, sum, var
from ._trigonometric import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atanh,
    cos,
    cosh,
    sin,
    sinh,
    tan,
    tanh,
)
from ._utility import all, any, diff

__version__ = "0.1.0"
__array_api_version__ = "2025.12"
