"""No exception of torch's own reaches a user: whatever the arguments, the error names the function.

Every public function is called with values of every kind in every parameter. A call either
works or raises one of Python's own exceptions, with a message that begins with the function's
name; an error of Python's call binding ("missing 1 required argument") names it by itself.
"""

from __future__ import annotations

import inspect
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import given, settings

import xp_torch as xp
from xp_torch._array import Array

ALLOWED = (
    TypeError,
    ValueError,
    IndexError,
    OverflowError,
    BufferError,
    ZeroDivisionError,
    MemoryError,
    AttributeError,  # from_dlpack's, by the standard
)


def functions() -> dict[str, Any]:
    found = {n: getattr(xp, n) for n in xp.__all__ if inspect.isfunction(getattr(xp, n))}
    for extension in ("linalg", "fft"):
        module = getattr(xp, extension)
        found |= {f"{extension}.{n}": getattr(module, n) for n in module.__all__}
    # It answers with an object whose methods are tried elsewhere.
    found.pop("__array_namespace_info__")
    return found


FUNCTIONS = functions()


def arrays() -> list[Any]:
    """Arrays of every kind of dtype and of awkward shapes, and things that are no arrays."""
    made = [
        xp.zeros(shape, dtype=dtype)
        for dtype in (xp.float64, xp.int64, xp.bool, xp.complex64, xp.uint16, xp.uint64)
        for shape in ((), (0,), (3,), (2, 2), (2, 3), (0, 2, 2))
    ]
    return [
        *made,
        xp.asarray([[1.0, float("nan")], [float("inf"), -0.0]]),
        xp.asarray([-1, 5, 1000]),
        xp.asarray(torch.zeros(2, device="meta")),
    ]


FOREIGN = [None, "a", 1, 2.5, True, 1j, [1, 2], torch.zeros(3), np.zeros(3), object(), 2**70]
NUMBERS = [0, 1, -1, 2, 3, -4, 7, 100, 2**40, 2**70, 1.5, float("nan"), True, None, "a", (0,), ()]
TUPLES = [(), (0,), (0, 1), (1, 0), (-1,), (0, 0), (5,), (2, 2), (-1, 2), (1.5,), ("a",), [0], None]
DTYPES = [
    None,
    xp.float32,
    xp.int8,
    xp.bool,
    xp.complex128,
    xp.uint64,
    torch.float16,
    float,
    "x",
    3,
]
DEVICES = [None, "cpu", torch.device("cpu"), "meta", "nowhere", "cuda:99", 3]

POOLS: dict[str, list[Any]] = {
    "dtype": DTYPES,
    "device": DEVICES,
    "type": DTYPES,
    "from_": DTYPES,
    "to": DTYPES,
    "kind": ["bool", "integral", "numeric", "x", ("bool", "x"), (), None, 3, xp.float32],
    "copy": [None, True, False],
    "keepdims": [True, False],
    "descending": [True, False],
    "stable": [True, False],
    "invert": [True, False],
    "upper": [True, False],
    "include_initial": [True, False],
    "full_matrices": [True, False],
    "endpoint": [True, False],
    "indexing": ["xy", "ij", "zz", 3],
    "side": ["left", "right", "zz", 3],
    "mode": ["reduced", "complete", "zz", 3],
    "norm": ["backward", "ortho", "forward", "zz", 3],
    "ord": [None, 1, -1, 2, -2, 0, 0.5, float("inf"), float("-inf"), "fro", "nuc", "zz", (1,)],
    "axis": [*NUMBERS, *TUPLES],
    "axes": [*NUMBERS, *TUPLES, ((0,), (1,)), ((0,), (0, 1)), ((5,), (5,))],
    "shape": [*NUMBERS[:9], *TUPLES],
    "shapes": [*TUPLES],
    "repetitions": TUPLES,
    "source": [*NUMBERS, *TUPLES],
    "destination": [*NUMBERS, *TUPLES],
    "shift": [*NUMBERS, *TUPLES],
    "correction": [0, 1, 0.5, -1, 100, float("nan"), "a", None],
    "arrays": [[], [1], (xp.zeros(2), xp.zeros(3)), [xp.zeros(2), xp.zeros(2)], 3, xp.zeros(2)],
}
# Sizes that are as they should be but for their value; a large one would only fill the memory.
SIZES = [0, 1, -1, 3, 1.5, "a", None, (2,), True]
for _name in ("n_rows", "n_cols", "num", "n", "k", "offset"):
    POOLS[_name] = SIZES
for _name in ("start", "stop", "step"):
    POOLS[_name] = [0, 1, -1, 5, 0.5, 1j, "a", None, float("nan"), xp.zeros(()), True]


def pool(function: str, parameter: str) -> list[Any]:
    if function == "broadcast_shapes" or parameter in POOLS:
        return POOLS.get(parameter, TUPLES)
    if function in ("full", "full_like") and parameter == "fill_value":
        return FOREIGN
    if parameter == "s":
        return TUPLES
    if function in ("tile", "repeat") and parameter == "repeats":
        return [*NUMBERS[:8], "a", 1.5, xp.asarray([1, 2]), xp.asarray(2), xp.zeros(2)]
    return [*arrays(), *FOREIGN]


@st.composite
def calls(draw: Any, name: str) -> tuple[list[Any], dict[str, Any]]:
    """Arguments for a function: a value for every required parameter, for others sometimes."""
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    short = name.rpartition(".")[2]
    for parameter in inspect.signature(FUNCTIONS[name]).parameters.values():
        choices = st.sampled_from(pool(short, parameter.name))
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += draw(st.lists(choices, max_size=3))
        elif parameter.default is parameter.empty or draw(st.booleans()):
            value = draw(choices)
            if parameter.kind is parameter.POSITIONAL_ONLY:
                positional.append(value)
            else:
                keywords[parameter.name] = value
        elif parameter.kind is parameter.POSITIONAL_ONLY:
            break
    return positional, keywords


