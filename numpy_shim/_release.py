"""What depends on the release of the NumPy that is installed: 2.1 to 2.5.

numpy_shim does what that NumPy does. Dtypes of ufuncs are asked for at import; the rest that
has changed from one release to the next has a flag here, or a stand-in for what is not there
yet. Names and arguments are those of the latest release, whichever is installed.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy
from numpy.lib import NumpyVersion

VERSION = NumpyVersion(numpy.__version__)
"""The release of NumPy that is installed."""

_PRODUCTS = {
    "matvec": ("(m,n),(n)->(m)", "Products of matrices with vectors."),
    "vecmat": ("(n),(n,m)->(m)", "Products of vectors, conjugated, with matrices."),
}
"""The ufuncs of NumPy 2.2 that 2.1 has not: signature and docstring."""


def ufunc_of(name: str) -> Any:
    """NumPy's ufunc of this name, to be asked about dtypes.

    For a product that NumPy has not yet, what tells the same: ``vecdot`` has the same loops.
    """
    if name in _PRODUCTS and not hasattr(numpy, name):
        like = numpy.vecdot
        signature, doc = _PRODUCTS[name]
        return SimpleNamespace(
            nin=like.nin, nout=like.nout, nargs=like.nargs, types=like.types,
            identity=like.identity, signature=signature, resolve_dtypes=like.resolve_dtypes,
            __doc__=doc,
        )  # fmt: skip
    return getattr(numpy, name)
