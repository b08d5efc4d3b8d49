"""Blocks of a large array, one by one."""

from __future__ import annotations

from typing import Any

from tests.numpy_shim.differential import compare


def test_arrayterator():
    """NumPy's own class goes through arrays of ours block by block."""

    def body(np: Any) -> Any:
        a = np.arange(3 * 4 * 5).reshape(3, 4, 5)
        found = []
        for size in (None, 1, 7, 20, 60):
            b = np.lib.Arrayterator(a, size)
            part = b[1:, ::2, 1:4]
            found.append([list(b), part.shape, [x for block in part for x in block.flat]])
        return found

    compare(body)
