"""Writes by a mask or by indices to an array whose elements share memory: only those selected.

Neither torch's words nor its warnings reach the user.
"""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch

from tests.numpy_shim.calls import lines
from tests.numpy_shim.differential import compare

ARRAYS = {
    "rows of one element": "as_strided(np.arange(4.0), (2, 2), (8, 0))",
    "one row": "as_strided(np.arange(4.0), (2, 2), (0, 8))",
    "windows": "as_strided(np.arange(4.0), (2, 2), (8, 8))",
    "windows backwards": "as_strided(np.arange(4.0), (2, 2), (8, 8))[::-1]",
    "backwards": "as_strided(np.arange(4.0), (2, 2), (8, 0))[::-1, ::-1]",
    "unsigned": "as_strided(np.arange(4, dtype='u2'), (2, 2), (2, 0))",
}
WRITES = lines("""
b[np.array([[True, False], [False, False]])] *= 3
b[np.array([[True, False], [False, False]])] = 7
b[np.array([[False, True], [False, False]])] = [7]
b[np.array([[True, False], [True, True]])] = np.array([7, 8, 9])
b[np.array([[False, False], [False, False]])] = 7
b[np.array([[True, False], [True, True]])] = np.array([7, 8])
b[b > 1] = b[b > 1] * 2
b[np.array([True, False])] = 3
b[..., np.array([True, False])] = 6
b[np.array([1])] = 3
b[np.array([1])] = np.array([5.0, 6.0]).astype(b.dtype)
b[[0]] *= 3
np.fill_diagonal(b, 3)
b[np.array([0, 1]), np.array([1, 0])] = np.array([5, 6])
b[True] = 5
b.flat[np.array([0, 3])] = 9
b.flat[1:3] = 4
b.flat[np.array([True, False, False, False])] = 8
np.copyto(b, 9, where=np.array([[True, False], [False, False]]))
np.copyto(b, np.array([[5, 6], [7, 8]]), where=np.array([[False, True], [False, False]]))
np.putmask(b, np.array([[True, False], [False, False]]), 6)
np.place(b, np.array([[True, False], [False, False]]), [6])
np.put_along_axis(b, np.array([[0], [1]]), np.array([[8], [9]]), 1)
""")


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("write", WRITES)
def test_only_what_is_selected(write: str, array: str, device: str):
    def body(np: Any) -> Any:
        names = {"np": np, "as_strided": np.lib.stride_tricks.as_strided}
        names["b"] = b = eval(ARRAYS[array], names)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(write, names)
        return b.tolist()

    with torch.device(device):
        compare(body, allow_numpy=device != "cpu")
