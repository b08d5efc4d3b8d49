"""Numbers as text in another base."""

from __future__ import annotations

from typing import Any

import pytest

from tests.numpy_shim.differential import compare


@pytest.mark.parametrize("number", [0, 5, -5, 255, 2**70, 1.5])
def test_numbers_as_text(number: Any):
    compare(lambda np: [np.base_repr(number, 16, 2), np.binary_repr(number)])
    compare(lambda np: np.binary_repr(number, 12))
