"""A strict Python array API standard namespace over PyTorch."""

from . import _flags, _operators
from ._array import Array
from ._creation import asarray
from ._elementwise import add, sin
