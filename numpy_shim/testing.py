"""``numpy.testing`` for arrays of ours: NumPy's own assertions, on copies of the values.

NumPy decides what an assertion compares and which message it gives.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numpy.testing as _reference
from numpy.testing import *  # noqa: F403

from ._base.late import loaded as _loaded
from ._convert.host import to_host

__all__ = list(_reference.__all__)


_P = ParamSpec("_P")
_R = TypeVar("_R")


def _on_host(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Call NumPy's assertion with the values of our arrays."""

    @functools.wraps(function)
    def assertion(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        return function(*map(to_host, args), **{k: to_host(v) for k, v in kwargs.items()})

    return assertion


assert_allclose = _on_host(_reference.assert_allclose)  # type: ignore[assignment]
assert_almost_equal = _on_host(_reference.assert_almost_equal)
assert_approx_equal = _on_host(_reference.assert_approx_equal)
assert_array_almost_equal = _on_host(_reference.assert_array_almost_equal)
assert_array_almost_equal_nulp = _on_host(_reference.assert_array_almost_equal_nulp)
assert_array_compare = _on_host(_reference.assert_array_compare)
assert_array_equal = _on_host(_reference.assert_array_equal)
assert_array_less = _on_host(_reference.assert_array_less)  # type: ignore[assignment]
assert_array_max_ulp = _on_host(_reference.assert_array_max_ulp)
assert_equal = _on_host(_reference.assert_equal)
assert_string_equal = _on_host(_reference.assert_string_equal)

_loaded(__name__)
