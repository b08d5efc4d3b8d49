"""``numpy.lib.mixins``: operators for a class that has ``__array_ufunc__``."""

from __future__ import annotations

from types import FunctionType, SimpleNamespace

import numpy

from .._numpys import executed
from .._ufunc import declarations, gufuncs

__all__ = ["NDArrayOperatorsMixin"]


class NDArrayOperatorsMixin(numpy.lib.mixins.NDArrayOperatorsMixin):
    """Defines all operators by ``__array_ufunc__``, which receives the ufuncs of this namespace.

    It is ``numpy.lib.mixins.NDArrayOperatorsMixin`` with our ufuncs.

    Examples
    --------
    >>> import numpy_shim as np
    >>> class Named(np.lib.mixins.NDArrayOperatorsMixin):
    ...     def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
    ...         return ufunc is np.multiply
    >>> Named() * 2
    True
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]


_UFUNCS = SimpleNamespace(**vars(declarations), matmul=gufuncs.matmul)
_text = executed(
    "numpy.lib.mixins", f"{__name__}.text", imports=lambda *_: SimpleNamespace(umath=_UFUNCS)
)
for _name, _operator in vars(_text.NDArrayOperatorsMixin).items():
    if isinstance(_operator, FunctionType):
        setattr(NDArrayOperatorsMixin, _name, _operator)
