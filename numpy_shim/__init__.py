"""NumPy's numeric surface over PyTorch: ``import numpy_shim as np`` runs a NumPy script on torch.

Arrays are torch tensors with NumPy's face: on any device, differentiable, and traceable by
``torch.compile``. Each chapter of NumPy's reference is a module with its own ``__all__``.
"""
# ruff: noqa: F403

from __future__ import annotations

from numpy import dtype as dtype

from . import _indexing as _indexing
from . import _operators as _operators
from . import fft as fft
from . import linalg as linalg
from ._broadcasting import *
from ._creation import *
from ._cumulative import *
from ._diagonals import *
from ._dtype_functions import *
from ._einsum import *
from ._from_data import *
from ._functional import *
from ._histograms import *
from ._index_tricks import *
from ._indexing_functions import *
from ._interop import *
from ._io import *
from ._joining import *
from ._logic import *
from ._manipulation import *
from ._nanfunctions import *
from ._ndarray import ndarray as ndarray
from ._numerical import *
from ._printing import *
from ._products import *
from ._rearranging import *
from ._reductions import *
from ._scalars import *
from ._searching import *
from ._sets import *
from ._sorting import *
from ._spaced import *
from ._statistics import *
from ._ufunc import ufunc as ufunc
from ._ufuncs import *

from . import _attributes, _methods, _protocols  # isort: skip
