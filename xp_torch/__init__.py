"""A strict Python array API standard namespace over PyTorch."""

from . import _flags, _operators, fft
from ._array import Array
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
from ._elementwise import add
from ._exponential import exp, expm1, log, log1p, log2, log10, sqrt
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