def check(name: str, error: Exception) -> None:
    """The error is one of Python's own and says which function refused."""
    message = str(error)
    assert type(error).__module__.partition(".")[0] != "torch", repr(error)
    assert isinstance(error, ALLOWED), repr(error)
    assert message.startswith(f"{name}: ") or f"{name}() " in message, repr(error)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function(name: str):
    @settings(max_examples=3 * settings().max_examples)
    @given(calls(name))
    def run(call: tuple[list[Any], dict[str, Any]]) -> None:
        positional, keywords = call
        try:
            FUNCTIONS[name](*positional, **keywords)
        except Exception as error:
            check(name.rpartition(".")[2], error)

    run()


KEYS = [
    0, -1, 5, True, 1.5, "a", None, ..., (), (0,), (0, 0, 0, 0), slice(None), slice(0, 100),
    slice(None, None, -1), slice(None, None, 0), slice("a"), slice(1.5), (..., ...), [0],
    np.zeros(2), torch.zeros(2, dtype=torch.int64), (0, None), (None, 0), (slice(None), 0),
]  # fmt: skip
OPERATORS = [
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
    "lshift", "rshift",
]  # fmt: skip
COMPARISONS = ["lt", "le", "gt", "ge", "eq", "ne"]


@given(st.sampled_from(arrays()), st.sampled_from([*KEYS, *arrays()]), st.data())
def test_indexing(array: Array, key: Any, data: st.DataObject):
    """Reading and assigning through every kind of key."""
    try:
        array[key]
    except Exception as error:
        check("__getitem__", error)
    value = data.draw(st.sampled_from([*arrays(), *FOREIGN]))
    target = xp.asarray(array, copy=True)
    try:
        target[key] = value
    except Exception as error:
        check("__setitem__", error)


@given(st.sampled_from(arrays()), st.sampled_from([*arrays(), *FOREIGN]), st.data())
def test_operators(array: Array, other: Any, data: st.DataObject):
    """Every operator beside every kind of operand, on both sides and in place."""
    names = [f"__{p}{n}__" for n in OPERATORS for p in ("", "r", "i")]
    name = data.draw(st.sampled_from([*names, *[f"__{n}__" for n in COMPARISONS]]))
    target = xp.asarray(array, copy=True)
    try:
        getattr(target, name)(other)
    except Exception as error:
        check(name, error)


HUGE = 10**5000


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: x + HUGE, OverflowError),
        (lambda x: x.__setitem__(0, HUGE), OverflowError),
        (lambda x: x[HUGE], IndexError),
        (lambda x: x[HUGE:], IndexError),
        (lambda x: xp.sum(x, axis=HUGE), ValueError),
        (lambda x: xp.full(1, HUGE), OverflowError),
        (lambda x: xp.zeros(HUGE), ValueError),
        (lambda x: xp.eye(HUGE), ValueError),
        (lambda x: xp.linspace(0, 1, HUGE), ValueError),
        (lambda x: xp.reshape(x, (HUGE,)), ValueError),
        (lambda x: xp.linalg.matrix_power(xp.eye(2), HUGE), OverflowError),
    ],
)
def test_integers_of_thousands_of_digits(call, error):
    """The error says what was wrong, not that Python spells no such integer."""
    with pytest.raises(error, match=r"\w+: .*thousands of digits"):
        call(xp.asarray([1, 2]))


def test_differences_of_huge_order():
    """There are none."""
    assert xp.diff(xp.asarray([1.0, 2.0]), n=HUGE).shape == (0,)


@pytest.mark.parametrize("sequence", [[1, 2], (1,), "a", b"a"])
def test_sequences_are_no_operands(sequence):
    """A 0-D array of integers does not repeat a sequence, as an integer does."""
    x = xp.asarray(2)
    for call in (lambda: x * sequence, lambda: sequence * x, lambda: x + sequence):
        with pytest.raises(TypeError, match="the operand must be an array or a scalar"):
            call()


def test_axes_are_not_truth_values():
    """``axis=True`` is a mistake: ``True`` was meant for ``keepdims``."""
    x = xp.ones((2, 2))
    for call in (xp.sum, xp.sort, xp.flip, xp.cumulative_sum):
        with pytest.raises(TypeError, match="axis must be an integer, not bool"):
            call(x, axis=True)


@pytest.mark.parametrize("several", [torch.ones(2), np.ones(2)], ids=["tensor", "numpy"])
@pytest.mark.parametrize(
    "call",
    [
        lambda x, v: xp.sum(x, keepdims=v),
        lambda x, v: xp.sort(x, descending=v),
        lambda x, v: xp.cumulative_sum(x, axis=0, include_initial=v),
        lambda x, v: xp.asarray(x, copy=v),
        lambda x, v: xp.concat([x], axis=v),
        lambda x, v: xp.vecdot(x, x, axis=v),
        lambda x, v: xp.linalg.cross(x, x, axis=v),
        lambda x, v: xp.linalg.diagonal(x, offset=v),
        lambda x, v: xp.linalg.trace(x, offset=v),
        lambda x, v: xp.linalg.vector_norm(x, ord=v),
        lambda x, v: xp.linalg.vector_norm(x, keepdims=v),
        lambda x, v: xp.take_along_axis(x, xp.asarray([[0]]), axis=v),
    ],
)
def test_several_values_for_one(call, several):
    """A tensor where a bool or an int belongs: its own error about truth does not come through."""
    with pytest.raises(TypeError, match=r"^\w+: \w+ must be"):
        call(xp.ones((3, 3)), several)
