"""NumPy's numeric surface over PyTorch: ``import numpy_shim as np`` runs a NumPy script on torch.

Arrays are torch tensors with NumPy's face: on any device, differentiable, and traceable by
``torch.compile``. Each chapter of NumPy's reference is a module with its own ``__all__``.
"""
# ruff: noqa: F403

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from numpy import _CopyMode as _CopyMode
from numpy import dtype as dtype
from numpy import dtypes as dtypes
from numpy import info as info

from . import exceptions as exceptions
from . import fft as fft
from . import lib as lib
from . import linalg as linalg
from . import random as random
from . import testing as testing
from . import typing as typing
from ._array.ndarray import ndarray as ndarray
from ._array.scalars import *
from ._convert.from_buffers import *
from ._convert.from_data import *
from ._convert.printing import *
from ._convert.to_numpy import *
from ._core.constants import *
from ._core.errstate import *
from ._core.tracing import _NoValue as _NoValue
from ._functions.axis_order import *
from ._functions.broadcasting import *
from ._functions.calculus import *
from ._functions.complex_numbers import *
from ._functions.convolution import *
from ._functions.creation import *
from ._functions.cumulative import *
from ._functions.diagonals import *
from ._functions.dtype_functions import *
from ._functions.einsum import *
from ._functions.functional import *
from ._functions.histograms import *
from ._functions.index_arrays import *
from ._functions.index_tricks import *
from ._functions.index_writing import *
from ._functions.indexing import *
from ._functions.info import *
from ._functions.interpolation import *
from ._functions.io import *
from ._functions.joining import *
from ._functions.logic import *
from ._functions.manipulation import *
from ._functions.memory import *
from ._functions.nanfunctions import *
from ._functions.number_text import *
from ._functions.order_statistics import *
from ._functions.packing import *
from ._functions.padding import *
from ._functions.products import *
from ._functions.rearranging import *
from ._functions.reductions import *
from ._functions.rounding import *
from ._functions.searching import *
from ._functions.sets import *
from ._functions.sorting import *
from ._functions.spaced import *
from ._functions.special import *
from ._functions.splitting import *
from ._functions.statistics import *
from ._functions.variances import *
from ._functions.vectorize import *
from ._indexing import fast as _indexing
from ._indexing.flat import flatiter as flatiter
from ._interop import numpy_functions as _numpy_functions
from ._interop import torch_function as _torch_function
from ._launcher.ipython import load_ipython_extension as load_ipython_extension
from ._launcher.ipython import unload_ipython_extension as unload_ipython_extension
from ._members import operators as _operators
from ._nditer.iterator import *
from ._nditer.nested import *
from ._ufunc.declarations import *
from ._ufunc.gufuncs import *
from ._ufunc.objects import ufunc as ufunc
from .lib._poly1d import *
from .lib._polynomials import *

from ._members import attributes, install, protocols  # isort: skip

from .lib import scimath as emath  # isort: skip


if TYPE_CHECKING:  # a name that is missing is then an error
    from . import polynomial as polynomial
else:

    def __getattr__(name: str) -> Any:
        """Load the polynomials when asked for; say of a missing name why it is."""
        if name == "polynomial":
            return importlib.import_module(f"{__name__}.polynomial")
        from ._core.absent import missing

        return missing(name)
