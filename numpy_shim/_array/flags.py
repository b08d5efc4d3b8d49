"""``a.flags``: the layout of an array in memory, and whether it may be written to."""

from __future__ import annotations

import builtins
from typing import Any

from . import views
from .layout import reversed_axes
from .ndarray import AnyArray, ndarray
from .scalars import TensorScalar

_NAMES = {
    "C": "c_contiguous", "CONTIGUOUS": "c_contiguous", "C_CONTIGUOUS": "c_contiguous",
    "F": "f_contiguous", "FORTRAN": "f_contiguous", "F_CONTIGUOUS": "f_contiguous",
    "O": "owndata", "OWNDATA": "owndata", "W": "writeable", "WRITEABLE": "writeable",
    "A": "aligned", "ALIGNED": "aligned", "X": "writebackifcopy",
    "WRITEBACKIFCOPY": "writebackifcopy", "B": "behaved", "BEHAVED": "behaved",
    "CA": "carray", "CARRAY": "carray", "FA": "farray", "FARRAY": "farray",
    "FNC": "fnc", "FORC": "forc",
}  # fmt: skip
_BITS = {
    "c_contiguous": 0x1, "f_contiguous": 0x2, "owndata": 0x4, "aligned": 0x100,
    "writeable": 0x400, "writebackifcopy": 0x2000,
}  # fmt: skip


class flagsobj:
    """The flags of one array, as attributes and by NumPy's names (``flags['C_CONTIGUOUS']``).

    ``writeable`` may be set, here or with ``a.setflags``; everything else follows from the array.
    """

    __slots__ = ("_array",)

    def __init__(self, array: ndarray) -> None:
        self._array = array

    @property
    def c_contiguous(self) -> builtins.bool:
        """Whether the elements lie row by row without gaps."""
        tensor, flips = views.forward_of(self._array)
        return tensor.is_contiguous() and not (flips and tensor.numel())

    @property
    def f_contiguous(self) -> builtins.bool:
        """Whether the elements lie column by column without gaps."""
        tensor, flips = views.forward_of(self._array)
        return reversed_axes(tensor).is_contiguous() and not (flips and tensor.numel())

    @property
    def contiguous(self) -> builtins.bool:
        """``c_contiguous``."""
        return self.c_contiguous

    @property
    def fortran(self) -> builtins.bool:
        """``f_contiguous``."""
        return self.f_contiguous

    @property
    def forc(self) -> builtins.bool:
        """``f_contiguous`` or ``c_contiguous``."""
        return self.f_contiguous or self.c_contiguous

    @property
    def fnc(self) -> builtins.bool:
        """``f_contiguous`` and not ``c_contiguous``."""
        return self.f_contiguous and not self.c_contiguous

    @property
    def owndata(self) -> builtins.bool:
        """Whether the array is no view of another."""
        return self._array.base is None

    @property
    def writeable(self) -> builtins.bool:
        """Whether the array may be written to. Its tensor may always be written to."""
        return not isinstance(self._array, TensorScalar) and views.is_writeable(self._array)

    @writeable.setter
    def writeable(self, value: object) -> None:
        value = bool(value)
        owner = self._array.base
        if value and isinstance(owner, AnyArray) and not views.is_writeable(owner):
            raise ValueError("cannot set WRITEABLE flag to True of this array")
        views.set_writeable(self._array, value)

    @property
    def aligned(self) -> builtins.bool:
        """True: torch aligns its elements."""
        return True

    @property
    def writebackifcopy(self) -> builtins.bool:
        """False: there are no such copies."""
        return False

    @property
    def behaved(self) -> builtins.bool:
        """``aligned`` and ``writeable``."""
        return self.writeable

    @property
    def carray(self) -> builtins.bool:
        """``behaved`` and ``c_contiguous``."""
        return self.behaved and self.c_contiguous

    @property
    def farray(self) -> builtins.bool:
        """As NumPy computes it: not ``c_contiguous``, and ``aligned``, which is always true."""
        return not self.c_contiguous

    @property
    def num(self) -> int:
        """The flags as the bits of an integer."""
        return sum(bit for name, bit in _BITS.items() if getattr(self, name))

    def __getitem__(self, key: object, /) -> builtins.bool:
        return bool(getattr(self, _name(key)))

    def __setitem__(self, key: object, value: object, /) -> None:
        if _name(key) != "writeable":
            raise KeyError(f"flags: {key!r} cannot be set")
        self.writeable = value

    def __eq__(self, other: object) -> builtins.bool:
        if not isinstance(other, flagsobj):
            return NotImplemented
        return self.num == other.num

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lines = [f"  {name.upper()} : {getattr(self, name)}" for name in _SHOWN]
        return "\n".join(lines) + "\n"


_SHOWN = ["c_contiguous", "f_contiguous", "owndata", "writeable", "aligned", "writebackifcopy"]


def _name(key: Any) -> str:
    try:
        return _NAMES[key]
    except (KeyError, TypeError):
        raise KeyError(f"Unknown flag {key!r}") from None
