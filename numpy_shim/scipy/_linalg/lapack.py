"""``scipy.linalg.lapack`` for arrays of ours: by a routine's name, its kernel in torch.

SciPy's Python code asks for routines by name and calls them with the arguments of LAPACK. What is
not here is a NotImplementedError there; ``numpy_shim.scipy._linalg`` lists the functions that need
it. ``overwrite_a`` allows a routine to write to its argument; none of these does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy
import torch
from torch import Tensor

from ..._array.ndarray import ndarray, wrap
from ..._convert.arguments import as_tensor
from . import bands, factors, forms, spectra, systems

_PREFIXES = {
    **dict.fromkeys("?bBhHef", "s"), **dict.fromkeys("iIlLqQdg", "d"), "F": "c", "D": "z", "G": "z",
}  # fmt: skip
"""By the letter of an array's dtype, that of the routine that takes it."""

_DTYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}
_TENSORS = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}

_KERNELS: dict[str, Callable[..., Any]] = {
    name: getattr(module, name)
    for module in (bands, factors, forms, spectra, systems)
    for name in module.__all__
}


_OF_MACHINE = {
    "s": {"e": 2.0**-24, "s": 2.0**-126}, "d": {"e": 2.0**-53, "s": 2.0**-1022},
}  # fmt: skip
"""The rounding error and the least number, for ``lamch``."""


class Routine:
    """A kernel for one letter: arrays go in as tensors of its dtype, tensors come out as arrays."""

    def __init__(self, name: str, prefix: str) -> None:
        if name not in _KERNELS:
            raise NotImplementedError(f"{name}: this routine of LAPACK has no kernel in torch")
        self.prefix = prefix
        # torch's eigenvalues of real matrices are complex, with their vectors
        self.typecode = {"s": "c", "d": "z"}.get(prefix, prefix) if name == "geev" else prefix
        self.dtype, self.int_dtype = numpy.dtype(_DTYPES[prefix]), numpy.dtype(numpy.intc)
        self._name, self._kernel, self._tensor_dtype = name, _KERNELS[name], _TENSORS[prefix]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = [self._taken(i, x) for i, x in enumerate(args)]
        named = {key: self._taken(None, x) for key, x in kwargs.items()}
        found = self._kernel(*given, **named)
        if isinstance(found, tuple):
            return tuple([wrap(x) if isinstance(x, Tensor) else x for x in found])
        return wrap(found) if isinstance(found, Tensor) else found

    def _taken(self, position: int | None, x: Any) -> Any:
        if not isinstance(x, ndarray):
            return x
        t = as_tensor(self._name, x)
        return t if self._name == "getrs" and position == 1 else t.to(self._tensor_dtype)


class _Workspace:
    """``gesdd_lwork`` and its kind: torch finds memory by itself."""

    def __init__(self, name: str, prefix: str) -> None:
        self.sizes: Any = 0
        if name.startswith("gelsd"):
            self.sizes = (0, 0) if prefix in "sd" else (0, 0, 0)

    def __call__(self, *args: Any, **kwargs: Any) -> tuple[int, int, int]:
        """The sizes and ``info``, where SciPy's text asks by itself."""
        return 0, 0, 0


def find_best_lapack_type(
    arrays: Sequence[Any] = (), dtype: Any = None
) -> tuple[str, numpy.dtype[Any], bool]:
    """The letter and the dtype of the routine for arrays, and whether the first is by columns."""
    letters = [x.dtype.char for x in arrays] or [numpy.dtype(dtype).char]
    found = [_PREFIXES.get(letter, "d") for letter in letters]
    prefix = max(found, key="sdcz".index)
    if prefix == "c" and "d" in found:
        prefix = "z"
    return prefix, numpy.dtype(_DTYPES[prefix]), False


def get_lapack_funcs(names: Any, arrays: Any = (), dtype: Any = None, ilp64: Any = False) -> Any:
    """The routines of these names for the dtypes of arrays."""
    prefix = find_best_lapack_type(arrays, dtype)[0]
    if isinstance(names, str):
        return _routine(names, prefix)
    return [_routine(name, prefix) for name in names]


def _routine(name: str, prefix: str) -> Any:
    if name == "lamch":
        numbers = _OF_MACHINE["s" if prefix in "sc" else "d"]
        return lambda which: numbers[which.lower()]
    return _Workspace(name, prefix) if name.endswith("_lwork") else Routine(name, prefix)


def _compute_lwork(routine: _Workspace, *args: Any, **kwargs: Any) -> Any:
    return routine.sizes


def _normalize_lapack_dtype(a: ndarray, overwrite_a: bool) -> tuple[ndarray, bool]:
    """The array in the dtype of the routine that takes it; it is not to be written to."""
    dtype = find_best_lapack_type((a,))[1]
    return (a if dtype == a.dtype else a.astype(dtype)), False


def _normalize_lapack_dtype1(a: ndarray, overwrite_a: bool) -> tuple[ndarray, bool]:
    """The array in the first of LAPACK's dtypes that has all its numbers."""
    if a.dtype.char in _LETTERS:
        return a, False
    return a.astype(next(x for x in _LETTERS if numpy.can_cast(a.dtype, x))), False


def _ensure_dtype_cdsz(*arrays: ndarray) -> list[ndarray]:
    """The arrays in the one dtype of LAPACK's that has all their numbers."""
    dtype = find_best_lapack_type(arrays)[1]
    return [x if x.dtype == dtype else x.astype(dtype) for x in arrays]


def _ensure_aligned_and_native(a: ndarray, overwrite_a: bool) -> tuple[ndarray, bool]:
    """The array: torch's memory is aligned and in the machine's order of bytes."""
    return a, overwrite_a


_LETTERS = "fdFD"

HAS_ILP64 = False
"""Whether indices of a routine have 64 bits; those of torch's results have 32, as SciPy's."""

dtrsyl, ztrsyl = Routine("trsyl", "d"), Routine("trsyl", "z")
