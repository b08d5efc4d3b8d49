"""NumPy's numeric surface over PyTorch: ``import numpy_shim as np`` runs a NumPy script on torch.

Arrays are torch tensors with NumPy's interface: on any device, differentiable, and traceable by
``torch.compile``. Each chapter of NumPy's reference is a module of ``_functions``; ``__all__`` is
NumPy's, without the names that are missing on purpose (``_base/absent.py``), and with some of our
own: ``allow_implicit_host_copy``, ``bfloat16``, ``export``, ``jit``, ``set_default_dtype``,
``set_host_dtypes``, and the derivatives ``grad``, ``value_and_grad``, ``jacobian`` and ``vmap``.
"""

# ruff: noqa: E402 - the garbage collector waits for the imports

import typing as _typing
from importlib import import_module as _import_module

import numpy as _numpy
import torch as _torch
from numpy import _CopyMode as _CopyMode
from numpy import asmatrix as asmatrix
from numpy import bmat as bmat
from numpy import char as char
from numpy import dtype as dtype
from numpy import dtypes as dtypes
from numpy import getbufsize as getbufsize
from numpy import info as info
from numpy import matrix as matrix
from numpy import memmap as memmap
from numpy import rec as rec
from numpy import recarray as recarray
from numpy import setbufsize as setbufsize
from numpy import strings as strings

from xp_torch._torch.patches import DYNAMO as _DYNAMO
from xp_torch._torch.patches import mark_functions as _mark_functions
from xp_torch._torch.patches import when_imported as _when_imported

from ._base.collector import CollectLater as _CollectLater

_collect_later = _CollectLater()  # torch is imported by now, and its own garbage is gone

