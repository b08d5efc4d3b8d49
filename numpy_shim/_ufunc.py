"""The ufunc objects: a flat fast path per number of operands, and NumPy's attributes.

A call without options on arrays of one dtype looks up one function and makes one torch
call. Everything else goes to ``_call.call``; the methods (``reduce`` and its like) are in
``_ufunc_methods``.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy

from xp_torch._core import box as _box

from ._call import EXACT, call
from ._dtypes import TORCH
from ._ndarray import SCALAR_TYPES, ndarray, new
from ._spec import Spec


class ufunc:
    """A universal function: element by element over arrays that broadcast, as ``numpy.ufunc``."""

    def __init__(self, spec: Spec, reference: Any = None) -> None:
        reference = reference or getattr(numpy, spec.name)
        self._spec = spec
        self._fast = spec.fast
        self._right_float = spec.right_float
        self._right_int = spec.right_int
        self.__name__ = spec.name
        self.__qualname__ = spec.name
        self.__module__ = "numpy_shim"
        self.__doc__ = reference.__doc__
        self.nin: int = reference.nin
        self.nout: int = reference.nout
        self.nargs: int = reference.nargs
        self.types: list[str] = [t for t in reference.types if _is_stored(t)]
        self.ntypes = len(self.types)
        self.identity: Any = reference.identity
        self.signature: str | None = reference.signature
        signature = getattr(reference, "__signature__", None)
        if isinstance(signature, inspect.Signature):
            self.__signature__ = signature

    def __repr__(self) -> str:
        return f"<ufunc {self.__name__!r}>"

    def __reduce__(self) -> str:
        return self.__name__

    def _general(
        self,
        args: tuple[Any, ...],
        rest: tuple[Any, ...] = (),
        out: Any = None,
        *,
        where: Any = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: Any = None,
        subok: bool = True,
        signature: Any = None,
        sig: Any = None,
    ) -> Any:
        """The call with its options; ``rest`` has outputs given by position."""
        spec = self._spec
        if rest:
            if out is not None:
                raise TypeError(f"{spec.name}: 'out' given by name and by position")
            if len(rest) > spec.nout:
                raise TypeError(
                    f"{spec.name}() takes from {spec.nin} to {spec.nin + spec.nout} positional "
                    f"arguments but {spec.nin + len(rest)} were given"
                )
            out = rest + (None,) * (spec.nout - len(rest))
        if sig is not None:
            if signature is not None:
                raise TypeError(f"{spec.name}: cannot specify both 'sig' and 'signature'")
            signature = sig
        return call(spec, args, out, where, casting, order, dtype, signature)


def _is_stored(types: str) -> bool:
    """Whether torch has storage for every dtype of a loop like ``'dd->d'``."""
    return all(c in "-> " or c in _CODES for c in types)


_CODES = {d.char for d in TORCH} | {"q", "Q"}


class unary_ufunc(ufunc):
    """A ufunc of one operand and one result."""

    def __call__(self, x: Any, /, *rest: Any, **options: Any) -> Any:
        if not rest and not options and type(x) is ndarray:
            t = x._tensor
            function = self._fast.get(t.dtype)
            if function is not None:
                result = function(t)
                out = new(ndarray) if result.dim() else new(SCALAR_TYPES[result.dtype])
                out._tensor = result
                return out
        return self._general((x,), rest, **options)


class binary_ufunc(ufunc):
    """A ufunc of two operands and one result."""

    def __call__(self, x1: Any, x2: Any, /, *rest: Any, **options: Any) -> Any:
        if not rest and not options and type(x1) is ndarray:
            a = x1._tensor
            d = a.dtype
            try:
                if type(x2) is ndarray:
                    b = x2._tensor
                    if d is b.dtype and not (_box.several_devices and a.device != b.device):
                        result = self._fast[d](a, b)
                        out = new(ndarray) if result.dim() else new(SCALAR_TYPES[result.dtype])
                        out._tensor = result
                        return out
                elif type(x2) is float:
                    result = self._right_float[d](a, x2)
                    out = new(ndarray) if result.dim() else new(SCALAR_TYPES[result.dtype])
                    out._tensor = result
                    return out
                elif type(x2) is int and -EXACT <= x2 <= EXACT:
                    result = self._right_int[d](a, x2)
                    out = new(ndarray) if result.dim() else new(SCALAR_TYPES[result.dtype])
                    out._tensor = result
                    return out
            except (KeyError, RuntimeError):
                pass  # the general call casts the operands, or says what is wrong with them
        return self._general((x1, x2), rest, **options)


class two_result_ufunc(ufunc):
    """An element-wise ufunc with more than one result."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        nin = self.nin
        if len(args) < nin:
            raise TypeError(
                f"{self.__name__}() takes from {nin} to {self.nargs} positional arguments but "
                f"{len(args)} were given"
            )
        return self._general(args[:nin], args[nin:], **options)
