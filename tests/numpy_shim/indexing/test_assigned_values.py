"""What an assignment takes: axes of size 1 in front, sequences for one element; however written."""

from __future__ import annotations

from typing import Any

import pytest

from tests.numpy_shim.differential import compare

VALUES = [
    "np.ones((1, 1))", "np.ones((1, 2, 2))", "np.ones((1, 1, 2))", "np.ones(1)", "np.ones((2, 1))",
    "np.ones(0)", "[[3]]", "[[[1, 2]]]", "[[1, 2]]", "[[1], [2]]", "[1]", "[]", "()", "True",
    "np.nan", "300", "np.float32(3)", "np.array(2)",
]  # fmt: skip
CALLS = [
    "np.full(1, {})", "np.full((), {})", "np.full(2, {})", "np.full((2, 2), {})",
    "np.full(2, {}, 'i1')", "np.full(2, {}, '?')", "np.full_like(np.zeros(2), {})",
    "np.full_like(np.zeros(1), {})", "np.insert(np.zeros(2), 0, {})",
    "np.insert(np.zeros(2), [0], {})", "np.insert(np.zeros(2), [0, 1], {})",
    "np.insert(np.zeros((2, 2)), [0, 1], {}, axis=1)", "np.insert(np.zeros((2, 2)), 1, {}, axis=1)",
]  # fmt: skip
STATEMENTS = [
    "a[...] = {}", "a[:] = {}", "a[0] = {}", "a[0:1] = {}", "a[[0, 1]] = {}",
    "a[[True, False]] = {}", "a[::-1][...] = {}", "a.fill({})", "a[::-1].fill({})", "a.flat = {}",
    "a.flat[0] = {}", "a.flat[:] = {}", "a.flat[np.array(0)] = {}", "a.real = {}", "a.imag = {}",
    "np.copyto(a, {})", "np.copyto(a, {}, where=[True, False])", "np.put(a, [0, 1], {})",
    "np.putmask(a, [1, 1], {})", "np.place(a, [1, 1], {})",
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("call", CALLS)
def test_values_of_a_new_array(call: str, value: str) -> None:
    compare(lambda np: eval(call.format(value), {"np": np}))


@pytest.mark.parametrize("dtype", ["f8", "f2", "c8", "?", "i4"])
def test_an_array_of_nothing(dtype: str) -> None:
    compare(lambda np: np.full(2, None, dtype))
    compare(lambda np: np.full_like(np.zeros(2, dtype), None))
    compare(lambda np: np.array([None, 1], dtype))


@pytest.mark.parametrize("value", [*VALUES, "1j", "None", "'3'", "2**70"])
@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("dtype", ["float64", "int8", "bool", "complex64"])
def test_values_that_are_written(statement: str, value: str, dtype: str) -> None:
    if dtype == "bool" and value == "2**70" and "copyto" in statement:
        pytest.skip("both too large and of another kind")

    def body(np: Any) -> Any:
        a = np.zeros(2, dtype)
        exec(statement.format(value), {"np": np, "a": a})
        return a

    compare(body)