from . import exceptions as exceptions
from . import lib as lib
from . import linalg as linalg
from . import typing as typing
from ._array.ndarray import ndarray as ndarray
from ._base import scalar_types as _scalars
from ._base.constants import e, euler_gamma, inf, little_endian, nan, newaxis, pi
from ._base.error_states import errstate, geterr, geterrcall, seterr, seterrcall
from ._base.host_setting import set_host_dtypes, set_host_kernels
from ._base.late import LATE as _LATE
from ._base.scalar_types import (
    bool,
    bool_,
    byte,
    bytes_,
    cdouble,
    character,
    clongdouble,
    complex64,
    complex128,
    complexfloating,
    csingle,
    datetime64,
    double,
    flexible,
    float16,
    float32,
    float64,
    floating,
    generic,
    half,
    inexact,
    int8,
    int16,
    int32,
    int64,
    int_,
    intc,
    integer,
    intp,
    long,
    longdouble,
    longlong,
    number,
    object_,
    record,
    short,
    signedinteger,
    single,
    str_,
    timedelta64,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uintc,
    uintp,
    ulong,
    ulonglong,
    unsignedinteger,
    ushort,
    void,
)
from ._base.tracing import _NoValue as _NoValue
from ._convert.from_buffers import (
    from_dlpack,
    frombuffer,
    fromfunction,
    fromiter,
    fromstring,
)
from ._convert.from_data import array, asanyarray, asarray, copy
from ._convert.printing import (
    array2string,
    array_repr,
    array_str,
    format_float_positional,
    format_float_scientific,
    get_printoptions,
    printoptions,
    set_printoptions,
)
from ._convert.requirements import asarray_chkfinite, ascontiguousarray, asfortranarray, require
from ._convert.to_numpy import allow_implicit_host_copy
from ._functions.axis_order import (
    matrix_transpose,
    moveaxis,
    permute_dims,
    rollaxis,
    swapaxes,
    transpose,
)
from ._functions.broadcasting import broadcast, broadcast_arrays, broadcast_shapes, broadcast_to
from ._functions.calculus import gradient, trapezoid
from ._functions.clipping import clip, nan_to_num
from ._functions.complex_numbers import angle, imag, real, real_if_close
from ._functions.convolution import convolve, correlate
from ._functions.creation import empty, full, ones, zeros
from ._functions.creation_like import astype, empty_like, full_like, ones_like, zeros_like
from ._functions.cumulative import cumprod, cumsum, cumulative_prod, cumulative_sum, diff
from ._functions.dates import (
    busday_count,
    busday_offset,
    busdaycalendar,
    datetime_as_string,
    datetime_data,
    is_busday,
)
from ._functions.derivatives import grad, jacobian, value_and_grad, vmap
from ._functions.diagonal_indices import (
    diag_indices,
    diag_indices_from,
    mask_indices,
    tril_indices,
    tril_indices_from,
    triu_indices,
    triu_indices_from,
)
from ._functions.diagonals import (
    diag,
    diagflat,
    diagonal,
    eye,
    identity,
    trace,
    tri,
    tril,
    triu,
    vander,
)
from ._functions.dimensions import atleast_1d, atleast_2d, atleast_3d, expand_dims, squeeze
from ._functions.dtype_functions import (
    can_cast,
    common_type,
    finfo,
    iinfo,
    isdtype,
    issubdtype,
    min_scalar_type,
    mintypecode,
    promote_types,
    result_type,
    set_default_dtype,
    typename,
)
from ._functions.einsum import einsum, einsum_path
from ._functions.extreme_positions import argmax, argmin, nanargmax, nanargmin
from ._functions.functional import apply_along_axis, apply_over_axes, piecewise
from ._functions.histograms import (
    bincount,
    histogram,
    histogram2d,
    histogram_bin_edges,
    histogramdd,
)
from ._functions.index_arrays import (
    indices,
    ix_,
    ndenumerate,
    ndindex,
    ravel_multi_index,
    unravel_index,
)
from ._functions.index_writing import copyto, fill_diagonal, place, put, put_along_axis, putmask
from ._functions.indexing import choose, compress, extract, select, take, take_along_axis
from ._functions.info import (
    False_,
    True_,
    __array_api_version__,
    __array_namespace_info__,
    __version__,
    isfortran,
    iterable,
    show_config,
    show_runtime,
)
from ._functions.inserting import delete, insert, trim_zeros
from ._functions.interpolation import interp, unwrap
from ._functions.io import fromfile, load, save, savez, savez_compressed
from ._functions.joining import append, concat, concatenate
from ._functions.logic import (
    allclose,
    array_equal,
    array_equiv,
    isclose,
    iscomplex,
    isneginf,
    isposinf,
    isreal,
)
from ._functions.manipulation import ndim, ravel, reshape, shape, size
from ._functions.memory import may_share_memory, shares_memory
from ._functions.nan_order_statistics import nanmedian, nanpercentile, nanquantile
from ._functions.nanfunctions import (
    nancumprod,
    nancumsum,
    nanmax,
    nanmean,
    nanmin,
    nanprod,
    nanstd,
    nansum,
    nanvar,
)
from ._functions.nditer import nditer, nested_iters
from ._functions.number_kinds import (
    ScalarType,
    iscomplexobj,
    isrealobj,
    isscalar,
    sctypeDict,
    typecodes,
)
from ._functions.number_text import base_repr, binary_repr
from ._functions.order_statistics import median, percentile, quantile
from ._functions.packing import packbits, unpackbits
from ._functions.padding import pad
from ._functions.products import cross, dot, inner, kron, outer, tensordot, vdot
from ._functions.ranges import arange
from ._functions.rearranging import flip, fliplr, flipud, repeat, resize, roll, rot90, tile
from ._functions.reductions import all, amax, amin, any, max, min, prod, ptp, sum
from ._functions.rounding import around, fix, round
from ._functions.searching import (
    argwhere,
    count_nonzero,
    digitize,
    flatnonzero,
    nonzero,
    searchsorted,
    where,
)
from ._functions.sets import ediff1d, intersect1d, isin, setdiff1d, setxor1d, union1d
from ._functions.sorting import argpartition, argsort, lexsort, partition, sort, sort_complex
from ._functions.spaced import geomspace, linspace, logspace, meshgrid
from ._functions.special import bartlett, blackman, hamming, hanning, i0, kaiser, sinc
from ._functions.splitting import array_split, dsplit, hsplit, split, unstack, vsplit
from ._functions.stacking import block, column_stack, dstack, hstack, row_stack, stack, vstack
from ._functions.statistics import average, corrcoef, cov, mean
from ._functions.text_files import fromregex, genfromtxt, loadtxt, savetxt
from ._functions.unique import unique, unique_all, unique_counts, unique_inverse, unique_values
from ._functions.variances import std, var
from ._functions.vectorize import frompyfunc, vectorize
from ._host.surface import put_on as _put_on
from ._host.surface import put_on_late as _put_on_late
from ._host.surface import put_on_methods as _put_on_methods
from ._indexing import fast as _indexing
from ._indexing.flat import flatiter as flatiter
from ._launcher.ipython import load_ipython_extension as load_ipython_extension
from ._launcher.ipython import unload_ipython_extension as unload_ipython_extension
from ._ufunc.declarations import (
    abs,
    absolute,
    acos,
    acosh,
    add,
    arccos,
    arccosh,
    arcsin,
    arcsinh,
    arctan,
    arctan2,
    arctanh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    bitwise_and,
    bitwise_count,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_not,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
    cbrt,
    ceil,
    conj,
    conjugate,
    copysign,
    cos,
    cosh,
    deg2rad,
    degrees,
    divide,
    divmod,
    equal,
    exp,
    exp2,
    expm1,
    fabs,
    float_power,
    floor,
    floor_divide,
    fmax,
    fmin,
    fmod,
    frexp,
    gcd,
    greater,
    greater_equal,
    heaviside,
    hypot,
    invert,
    isfinite,
    isinf,
    isnan,
    isnat,
    lcm,
    ldexp,
    left_shift,
    less,
    less_equal,
    log,
    log1p,
    log2,
    log10,
    logaddexp,
    logaddexp2,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    mod,
    modf,
    multiply,
    negative,
    nextafter,
    not_equal,
    positive,
    pow,
    power,
    rad2deg,
    radians,
    reciprocal,
    remainder,
    right_shift,
    rint,
    sign,
    signbit,
    sin,
    sinh,
    spacing,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    true_divide,
    trunc,
)
from ._ufunc.gufuncs import matmul, matvec, vecdot, vecmat
from ._ufunc.methods import Methods as _Methods
from ._ufunc.objects import ufunc as ufunc
from ._ufunc.spec import fill_every_spec as _fill_every_spec
from .lib._polynomial_fit import polyfit

