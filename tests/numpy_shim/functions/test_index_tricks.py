"""r_, c_, s_, mgrid, ogrid, ndindex and ndenumerate, against NumPy."""

from __future__ import annotations

from typing import Any

import pytest

from tests.numpy_shim.differential import compare

BODIES = [
    lambda np: np.r_[np.array([1, 2, 3]), 0, 0, np.array([4, 5, 6])],
    lambda np: np.r_[-1:1:6j, [0] * 3, 5, 6],
    lambda np: np.r_[1:4],
    lambda np: np.r_[1:4, 0, 5.0],
    lambda np: np.r_[0:1:0.25],
    lambda np: np.r_[:3],
    lambda np: np.r_["-1", np.zeros((2, 2)), np.ones((2, 1))],
    lambda np: np.r_["0,2", [1, 2, 3], [4, 5, 6]],
    lambda np: np.r_["0,2,0", [1, 2, 3], [4, 5, 6]],
    lambda np: np.r_["1,2,0", [1, 2, 3], [4, 5, 6]],
    lambda np: np.r_["0,3,-2", [1, 2], [[4, 5]]],
    lambda np: np.r_["0,3,1", [1, 2], [4, 5]],
    lambda np: np.r_["1,2,0", 1:3, 2:4],
    lambda np: np.r_[1, "0,2"],
    lambda np: np.r_["x,2", 1],
    lambda np: np.r_["q", 1],
    lambda np: np.r_[()],
    lambda np: np.r_[np.float32(1), 2],
    lambda np: np.r_[np.ones(2, np.float32), 2.5],
    lambda np: np.r_[np.ones(2, np.int8), True],
    lambda np: np.r_[np.ones(2, np.int8), 300],
    lambda np: np.r_[np.ones((1, 2)), np.ones(2)],
    lambda np: np.r_[[], 1],
    lambda np: np.r_[True, False],
    lambda np: np.c_[np.array([1, 2, 3]), np.array([4, 5, 6])],
    lambda np: np.c_[np.array([[1, 2, 3]]), 0, 0, np.array([[4, 5, 6]])],
    lambda np: np.c_[1:3, 0:1:2j],
    lambda np: np.c_[np.ones((2, 2)), [5, 6]],
    lambda np: len(np.r_),
    lambda np: np.s_[2::2],
    lambda np: np.s_[1, ..., None],
    lambda np: np.index_exp[2::2],
    lambda np: np.index_exp[1, 2],
    lambda np: np.mgrid[0:5, 0:5],
    lambda np: np.mgrid[-1:1:5j],
    lambda np: np.mgrid[0:4],
    lambda np: np.mgrid[0:1:0.25],
    lambda np: np.mgrid[:3, 1:7:2],
    lambda np: np.mgrid[0:1:3j, 0:4],
    lambda np: np.mgrid[0:1:1j, 2:4],
    lambda np: np.mgrid[0.5:3, 0:2, 1:2],
    lambda np: np.mgrid[5:0, 0:3],
    lambda np: np.mgrid[0 : np.float32(2), 0:3],
    lambda np: np.mgrid[0:2, 0:0],
    lambda np: np.ogrid[0:5, 0:5],
    lambda np: np.ogrid[-1:1:5j],
    lambda np: np.ogrid[0:1:3j, 0:4],
    lambda np: np.ogrid[0:4,],
    lambda np: list(np.ndindex(2, 3)),
    lambda np: list(np.ndindex((2, 1))),
    lambda np: list(np.ndindex()),
    lambda np: list(np.ndindex(0, 3)),
    lambda np: np.ndindex(-1),
    lambda np: next(np.ndindex(3)),
    lambda np: list(np.ndenumerate(np.array([[1, 2], [3, 4]]))),
    lambda np: list(np.ndenumerate([1.5, 2.5])),
    lambda np: list(np.ndenumerate(np.array(5))),
    lambda np: list(np.ndenumerate(np.arange(6).reshape(2, 3)[::-1, ::-2])),
]


@pytest.mark.parametrize("body", BODIES)
def test_index_tricks(body):
    """Values, dtypes and errors."""
    compare(body)


def test_matrices_are_refused():
    """Strings that would make a ``numpy.matrix`` raise."""
    import numpy_shim as np

    for key in ("r", "c"):
        with np.set_host_dtypes("error"), pytest.raises(TypeError, match="matrix"):
            np.r_[key, [1, 2]]
    with pytest.raises(TypeError, match="bmat"):
        np.r_["a, b; c, d"]


@pytest.mark.parametrize(
    "expression",
    [
        "np.r_['r', [1, 2]]", "np.r_['c', 1:3, 5]", "np.r_['r', np.ones((2, 2))]",
        "np.c_['r', np.array([1, 2])]", "np.r_['r', [1, 2], [3]]", "np.r_['q', [1]]",
    ],
)  # fmt: skip
def test_matrices_are_numpys(expression: str):
    def body(np: Any) -> Any:
        made = eval(expression, {"np": np})
        return type(made).__name__, str(made.dtype), made.tolist()

    compare(body, allow_numpy=True)
