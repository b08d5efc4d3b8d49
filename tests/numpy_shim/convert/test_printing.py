"""Printing, character for character NumPy's."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import numpy_shim
from numpy_shim._convert import printing
from tests.differential import Spec
from tests.numpy_shim.differential import compare
from tests.strategies import arrays, shapes

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "precision": st.integers(0, 10),
        "threshold": st.integers(0, 20),
        "edgeitems": st.integers(1, 4),
        "linewidth": st.integers(10, 100),
        "suppress": st.booleans(),
        "nanstr": st.just("-"),
        "infstr": st.just("oo"),
        "sign": st.sampled_from("+- "),
        "floatmode": st.sampled_from(["fixed", "unique", "maxprec", "maxprec_equal"]),
        "legacy": st.sampled_from([False, "1.13", "1.21", "1.25", "2.1"]),
    },
)


@given(x=arrays(shape=shapes(max_side=6)))
def test_arrays(x: Any):
    """``repr`` and ``str`` of every dtype, shape, layout and value."""
    for function in (repr, str, lambda a: f"{a}", lambda a: repr(a[..., ::-1] if a.ndim else a)):
        compare(lambda np, a, f=function: f(a), x, allow_numpy=True)


@given(x=arrays(shape=shapes(max_side=6)), options=OPTIONS)
def test_options(x: Any, options: Any):
    """``printoptions`` and ``set_printoptions`` are in force, and are NumPy's own state."""

    def within(np: Any, a: Any) -> Any:
        with np.printoptions(**options):
            return repr(a), str(a), np.array2string(a)

    def set_(np: Any, a: Any) -> Any:
        before = np.get_printoptions()
        try:
            np.set_printoptions(**options)
            return repr(a), str(a)
        finally:
            np.set_printoptions(**before)

    compare(within, x, allow_numpy=True)
    compare(set_, x, allow_numpy=True)


def test_array2string():
    """Its arguments, and those of ``array_repr`` and ``array_str``."""
    values = [[1.123456789, 2e-10], [float("nan"), 4]]
    for options in [
        {"precision": 2}, {"suppress_small": True}, {"separator": ", "}, {"prefix": "x" * 60},
        {"suffix": "x" * 60}, {"max_line_width": 12}, {"threshold": 1, "edgeitems": 1},
        {"sign": "+"}, {"floatmode": "fixed"}, {"legacy": "1.13"}, {"precision": "a"},
        {"formatter": {"float_kind": lambda v: f"<{v:.1f}>"}}, {"sign": "?"},
    ]:  # fmt: skip
        compare(lambda np, o=options: np.array2string(np.array(values), **o), allow_numpy=True)
    for arguments in [(), (20,), (None, 3), (None, None, True)]:
        compare(lambda np, a=arguments: np.array_repr(np.array(values), *a), allow_numpy=True)
        compare(lambda np, a=arguments: np.array_str(np.array(values), *a), allow_numpy=True)
    compare(lambda np: np.array2string(np.float64(1.5)), allow_numpy=True)
    compare(lambda np: np.array_repr(np.array(7, "u1")), allow_numpy=True)


@pytest.mark.parametrize("x", [0.1, 1234.5, -1e-20, 1e30, float("nan"), 0.0, 3])
def test_single_floats(x: float):
    """``format_float_positional`` and ``format_float_scientific``."""
    for kind in ("float64", "float32", "float16"):
        for options in [{}, {"precision": 3}, {"unique": False, "precision": 5}, {"trim": "-"},
                        {"sign": True}, {"pad_left": 6}, {"min_digits": 4}]:  # fmt: skip

            def body(np: Any, k: str = kind, o: Any = options) -> Any:
                value = getattr(np, k)(x)
                return np.format_float_positional(value, **o), np.format_float_scientific(
                    value, **o
                )

            compare(body, allow_numpy=True)
    compare(lambda np: np.format_float_positional(x, fractional=False, precision=2))
    compare(lambda np: np.format_float_scientific(x, exp_digits=4))


def test_tensors_of_all_kinds():
    """With a gradient, conjugated lazily, of bfloat16, read-only, 0-D."""
    t = torch.tensor([1.5, 2.0], requires_grad=True)
    assert repr(numpy_shim.asarray(t)) == "array([1.5, 2. ], dtype=float32)"
    assert repr(numpy_shim.asarray(t)[0]) == "np.float32(1.5)"
    assert repr(numpy_shim.asarray(torch.tensor([1 + 2j]).conj())) == (
        "array([1.-2.j], dtype=complex64)"
    )
    a = numpy_shim.array([1, 2])
    a.flags.writeable = False
    assert repr(a) == "array([1, 2])"
    assert repr(numpy_shim.array(3.0)) == "array(3.)"
    assert str(numpy_shim.array(3.0)) == "3.0"
    half = pytest.importorskip("ml_dtypes").bfloat16
    b = numpy_shim.array([1.5, 2], half)
    assert repr(b) == repr(numpy.array([1.5, 2], half))
    assert repr(b[0]) == repr(half(1.5))


@pytest.mark.parametrize("shape", [(5000,), (50, 60), (3, 40, 2, 30), (0, 5000), (1200, 1)])
def test_corners_of_a_large_array(shape: Any):
    """What is fetched from a device is what is shown, and the same is shown."""
    spec = Spec(numpy.arange(numpy.prod(shape), dtype="f8").reshape(shape) / 7, "contiguous")
    a = numpy_shim.asarray(spec.tensor())
    assert numpy.array_repr(printing.corners(a, 3)) == numpy.array_repr(spec.numpy()) == repr(a)
