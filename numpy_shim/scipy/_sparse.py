"""What ``scipy.sparse`` says of arrays of ours: none is sparse."""

from __future__ import annotations

from typing import Any

import scipy.sparse


def _is_not(x: Any) -> bool:
    """An array of ours is none of SciPy's sparse arrays and matrices."""
    return False


FUNCTIONS = {
    name: _is_not for name in scipy.sparse.__all__ if name.startswith(("issparse", "isspmatrix"))
}
INSIDE = FUNCTIONS
