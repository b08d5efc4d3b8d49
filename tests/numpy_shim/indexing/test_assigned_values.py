"""What an assignment takes: axes of size 1 in front, sequences for one element; however written."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

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


SEQUENCES = [
    "[1, 2, 3]", "(1.5, 2, -3)", "[[1, 2, 3]]", "[[1.0, 2, 3], [4, 5, 6]]", "[[1], [2]]", "[7]",
    "[1, 2]", "[]", "[2**53 + 1, 0.5, 2**70]", "[1e300, np.nan, -np.inf]", "[np.float64(0.1)] * 3",
    "[np.float32(0.1), 1, 2]", "[True, 2, 3]", "[1j, 2, 3]", "[a[0], a[1]]", "[a[1, 0], 2, 3]",
    "[np.ones(3), np.zeros(3)]", "[None, 1, 2]", "['1', '2', '3']", "[1, [2, 3]]",
]  # fmt: skip


@pytest.mark.parametrize("values", SEQUENCES)
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "u1", "?", "c16"])
def test_sequences_that_are_written_or_made(values: str, dtype: str) -> None:
    """Rows are set, and arrays are made, of sequences of every mixture of numbers."""
    if "nan" in values and dtype in ("i8", "u1"):
        pytest.skip("C leaves open which integer it becomes")
    for key in ("0", "-1", ":", "::2", "...", "None", "(slice(None), 0)", "(1, slice(0, 3))"):

        def body(np: Any, key: str = key) -> Any:
            a = np.arange(6, dtype="f8").reshape(2, 3).astype(dtype)
            exec(f"a[{key}] = {values}", {"np": np, "a": a})
            return a

        compare(body)
    a = "np.arange(6.0).reshape(2, 3)"
    compare(lambda np: np.array(eval(values, {"np": np, "a": eval(a, {"np": np})}), dtype=dtype))


@pytest.mark.parametrize(
    "key",
    [
        "[0, 1], [1, 2]", "[0, 1], 1", "[0, 1], slice(None)", "..., [0, -1]", "[[0], [1]], [0, 2]",
        "[0, 1], [0, 1, 2]", "[0, 3], [0, 0]", "[0, True], [1, 1]", "[0, 1.0], [1, 1]", "[], [1]",
        "[True, False], [0, 1]", "[0, None], 1", "np.array([0, 1]), [1, 2]", "None, [1, 0]",
        "[0, 2**70], 1", "[np.int64(1), 0], [1, 2]",
    ],
)  # fmt: skip
def test_lists_as_indices(key: str) -> None:
    compare(lambda np: np.arange(6).reshape(2, 3)[eval(key, {"np": np})])


NUMBERS = [
    "np.float64(2.5)", "np.float32(0.1)", "np.int64(3)", "np.int8(-1)", "np.uint64(7)",
    "np.bool(True)", "np.complex128(1 + 2j)", "np.float64('nan')", "np.float16(2)",
]  # fmt: skip
NUMBER_STATEMENTS = [
    "a[m] = {}", "a[a > 2] = {}", "a[[0, -1]] = {}", "a[[0, 5]] = {}", "a[np.array([0, 1])] = {}",
    "a[[1, True]] = {}", "a[np.int64(0), :] = {}", "a[:, np.int64(-1)] = {}",
    "a[np.int64(1), np.int64(2)] = {}", "a[np.int64(0), 1:] = {}", "a[np.int64(7), :] = {}",
    "a[..., np.uint8(1)] = {}", "a.fill({})", "a[[]] = {}", "a[[0, 1], np.int64(1)] = {}",
]  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("statement", NUMBER_STATEMENTS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool", "complex128"])
def test_scalars_of_numpys_that_are_written(dtype: str, statement: str, number: str) -> None:
    if dtype == "int64" and "nan" in number:
        pytest.skip("C leaves open which integer it becomes")

    def body(np: Any) -> Any:
        a = np.arange(6).reshape(2, 3).astype(dtype)
        exec(statement.format(number), {"np": np, "a": a, "m": np.array([True, False])})
        return a

    compare(body)


@pytest.mark.parametrize(
    "key",
    [
        "np.int64(1), :", ":, np.int64(-1)", "..., np.uint8(2)", "np.int64(0), 1:",
        "np.int8(5), :", "None, np.int64(0)", "np.int64(0), [0, 2]",
        "np.int64(0), np.array([True, False, True])",
    ],
)  # fmt: skip
def test_scalars_of_numpys_as_indices(key: str) -> None:
    """A row or column of them is a view, as of Python's ints."""

    def body(np: Any) -> Any:
        a = np.arange(6).reshape(2, 3)
        found = eval(f"a[{key}]", {"np": np, "a": a})
        found += 1
        return found, a

    compare(body)


