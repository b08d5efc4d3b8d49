"""``numpy.exceptions``: NumPy's own classes, so that a handler for either catches both.

``ExportError`` is ours.
"""

from __future__ import annotations

from numpy.exceptions import AxisError as AxisError
from numpy.exceptions import ComplexWarning as ComplexWarning
from numpy.exceptions import DTypePromotionError as DTypePromotionError
from numpy.exceptions import ModuleDeprecationWarning as ModuleDeprecationWarning
from numpy.exceptions import RankWarning as RankWarning
from numpy.exceptions import TooHardError as TooHardError
from numpy.exceptions import VisibleDeprecationWarning as VisibleDeprecationWarning

from ._export.errors import ExportError as ExportError

__all__ = [
    "AxisError", "ComplexWarning", "DTypePromotionError", "ExportError",
    "ModuleDeprecationWarning", "RankWarning", "TooHardError", "VisibleDeprecationWarning",
]  # fmt: skip