# What calls our functions for the user comes after this.
_put_on(globals(), [name for name in globals() if name[0] != "_"])
_put_on(vars(linalg), linalg.__all__, "linalg.")
_put_on_late("fft")
_put_on(vars(lib.stride_tricks), lib.stride_tricks.__all__, "lib.stride_tricks.")
_put_on(vars(lib.array_utils), lib.array_utils.__all__, "lib.array_utils.")
_put_on_methods(_Methods, "ufunc.")

from ._members import operators as _operators  # isort: skip
from ._numpys.names import (  # isort: skip
    c_,
    index_exp,
    mgrid,
    ogrid,
    poly,
    poly1d,
    polyadd,
    polyder,
    polydiv,
    polyint,
    polymul,
    polysub,
    polyval,
    r_,
    roots,
    s_,
)
from ._interop import dask_hooks as _dask_hooks  # isort: skip
from ._interop import numpys_modules as _numpys_modules  # isort: skip
from ._members import attributes as _attributes  # isort: skip
from ._members import install as _install  # isort: skip
from ._members import protocols as _protocols  # isort: skip
from ._members import sources as _sources  # isort: skip

from ._export.export import export as export  # isort: skip
from ._jit.jit import jit as jit  # isort: skip
from .lib import scimath as emath  # isort: skip

_when_imported(_DYNAMO, lambda _: _fill_every_spec())
_mark_functions()  # if a rule for traces is missing, Dynamo does not trace them
_collect_later.end()
del _collect_later, _CollectLater, _mark_functions
_dask_hooks.install()
_numpys_modules.install()