@pytest.mark.parametrize("values", ["[[10, 11], 12]", "np.array([10, 11])", "[10, 11]", "[9]"])
def test_lists_that_are_written_to(values: str) -> None:
    """Of repeated indices the last value stays; a value of another length is refused."""
    for key in ("[0, 2]", "[2, 2]", "[-1, 0]", "[0, 9]", "[1]"):

        def body(np: Any, key: str = key) -> Any:
            a = np.arange(3)
            exec(f"a[{key}] = {values}", {"np": np, "a": a})
            return a

        compare(body)


_NUMBERS = [
    "np.int16(300)", "np.uint8(255)", "np.int64(-1)", "np.uint64(2**63)", "np.float64(3e9)",
    "np.float32('nan')", "np.float64('inf')", "np.float16(-2.5)", "np.True_",
]  # fmt: skip


@pytest.mark.parametrize("number", _NUMBERS)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "float32"])
def test_a_scalar_out_of_range_is_refused_where_numpy_refuses_it(number: str, dtype: str) -> None:
    """Elements of signed integers, not of unsigned ones, and not by masks or index arrays."""
    for statement in (*STATEMENTS, "a[0] = [{0}, 1]", "a[:] = [[{0}, {0}]]", "a[:, 0] = {}"):

        def body(np: Any, statement: str = statement) -> Any:
            a = np.zeros((2, 2), dtype)
            with np.errstate(invalid="ignore", over="ignore"):
                exec(statement.format(number), {"np": np, "a": a})
            return a

        compare(body)


@pytest.mark.parametrize(
    "values", ["np.array(['a'])", "numpy.array(['a', 'b'])[:1]", "numpy.array([None])"]
)
@pytest.mark.parametrize(
    "statement", ["a[...] = {}", "a[:] = {}", "a.real = {}", "a.imag = {}", "a.real = 'aaaa'"]
)
def test_nothing_is_converted_for_an_array_of_nothing(statement: str, values: str) -> None:
    """Text that is no number is refused where it would be written only."""
    for shape in (0, 1):

        def body(np: Any, shape: int = shape) -> Any:
            a = np.zeros(shape, complex)
            exec(statement.format(values), {"np": np, "numpy": numpy, "a": a})
            return a

        compare(body)


@pytest.mark.parametrize("values", ["['a', 'b']", "['1']", "[None, 1]", "[[]]"])
@pytest.mark.parametrize("dtype", ["c16", "f8", "i8", "?"])
def test_arrays_of_text_and_objects_for_one_element(dtype: str, values: str) -> None:
    """That they have axes is found before what they hold."""

    def body(np: Any) -> Any:
        a = np.zeros(3, dtype)
        a[-1] = numpy.array(eval(values))
        return a

    compare(body)


@pytest.mark.parametrize(
    "values",
    ["['a']", "['a', 'b']", "[['a', 'b', 'c']]", "[{}]", "[1, {}]", "['-1']", "['-1', '0']"],
)
@pytest.mark.parametrize(
    "key", ["[:0]", "[9:]", "[1:1, None]", "[a > 9]", "[[]]", "[:2]", "[[0, 1]]", "[a > 1]", "[9]",
            "[[9]]", "[:0, 0]"],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["f8", "u1"])
def test_values_are_cast_after_their_shape_is_looked_at(
    dtype: str, key: str, values: str, device: str
) -> None:
    """And not at all where nothing is selected."""

    def body(np: Any) -> Any:
        with torch.device(device):
            a = np.arange(3).astype(dtype)
            exec(f"a{key} = numpy.array({values})", {"np": np, "numpy": numpy, "a": a})
            return a.tolist()

    compare(body, allow_numpy=device != "cpu")
