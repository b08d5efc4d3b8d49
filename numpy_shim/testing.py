"""``numpy.testing`` for arrays of ours: NumPy's own assertions, on copies of the values.

What an assertion compares, and what it says when it fails, is NumPy's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy.testing as _reference
from numpy.testing import *  # noqa: F403

from ._convert.host import to_host

__all__ = list(_reference.__all__)


def _on_host(function: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's assertion with the values of our arrays."""

    @functools.wraps(function)
    def assertion(*args: Any, **kwargs: Any) -> Any:
        return function(*map(to_host, args), **{k: to_host(v) for k, v in kwargs.items()})

    return assertion


assert_allclose = _on_host(_reference.assert_allclose)
assert_almost_equal = _on_host(_reference.assert_almost_equal)
assert_approx_equal = _on_host(_reference.assert_approx_equal)
assert_array_almost_equal = _on_host(_reference.assert_array_almost_equal)
assert_array_almost_equal_nulp = _on_host(_reference.assert_array_almost_equal_nulp)
assert_array_compare = _on_host(_reference.assert_array_compare)
assert_array_equal = _on_host(_reference.assert_array_equal)
assert_array_less = _on_host(_reference.assert_array_less)
assert_array_max_ulp = _on_host(_reference.assert_array_max_ulp)
assert_equal = _on_host(_reference.assert_equal)
assert_string_equal = _on_host(_reference.assert_string_equal)
