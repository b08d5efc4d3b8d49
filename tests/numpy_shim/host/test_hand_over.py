"""Which functions hand calls over to NumPy, and what they hand over."""

from __future__ import annotations

import inspect
import pickle
import sys
from types import FunctionType
from typing import Any

import numpy
import pytest

import numpy_shim
from numpy_shim import fft, lib, linalg
from numpy_shim._host import hand_over
from numpy_shim._host.surface import ALONE

WORDS = ["b", "a", "c"]
NAMESPACES = {
    "": numpy_shim, "linalg.": linalg, "fft.": fft, "lib.stride_tricks.": lib.stride_tricks,
    "lib.array_utils.": lib.array_utils,
}  # fmt: skip
PUBLIC: dict[str, Any] = {
    f"{prefix}{name}": function
    for prefix, module in NAMESPACES.items()
    for name in module.__all__
    if type(function := getattr(module, name, None)) is FunctionType
    and function.__module__.startswith("numpy_shim.")
}
WRAPPER = linalg.inv.__code__
"""The code of the wrapper, which all wrapped functions share."""
UNWRAPPED = ALONE | {"export", "jit"}
# NumPy's own text, whose calls of our functions hand over.
NUMPYS_TEXT = {n for n, f in PUBLIC.items() if f.__module__.startswith("numpy_shim._numpys.")}


def twin_of(function: Any) -> Any:
    return getattr(sys.modules[function.__module__], f"_general_{function.__name__}", None)


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_each_function_is_wrapped_once(name: str):
    """Itself or its general twin, never both; none of those that stand alone."""
    function = PUBLIC[name]
    wrappers = [f for f in (function, twin_of(function)) if f and f.__code__ is WRAPPER]
    assert len(wrappers) == (name.rpartition(".")[2] not in UNWRAPPED and name not in NUMPYS_TEXT)


def test_alone_names_functions():
    assert {name.rpartition(".")[2] for name in PUBLIC} >= ALONE


@pytest.mark.parametrize("function", [numpy_shim.diag, linalg.inv, numpy_shim.zeros])
def test_wrapped_functions_look_like_themselves(function: Any):
    assert pickle.loads(pickle.dumps(function)) is function
    assert "args" not in inspect.signature(function).parameters
    assert function.__doc__


def test_outermost_call_is_handed_over(monkeypatch: pytest.MonkeyPatch):
    """A function that another one called lets the error through, fast or not."""
    handed: list[str] = []

    def record(name: str, *args: Any, **kwargs: Any) -> Any:
        handed.append(name)
        return original(name, *args, **kwargs)

    original = hand_over.call_numpy
    monkeypatch.setattr(hand_over, "call_numpy", record)
    numpy_shim.array_equiv(WORDS, WORDS)  # calls broadcast_arrays
    numpy_shim.flatnonzero(numpy.array(WORDS, object))  # calls nonzero and ravel
    numpy_shim.column_stack([WORDS, WORDS])
    assert handed == ["array_equiv", "flatnonzero", "column_stack"]


def test_a_programs_function_hands_its_own_calls_over():
    """A call inside a function that ours calls is the program's."""

    def length(row: Any) -> int:
        return len(numpy_shim.unique([str(x) for x in row]))

    made = numpy_shim.apply_along_axis(length, 1, numpy_shim.ones((2, 3)))
    assert made.tolist() == [1, 1]


@pytest.mark.parametrize(
    "call",
    [
        lambda np: np.sort(WORDS, stable=True),  # given by name, as the twin gets it by position
        lambda np: np.isin(WORDS, ["a"], kind=None, invert=True),
        lambda np: np.where(np.array([True, False, True]), WORDS, "x"),
        lambda np: np.where(np.array(WORDS, object)),
        lambda np: np.clip(np.array(["2020-01-01"], "M8[D]"), min=np.datetime64("2021-01-01")),
        lambda np: np.any(np.array(WORDS, object) != "a", where=np.array([True, False, True])),
        lambda np: np.max(np.array([[1, 5]], object), axis=0, initial=7),
        lambda np: np.arange(start=np.datetime64("2020-01"), stop=np.datetime64("2020-03")),
        lambda np: np.atleast_2d(WORDS, WORDS),
        lambda np: np.concatenate((WORDS, WORDS), 0, None),
    ],
)
def test_arguments_arrive(call: Any):
    ours, theirs = call(numpy_shim), call(numpy)
    for x, y in zip(*[(r if isinstance(r, tuple) else (r,)) for r in (ours, theirs)], strict=True):
        assert str(x.dtype) == str(y.dtype)
        assert x.tolist() == y.tolist()


@pytest.mark.parametrize("call", [
    lambda np: np.sort(numpy.array(WORDS), -1, None, None, True),  # stable is given by name only
    lambda np: np.trace(numpy.array(WORDS, object).reshape(1, 3), 0, 0, 1, None, None, 1),
])  # fmt: skip
def test_too_many_arguments_are_refused(call: Any):
    with pytest.raises(TypeError):
        call(numpy_shim)


def test_results_too_large_have_numpys_errors():
    """The wrapper translates what torch says of sizes, for functions and for twins."""
    for call in (lambda: numpy_shim.tri(10**17, 10**17), lambda: numpy_shim.arange(10**17)):
        with pytest.raises((MemoryError, ValueError)):
            call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: numpy_shim.mean([]),
        lambda: numpy_shim.average([]),
        lambda: numpy_shim.var([]),
        lambda: numpy_shim.nanmax([numpy_shim.nan]),
        lambda: numpy_shim.polyfit([1, 1], [1, 2], 1),
        lambda: numpy_shim.array([1j]).astype(float),
    ],
)
def test_a_warning_names_the_line_of_the_program(call: Any):
    with pytest.warns() as caught:
        call()
    assert {w.filename for w in caught} == {__file__}
