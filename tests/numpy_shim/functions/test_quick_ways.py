"""Short cuts of everyday calls: each beside NumPy where it is taken, and where it is not."""

from __future__ import annotations

from typing import Any

import pytest

import numpy_shim
from tests.numpy_shim.calls import lines
from tests.numpy_shim.differential import compare

CALLS = lines("""
np.take(np.arange(12).reshape(3, 4), 1, axis=0)
np.take(np.arange(12).reshape(3, 4), -1, axis=1)
np.take(np.arange(12).reshape(3, 4), 9, axis=1)
np.take(np.arange(12).reshape(3, 4), 1, axis=5)
np.take(np.arange(12).reshape(3, 4), -1, axis=-1)
np.take(np.arange(4), 1, axis=0)
np.unravel_index(5, (3, 4))
np.unravel_index(5, (3, 4), order="F")
np.unravel_index(15, (3, 4))
np.unravel_index(-1, (3, 4))
np.unravel_index(np.argmax(np.arange(12)), (3, 4))
np.unravel_index(np.uint8(3), (2, 2))
np.unravel_index(0, ())
np.unravel_index(0, (0, 3))
np.unravel_index(True, (3, 4))
np.unravel_index(3, 5)
np.array([1, 2, 4]).mean()
np.array([[1, 2], [3, 4]], dtype="u1").mean(axis=0)
np.array([[True, False], [True, True]]).mean(axis=1, keepdims=True)
np.array([[1, 2], [3, 4]], dtype="u8").mean()
np.array([[1, 2], [3, 4]], dtype="i2").mean(axis=(0, 1))
np.array([[1, 2], [3, 4]]).mean(axis=3)
np.array(5).mean()
np.mean(np.array([2**60, 2**60 + 7]))
np.mean(np.arange(100_000))
np.array([1, 2, 3]).mean(dtype="f4")
np.array([1j, 2])
np.array([[1j, 2.5], [3, 4]])
np.array([1j, 2], dtype="c8")
np.array([1j, 2], dtype=float)
np.array([1, 2.5], dtype=complex)
np.array([[1, 2], [3, 4]], dtype=complex)
np.array([1j, 2**62])
np.array([1j, True])
np.array([complex(-0.0, -0.0), -0.0, float("nan")])
np.array([1j, np.complex64(2)])
np.array([1j, 2]) + 1
3 - np.array([1j, 2])
np.array([1j, 2]) * 2**60
np.array([1j, 2]) == 2
np.array([1j, 2]) < 2
np.array([1j, 2]) ** 2
np.array([1j, 2]) + True
np.array([1j, 2]) // 2
1 / np.array([1j, 2])
np.where(np.array([True, False]), 1, 0)
np.where(np.array([True, False]), 1, 0.5)
np.where(np.array([[True], [False]]), 0.25, -0.0)
np.where(np.array([True, False]), True, 1)
np.where(np.array(True), 1, 2)
np.where(np.array([], dtype=bool), 1.5, 2)
np.where(np.array([True, False]), float("nan"), 2**62)
[np.interp(x, np.arange(4.0), np.arange(4.0) ** 2) for x in (-1.0, 0.0, 0.5, 2.0, 2.75, 3.0, 9.5)]
[np.interp(np.float64(x), np.arange(4.0)[::-1], np.arange(4.0) ** 2) for x in (-1.0, 0.5, 9.5)]
[np.interp(x, np.array([0.0, 1.0, np.inf]), np.array([0.0, np.nan, 1.0])) for x in (0.5, 1.5, 9.0)]
[np.interp(x, np.array([1.0]), np.array([2.0])) for x in (0.5, 1.0, float("nan"), float("inf"))]
np.interp(float("nan"), np.arange(4.0), np.arange(4.0))
np.interp(0.5, np.arange(4.0), np.arange(3.0))
np.interp(0.5, np.array([]), np.array([]))
np.interp(0.5, np.arange(4), np.arange(4.0))
np.interp(0.5, np.arange(4.0), np.arange(4.0) * 1j)
np.interp(0.5, np.arange(4.0).reshape(2, 2), np.arange(4.0))
np.interp(9.5, np.arange(4.0), np.arange(4.0), right=7.0)
np.interp(9.5, np.arange(4.0), np.arange(4.0), period=3)
""")


@pytest.mark.parametrize("call", CALLS)
def test_calls(call: str, device: str):
    def body(np: Any) -> Any:
        return eval(call, {"np": np})

    compare(body, device=device)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_means_of_no_integers(shape: tuple[int, ...], device: str):
    def body(np: Any) -> Any:
        with np.errstate(all="ignore"), pytest.warns(RuntimeWarning):
            return np.zeros(shape, int).mean(axis=-1), np.zeros(shape, int).mean()

    compare(body, device=device)


def test_a_list_of_complex_numbers_is_of_the_default_dtype():
    with numpy_shim.set_default_dtype("float32"):
        assert numpy_shim.array([1j, 2]).dtype == "complex64"


INTEGERS = {
    "few": lambda np: np.arange(3000) * 7919 % 1000,
    "negative": lambda np: np.arange(3000) * 7919 % 1000 - 500,
    "int32": lambda np: (np.arange(3000) * 7919 % 1000).astype("i4"),
    "far apart": lambda np: np.array([-(2**63), 2**63 - 1, 0] * 400),
    "at the end": lambda np: 2**63 - 1 - np.arange(3000) % 7,
    "int32 at the end": lambda np: (-(2**31) + np.arange(3000) % 7).astype("i4"),
    "as many as there are": lambda np: np.arange(3000)[::-1] * 2 - 1,
    "more than there are": lambda np: np.arange(3000) * 3,
    "uint8": lambda np: (np.arange(3000) % 200).astype("u1"),
    "one value": lambda np: np.full(3000, -3),
    "none": lambda np: np.arange(0),
}


@pytest.mark.parametrize("name", INTEGERS)
def test_sets_of_integers(name: str, device: str):
    """Marks between the least and the largest are faster than an order, if these are not far."""

    def body(np: Any) -> Any:
        x, others = INTEGERS[name](np), [INTEGERS[n](np) for n in INTEGERS]
        few = [[5], [-3, 2**62], [2**63 - 1, 2**63 - 2], [-(2**31), 1]]
        return [
            np.unique(x),
            np.unique(x.reshape(-1, 3) if x.size else x),
            *[np.isin(x, y) for y in (*others, *map(np.array, few))],
            *[np.setdiff1d(x, y) for y in others],
            *[np.intersect1d(x, y) for y in others],
        ]

    compare(body, device=device)
