"""Numerical kernels in the style of public suites, written against NumPy.

Each function takes the namespace ``np`` first, so that one text runs with NumPy, with numpy_shim
and compiled. ``KERNELS`` has the functions and ``arguments(name, np)`` their inputs. Kernels write
their results into arguments or return them, and both are compared.
"""

from __future__ import annotations

from . import learning, matrices, physics, stencils
from .table import DATA_DEPENDENT, KERNELS, arguments

__all__ = ["DATA_DEPENDENT", "KERNELS", "arguments"]
