"""``numpy.polynomial``: polynomials and the orthogonal series, on our arrays.

Its modules are NumPy's text, executed (``_numpys``): every operation works on any device and is
differentiable, and the classes are those of the installed NumPy.
"""

from __future__ import annotations

from typing import Any

from .._numpys import executed

_MODULES = (
    "polyutils", "_polybase", "polynomial", "chebyshev", "legendre", "hermite", "hermite_e",
    "laguerre",
)  # fmt: skip


polyutils, _polybase, polynomial, chebyshev, legendre, hermite, hermite_e, laguerre = (
    executed(f"numpy.polynomial.{name}", f"{__name__}.{name}", __name__) for name in _MODULES
)

_mapdomain = polyutils.mapdomain


def mapdomain(x: object, old: object, new: object) -> Any:
    """Map points linearly from one domain to another; also accepts a polynomial.

    NumPy converts a polynomial to an object array, only to compute with it.
    """
    if not isinstance(x, _polybase.ABCPolyBase):
        return _mapdomain(x, old, new)
    offset, scale = polyutils.mapparms(old, new)
    return offset + scale * x


polyutils.mapdomain = mapdomain  # type: ignore[attr-defined]


def _add_valnd(module: Any, name: str) -> None:
    """Add ``valnd``, for points with any number of axes, to a module of NumPy before 2.5."""
    evaluate = getattr(module, name)

    def valnd(pts: Any, c: Any) -> Any:
        """The values of a series in several variables at the points ``(x, y, ...)``.

        ``pts`` holds the coordinates, all of one shape. The first axes of ``c``, one for each
        coordinate, hold the coefficients. Raises ``ValueError`` for different shapes.
        """
        return polyutils._valnd(evaluate, c, *pts)

    valnd.__name__ = valnd.__qualname__ = f"{name}nd"
    valnd.__module__ = module.__name__
    setattr(module, valnd.__name__, valnd)
    module.__all__ += [valnd.__name__]


for _module, _name in (
    (polynomial, "polyval"), (chebyshev, "chebval"), (legendre, "legval"), (hermite, "hermval"),
    (hermite_e, "hermeval"), (laguerre, "lagval"),
):  # fmt: skip
    if not hasattr(_module, f"{_name}nd"):
        _add_valnd(_module, _name)

Chebyshev = chebyshev.Chebyshev
Hermite = hermite.Hermite
HermiteE = hermite_e.HermiteE
Laguerre = laguerre.Laguerre
Legendre = legendre.Legendre
Polynomial = polynomial.Polynomial


def set_default_printstyle(style: str) -> None:
    """Set how polynomials print.

    Parameters
    ----------
    style : {'unicode', 'ascii'}
        The characters of powers and products.

    Notes
    -----
    Source: NumPy's ``polynomial.set_default_printstyle``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.polynomial.set_default_printstyle("ascii")
    >>> print(np.polynomial.Polynomial([1, 2]))
    1.0 + 2.0 x
    >>> np.polynomial.set_default_printstyle("unicode")
    """
    if style not in ("unicode", "ascii"):
        raise ValueError(
            f"Unsupported format string '{style}'. Valid options are 'ascii' and 'unicode'"
        )
    _polybase.ABCPolyBase._use_unicode = style == "unicode"


__all__ = [
    "Chebyshev", "Hermite", "HermiteE", "Laguerre", "Legendre", "Polynomial", "chebyshev",
    "hermite", "hermite_e", "laguerre", "legendre", "polynomial", "set_default_printstyle",
]  # fmt: skip
