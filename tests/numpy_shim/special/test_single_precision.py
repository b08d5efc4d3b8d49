"""A grid of float32 operands that reaches the edges, beside SciPy's float32 functions.

A result is right if SciPy's float32 value, or SciPy's float64 value of the same operands, is within
four units of it. Where neither holds, ``MOST`` has about how many results differ, and why.
"""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
import scipy.special

import numpy_shim
from numpy_shim import special

_STEP = 2.0**-23
_ONE = [
    0.0, -0.0, 1e-45, -1e-45, 1e-38, 1e-20, -1e-20, 1e-7, 1e-3, 0.1, 1 / 3, 0.5, 0.9, 1 - _STEP / 2,
    1.0, 1 + _STEP, 1.5, 2.0, 2.5, np.pi, 5.5, 10.0, 20.0, 50.0, 88.5, 90.0, 103.0, 170.0, 180.0,
    1e3, 2.0**24, 1e10, 1e20, 3.4e38, -0.1, -0.5, -1.0, -1 - _STEP, -1.5, -2.0, -5.5, -50.0, -90.0,
    -104.0, -150.5, -1e6, -1e20, -3.4e38, np.inf, -np.inf, np.nan,
]  # fmt: skip
_TWO = [
    0.0, -0.0, 1e-45, 1e-20, 0.1, 0.5, 1 - _STEP / 2, 1.0, 1 + _STEP, 1.5, 3.0, 7.7, 30.5, 1e4,
    1e10, 3.4e38, -0.5, -1.0, -2.5, -10.0, -1e6, np.inf, -np.inf, np.nan,
]  # fmt: skip
_THREE = [0.0, 1e-38, 0.3, 0.5, 1.0, 1.5, 3.0, 30.5, 1e4, 1e30, -0.5, -1.0, -2.5, np.inf, np.nan]
_FOUR = [0.0, 1e-20, 0.3, 1.0, 1.5, 30.5, 1e10, 1e30, -1.0, np.inf, np.nan]
_GRIDS = {1: _ONE, 2: _TWO, 3: _THREE, 4: _FOUR}
_DEGREES = [0, 1, 2, 3, 5, 10, 20]

_RANGE = "SciPy's algorithm ends (2**31 counts, 1e9 for Bessel functions), ours has the limit."
_LOST = "The phase of numbers of 1e10 and more is lost in float32, with other digits left."
_TINY = "Parameters or tails that float64 hardly holds, or shapes without a distribution."
_SHAPE = (
    "Infinite, negative or zero shapes, signs of poles, and the median, where SciPy's are noise."
)
_ZEROS = "Recurrences have other rounding at zeros, and NaN and infinity reach the result."
_CARLSON = "Negative last operands, several zeros, and NaN beside infinity."
MOST: dict[str, tuple[int, str]] = {
    "airy": (9, _RANGE),
    "airye": (6, _RANGE),
    "bdtr": (105, _RANGE),
    "bdtrc": (135, _RANGE),
    "bdtri": (99, _TINY),
    "beta": (10, _SHAPE),
    "betainccinv": (57, _TINY),
    "betaincinv": (55, _TINY),
    "betaln": (5, _SHAPE),
    "binom": (37, _SHAPE),
    "chdtri": (3, _TINY),
    "cotdg": (3, _TINY),
    "ellipj": (12, _LOST),
    "elliprc": (46, _CARLSON),
    "elliprd": (1, _CARLSON),
    "elliprj": (1526, _CARLSON),
    "eval_chebyc": (6, _ZEROS),
    "eval_chebys": (9, _ZEROS),
    "eval_chebyt": (6, _ZEROS),
    "eval_chebyu": (9, _ZEROS),
    "eval_gegenbauer": (529, _ZEROS),
    "eval_genlaguerre": (112, _ZEROS),
    "eval_jacobi": (1099, _ZEROS),
    "eval_laguerre": (6, _RANGE),
    "eval_legendre": (14, _ZEROS),
    "eval_sh_chebyt": (2, _ZEROS),
    "eval_sh_chebyu": (2, _ZEROS),
    "eval_sh_jacobi": (962, _ZEROS),
    "eval_sh_legendre": (11, _ZEROS),
    "expn": (37, _RANGE),
    "fdtr": (181, _SHAPE),
    "fdtrc": (181, _SHAPE),
    "fdtri": (23, _TINY),
    "gammainccinv": (13, _TINY),
    "gammaincinv": (14, _TINY),
    "gdtria": (53, _SHAPE),
    "gdtrix": (73, _SHAPE),
    "iv": (31, _RANGE),
    "ive": (156, _RANGE),
    "j0": (5, _LOST),
    "j1": (4, _LOST),
    "jn": (89, _LOST),
    "jv": (89, _LOST),
    "jve": (119, _RANGE),
    "kn": (30, _RANGE),
    "kv": (29, _RANGE),
    "kve": (89, _RANGE),
    "nbdtr": (200, _RANGE),
    "nbdtrc": (200, _RANGE),
    "nbdtri": (311, _TINY),
    "nrdtrimn": (309, _SHAPE),
    "nrdtrisd": (483, _SHAPE),
    "owens_t": (2, _TINY),
    "pdtri": (16, _SHAPE),
    "poch": (53, _SHAPE),
    "powm1": (35, _SHAPE),
    "spence": (1, _RANGE),
    "stdtrit": (30, _SHAPE),
    "voigt_profile": (106, _SHAPE),
    "y0": (2, _LOST),
    "y1": (3, _LOST),
    "yn": (42, _LOST),
    "yv": (56, _LOST),
    "yve": (142, _LOST),
}
"""By function about how many results are neither of SciPy's values, and why."""


