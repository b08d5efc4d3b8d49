"""``scipy.spatial`` where the arrays are: SciPy's own Python code, over kernels of ours."""

from __future__ import annotations

from .._text import functions
from .trees import method_of

SCIPYS: dict[str, str] = {}
"""The modules that are SciPy's own in this chapter, with what is said of their functions."""

ON_THE_HOST = {
    "convex_hull_plot_2d": "it draws",
    "delaunay_plot_2d": "it draws",
    "voronoi_plot_2d": "it draws",
}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

FUNCTIONS = functions(__name__, ON_THE_HOST)
DISTANCE = functions(__name__, ON_THE_HOST, ".distance")
INSIDE = {**FUNCTIONS}
__all__ = ["DISTANCE", "FUNCTIONS", "INSIDE", "ON_THE_HOST", "SCIPYS", "method_of"]