__all__ = [  # noqa: RUF022 - by chapter
    # Modules
    "char", "core", "ctypeslib", "dtypes", "emath", "exceptions", "f2py", "fft", "lib", "linalg",
    "ma", "polynomial", "random", "rec", "strings", "testing", "typing",
    # Constants
    "e", "euler_gamma", "inf", "little_endian", "nan", "newaxis", "pi",
    # The array object, scalars and dtypes
    "bool", "bool_", "byte", "bytes_", "cdouble", "character", "clongdouble", "complex128",
    "complex64", "complexfloating", "csingle", "datetime64", "double", "dtype", "flatiter",
    "flexible", "float16", "float32", "float64", "floating", "generic", "half", "inexact", "int16",
    "int32", "int64", "int8", "int_", "intc", "integer", "intp", "long", "longdouble", "longlong",
    "ndarray", "number", "object_", "record", "short", "signedinteger", "single", "str_",
    "timedelta64", "ubyte", "uint", "uint16", "uint32", "uint64", "uint8", "uintc", "uintp",
    "ulong", "ulonglong", "unsignedinteger", "ushort", "void",
    # Data type functions and settings
    "ScalarType", "can_cast", "common_type", "finfo", "iinfo", "iscomplexobj", "isdtype",
    "isrealobj", "isscalar", "issubdtype", "min_scalar_type", "mintypecode", "promote_types",
    "result_type", "sctypeDict", "set_default_dtype", "typecodes", "typename",
    # Making arrays
    "arange", "array", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray",
    "asfortranarray", "asmatrix", "copy", "diag", "diagflat", "diagonal", "empty", "empty_like",
    "eye", "from_dlpack", "frombuffer", "fromfunction", "fromiter", "fromstring", "full",
    "full_like", "geomspace", "identity", "linspace", "logspace", "matrix", "meshgrid", "ones",
    "ones_like", "require", "trace", "tri", "tril", "triu", "vander", "zeros", "zeros_like",
    # Manipulating arrays
    "append", "array_split", "atleast_1d", "atleast_2d", "atleast_3d", "block", "broadcast",
    "broadcast_arrays", "broadcast_shapes", "broadcast_to", "column_stack", "concat",
    "concatenate", "delete", "dsplit", "dstack", "expand_dims", "flip", "fliplr", "flipud",
    "hsplit", "hstack", "insert", "matrix_transpose", "moveaxis", "ndim", "pad", "permute_dims",
    "ravel", "repeat", "reshape", "resize", "roll", "rollaxis", "rot90", "row_stack", "shape",
    "size", "split", "squeeze", "stack", "swapaxes", "tile", "transpose", "trim_zeros", "unstack",
    "vsplit", "vstack",
    # Universal functions
    "abs", "absolute", "acos", "acosh", "add", "arccos", "arccosh", "arcsin", "arcsinh", "arctan",
    "arctan2", "arctanh", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and",
    "bitwise_count", "bitwise_invert", "bitwise_left_shift", "bitwise_not", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "cbrt", "ceil", "conj", "conjugate", "copysign", "cos",
    "cosh", "deg2rad", "degrees", "divide", "divmod", "equal", "exp", "exp2", "expm1", "fabs",
    "float_power", "floor", "floor_divide", "fmax", "fmin", "fmod", "frexp", "gcd", "greater",
    "greater_equal", "heaviside", "hypot", "invert", "isfinite", "isinf", "isnan", "isnat", "lcm",
    "ldexp", "left_shift", "less", "less_equal", "log", "log10", "log1p", "log2", "logaddexp",
    "logaddexp2", "logical_and", "logical_not", "logical_or", "logical_xor", "matmul", "matvec",
    "maximum", "minimum", "mod", "modf", "multiply", "negative", "nextafter", "not_equal",
    "positive", "pow", "power", "rad2deg", "radians", "reciprocal", "remainder", "right_shift",
    "rint", "sign", "signbit", "sin", "sinh", "spacing", "sqrt", "square", "subtract", "tan",
    "tanh", "true_divide", "trunc", "ufunc", "vecdot", "vecmat",
    # Mathematics
    "all", "amax", "amin", "angle", "any", "around", "bartlett", "blackman", "clip", "convolve",
    "correlate", "cross", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "diff", "fix",
    "gradient", "hamming", "hanning", "i0", "imag", "interp", "kaiser", "max", "min", "nan_to_num",
    "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile",
    "nanprod", "nanquantile", "nanstd", "nansum", "nanvar", "prod", "ptp", "real", "real_if_close",
    "round", "sinc", "sum", "trapezoid", "unwrap",
    # Products of arrays
    "dot", "einsum", "einsum_path", "inner", "kron", "outer", "tensordot", "vdot",
    # Statistics
    "average", "bincount", "corrcoef", "cov", "histogram", "histogram2d", "histogram_bin_edges",
    "histogramdd", "mean", "median", "percentile", "quantile", "std", "var",
    # Logic
    "allclose", "array_equal", "array_equiv", "isclose", "iscomplex", "isneginf", "isposinf",
    "isreal",
    # Sorting, searching, counting and sets
    "argmax", "argmin", "argpartition", "argsort", "argwhere", "count_nonzero", "digitize",
    "ediff1d", "flatnonzero", "intersect1d", "isin", "lexsort", "nanargmax", "nanargmin",
    "nonzero", "partition", "searchsorted", "setdiff1d", "setxor1d", "sort", "sort_complex",
    "union1d", "unique", "unique_all", "unique_counts", "unique_inverse", "unique_values", "where",
    # Indexing
    "c_", "choose", "compress", "copyto", "diag_indices", "diag_indices_from", "extract",
    "fill_diagonal", "index_exp", "indices", "ix_", "mask_indices", "mgrid", "ndenumerate",
    "ndindex", "nditer", "nested_iters", "ogrid", "place", "put", "put_along_axis", "putmask",
    "r_", "ravel_multi_index", "s_", "select", "take", "take_along_axis", "tril_indices",
    "tril_indices_from", "triu_indices", "triu_indices_from", "unravel_index",
    # Functions of functions
    "apply_along_axis", "apply_over_axes", "frompyfunc", "piecewise", "vectorize",
    # Derivatives and maps, which NumPy does not have
    "grad", "jacobian", "value_and_grad", "vmap",
    # Compiled functions and files, which NumPy does not have
    "export", "jit",
    # Polynomials
    "poly", "poly1d", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub",
    "polyval", "roots",
    # Bits and text
    "array2string", "array_repr", "array_str", "base_repr", "binary_repr",
    "format_float_positional", "format_float_scientific", "get_printoptions", "packbits",
    "printoptions", "set_printoptions", "unpackbits",
    # Dates, and the classes of what torch has no storage for: NumPy's
    "bmat", "busday_count", "busday_offset", "busdaycalendar", "datetime_as_string",
    "datetime_data", "getbufsize", "is_busday", "memmap", "recarray", "set_host_dtypes",
    "setbufsize",
    # Files
    "fromfile", "fromregex", "genfromtxt", "load", "loadtxt", "save", "savetxt", "savez",
    "savez_compressed",
    # Memory, errors and the environment
    "False_", "True_", "__array_namespace_info__", "__version__", "allow_implicit_host_copy",
    "astype", "errstate", "geterr", "geterrcall", "info", "isfortran", "iterable",
    "may_share_memory", "set_host_kernels", "seterr", "seterrcall", "shares_memory", "show_config",
    "show_runtime",
]  # fmt: skip

