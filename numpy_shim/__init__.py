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

from . import _indexing as _indexing
from . import _numpy_functions as _numpy_functions
from . import _operators as _operators
from . import _torch_function as _torch_function
from . import exceptions as exceptions
from . import fft as fft
from . import lib as lib
from . import linalg as linalg
from . import random as random
from . import testing as testing
from . import typing as typing
from ._axis_order import *
from ._broadcasting import *
from ._calculus import *
from ._complex_numbers import *
from ._constants import *
from ._convolution import *
from ._creation import *
from ._cumulative import *
from ._diagonals import *
from ._dtype_functions import *
from ._einsum import *
from ._errors import *
from ._flat import flatiter as flatiter
from ._from_data import *
from ._from_elsewhere import *
from ._functional import *
from ._gufuncs import *
from ._histograms import *
from ._index_arrays import *
from ._index_tricks import *
from ._indexing_functions import *
from ._info import *
from ._interop import *
from ._io import *
from ._ipython import load_ipython_extension as load_ipython_extension
from ._ipython import unload_ipython_extension as unload_ipython_extension
from ._joining import *
from ._logic import *
from ._manipulation import *
from ._memory import *
from ._nanfunctions import *
from ._ndarray import ndarray as ndarray
from ._nditer import *
from ._nditer_nested import *
from ._numerical import *
from ._order_statistics import *
from ._packing import *
from ._padding import *
from ._poly1d import *
from ._polynomials import *
from ._printing import *
from ._products import *
from ._rearranging import *
from ._reductions import *
from ._rounding import *
from ._scalars import *
from ._searching import *
from ._sets import *
from ._sorting import *
from ._spaced import *
from ._special import *
from ._splitting import *
from ._statistics import *
from ._text import *
from ._trace import _NoValue as _NoValue
from ._ufunc import ufunc as ufunc
from ._ufuncs import *
from ._variances import *
from ._vectorize import *
from ._writing_functions import *

from . import _attributes, _methods, _protocols  # isort: skip

from .lib import scimath as emath  # isort: skip


if TYPE_CHECKING:  # a name that is missing is then an error
    from . import polynomial as polynomial
else:

    def __getattr__(name: str) -> Any:
        """Load the polynomials when asked for; say of a missing name why it is."""
        if name == "polynomial":
            return importlib.import_module(f"{__name__}.polynomial")
        from ._absent import missing

        return missing(name)
