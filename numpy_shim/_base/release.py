"""What depends on the release of the NumPy that is installed, 2.1 to 2.5, or of torch.

numpy_shim behaves like the installed NumPy. It asks for the dtypes of a ufunc at its first use. Any
other change between releases has a flag here, or a substitute for a function that is missing. Names
and arguments are those of the latest release, whichever is installed.
"""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import numpy

from xp_torch._torch.internals import TORCH_RELEASE

RELEASE = tuple(int(part) for part in numpy.__version__.split(".")[:2])
"""The release of NumPy that is installed, as ``(2, 4)``."""

_SINCE_2_5 = RELEASE >= (2, 5)

BINCOUNT_NEEDS_INTEGERS = _SINCE_2_5
"""``bincount`` of a list of floats is an error; before, they were cast with a warning."""

COND_OF_NAN = _SINCE_2_5
"""``linalg.cond`` of matrices that are not finite is NaN or infinite; before, an error."""

CROSS_NEEDS_THREE = _SINCE_2_5
"""``cross`` of vectors of two components is an error; before, deprecated."""

EIGENVALUES_ARE_COMPLEX = _SINCE_2_5
"""``linalg.eig`` and ``eigvals`` are complex; before, real where every eigenvalue was."""

MESHGRID_IS_A_TUPLE = _SINCE_2_5
"""``meshgrid(sparse=True, copy=False)`` is a tuple; before, a list."""

NEXTAFTER_KEEPS_ZEROS = not _SINCE_2_5
"""``nextafter`` of two 16-bit zeros is the first; since 2.5 the second, as of other floats."""

PARTS_TAKE_ELEMENTS = _SINCE_2_5
"""``a.real = value`` takes what ``a[...] = value`` takes; before, the value as an array, cast."""

SAVEZ_TAKES_ALLOW_PICKLE = RELEASE >= (2, 2)
"""``savez`` has ``allow_pickle``; before, it was the name of an array."""

SIZE_ONE_IS_A_NUMBER = RELEASE < (2, 4)
"""An array of one element, whatever its axes, may stand for a number: since 2.4 an error."""

TAKE_INTO_OTHER_KINDS = _SINCE_2_5
"""``take`` writes to any ``out``; before, only to one that could be cast to its dtype."""

WHERE_REFUSES_LARGE_NUMBERS = _SINCE_2_5
"""``where`` refuses a number out of the range of the other choice; before, it wrapped around."""

NEW_IS_FOLLOWED = TORCH_RELEASE >= (2, 13)
"""Dynamo traces ``object.__new__`` under an alias; before torch 2.13, only under its own name."""


class _StandIn:
    """What NumPy would say of a ufunc that it lacks, which has the dtypes of the ufunc ``like``."""

    def __init__(self, name: str, like: Any, text: str, signature: str | None) -> None:
        self.__name__, self.__doc__, self.signature = name, cleandoc(text), signature
        self.nin, self.nout, self.nargs = like.nin, like.nout, like.nargs
        self.types, self.identity = like.types, like.identity
        self.resolve_dtypes = like.resolve_dtypes


_STAND_INS: dict[str, _StandIn] = {}
"""What is asked in the place of each ufunc that the installed NumPy lacks."""


def ufunc_of(name: str) -> Any:
    """NumPy's ufunc of this name, to be asked about dtypes, or what stands in for it."""
    return getattr(numpy, name, None) or _STAND_INS[name]


def stand_in(name: str, like: str, text: str, signature: str | None = None) -> None:
    """Describe a ufunc that NumPy lacks: its docstring, and a ufunc that has its dtypes."""
    _STAND_INS[name] = _StandIn(name, getattr(numpy, like), text, signature)


# NumPy 2.1 lacks them.
stand_in("matvec", "vecdot", "Products of matrices with vectors.", "(m,n),(n)->(m)")
stand_in("vecmat", "vecdot", "Products of vectors, conjugated, with matrices.", "(n),(n,m)->(m)")