_NOT_NUMPYS = {
    "allow_implicit_host_copy": "lets NumPy read an array that is on a device",
    "bfloat16": "torch's dtype; with ml_dtypes only",
    "export": "files of functions that were written for NumPy, for C++ and ONNX Runtime",
    "jit": "compiles functions that were written for NumPy",
    "set_default_dtype": "what Python floats become",
    "set_host_dtypes": "whether dtypes that torch cannot store are NumPy's, or errors",
    "set_host_kernels": "whether NumPy's functions may compute exact results of large arrays",
    "grad": "the gradient of a function of arrays",
    "value_and_grad": "its value and its gradient",
    "jacobian": "the derivatives of each element of its result",
    "vmap": "a function applied to each entry along an axis",
}
"""Names of ``__all__`` that NumPy lacks."""

_sources.name_sources(globals(), __all__)

if hasattr(_numpy, "float128"):  # where the platform's long double has more bits than a double
    from numpy import complex256 as complex256
    from numpy import float128 as float128

    __all__ += ["complex256", "float128"]

if hasattr(_scalars, "bfloat16"):  # with ml_dtypes
    from ._base.scalar_types import bfloat16

    __all__ += ["bfloat16"]

if _typing.TYPE_CHECKING:  # so that type checkers report missing names
    from numpy import core as core
    from numpy import ctypeslib as ctypeslib
    from numpy import f2py as f2py
    from numpy import ma as ma

    from . import fft as fft
    from . import polynomial as polynomial
    from . import random as random
    from . import special as special
    from . import testing as testing
else:

    def __getattr__(name: str) -> object:
        """Load what few programs use, and NumPy's private modules; explain missing names."""
        if name in _LATE:
            return _import_module(f"{__name__}.{name}")
        if name == "ma":
            return _import_module("numpy.ma")
        if name == "chararray":  # deprecated by releases of NumPy, which warn of its use
            return _numpy.chararray
        module = _numpys_modules.module_attribute("numpy", name)
        if module is not None:
            return module
        from ._base.absent import missing

        return missing(name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *_LATE})
