"""r_, c_, s_, mgrid, ogrid, ndindex and ndenumerate, against NumPy."""

from __future__ import annotations

import importlib
import traceback
from typing import Any

import numpy
import pytest

import numpy_shim
from numpy_shim._numpys import names
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


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_matrices():
    """Strings that ask for a matrix give NumPy's, of numbers of ours."""
    for key in ("r", "c"):
        made = numpy_shim.r_[key, numpy_shim.arange(1, 3)]
        assert type(made) is numpy.matrix
        assert made.tolist() == numpy.r_[key, numpy.arange(1, 3)].tolist()


def test_each_name_is_taken_or_has_its_reason():
    for source, taken in names.TAKEN.items():
        left = set(importlib.import_module(source).__all__) - set(taken)
        assert left <= names.OURS.keys(), source
    public = {n for source in names.TAKEN for n in importlib.import_module(source).__all__}
    assert public >= names.OURS.keys() | set(names.__all__)
    assert all(getattr(numpy_shim, name) is getattr(names, name) for name in names.__all__)


def test_errors_of_numpys_text_show_its_lines():
    with pytest.raises(ValueError, match="unknown special directive") as caught:
        numpy_shim.r_["q", 1]
    assert "raise ValueError" in "".join(traceback.format_tb(caught.tb))


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