def functions() -> list[str]:
    """The functions that are ufuncs of SciPy's with a float32 loop."""
    names = []
    for name in special.__all__:
        loops = getattr(getattr(scipy.special, name, None), "types", ())
        if any({*loop.split("->")[0]} == {"f"} for loop in loops):
            names.append(name)
    return names


def operands(name: str) -> list[Any]:
    count = getattr(scipy.special, name).nin
    grids: list[Any] = [_GRIDS[count]] * count
    if name.startswith("eval_"):
        grids[0] = _DEGREES
    if name in ("yn", "kn"):  # SciPy goes from order to order
        grids[0] = [x for x in grids[0] if abs(x) < 1e5]
    return [np.array(c, "f") for c in zip(*itertools.product(*grids), strict=True)]


def place(x: Any) -> Any:
    """The place of float32 numbers in their order: neighbours differ by 1, two zeros by 0."""
    bits = np.ascontiguousarray(x, "f").view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


def is_right(found: Any, expected: Any) -> Any:
    both = np.isfinite(found) & np.isfinite(expected)
    near = both & (np.abs(place(found) - place(expected)) <= 4)
    return near | (found == expected) | (np.isnan(found) & np.isnan(expected))


def wrong(name: str) -> tuple[Any, list[Any], list[Any], list[Any]]:
    """Where a result is neither of SciPy's values, the operands, our values and SciPy's."""
    args = operands(name)
    function = getattr(scipy.special, name)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        narrow, wide = function(*args), function(*[a.astype("d") for a in args])
        found = getattr(special, name)(*[numpy_shim.asarray(a) for a in args])
        pairs = [x if isinstance(x, tuple) else (x,) for x in (found, narrow, wide)]
        values, bad = [], np.zeros(args[0].shape, bool)
        for f, n, w in zip(*pairs, strict=True):
            assert f.dtype == n.dtype
            values.append(np.asarray(f))
            bad |= ~(is_right(values[-1], n) | is_right(values[-1], w.astype("f")))
    return bad, args, values, list(pairs[1])


@pytest.mark.parametrize("name", functions())
def test_grid(name: str) -> None:
    bad, args, found, expected = wrong(name)
    most, _ = MOST.get(name, (0, ""))
    at = bad.nonzero()[0][:5]
    shown = [[x[i] for x in (*args, *found, *expected)] for i in at]
    assert bad.sum() <= 1.25 * most + min(most, 5), shown  # processors and SciPy's releases differ
