"""The members that tensor scalars have besides those of arrays."""

from __future__ import annotations

from typing import Any

from .._array.scalars import FloatScalar, IntegerScalar, TensorScalar
from .._convert.printing import scalar_repr, scalar_str
from .._functions.rounding import round as rounded


class Printed:
    """How a scalar is shown; see ``TensorScalar``."""

    __slots__ = ()

    def __repr__(self: TensorScalar) -> str:  # type: ignore[misc]
        """As NumPy prints it: ``np.float64(3.5)``."""
        return scalar_repr(self)

    def __str__(self: TensorScalar) -> str:  # type: ignore[misc]
        """The number alone."""
        return scalar_str(self)


class RoundedInteger:
    """``round``; see ``IntegerScalar``."""

    __slots__ = ()

    def __round__(self: IntegerScalar, ndigits: int | None = None, /) -> Any:  # type: ignore[misc]
        """An int, or with ``ndigits`` a scalar of the same dtype."""
        return int(self) if ndigits is None else rounded(self, ndigits)


class RoundedFloat:
    """``round``; see ``FloatScalar``."""

    __slots__ = ()

    def __round__(self: FloatScalar, ndigits: int | None = None, /) -> Any:  # type: ignore[misc]
        """An int, or with ``ndigits`` a scalar of the same dtype."""
        return round(float(self)) if ndigits is None else rounded(self, ndigits)
