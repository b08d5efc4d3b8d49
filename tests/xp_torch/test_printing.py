"""How arrays print, beside NumPy."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import xp_torch
from tests.differential import dtype_name
from tests.strategies import arrays, dtypes_of, elements
from xp_torch._core.dtypes import ALL


def as_numpy_prints(values: np.ndarray) -> str:
    """NumPy's text with our name, and the dtype and shape always where ours are."""
    body = np.array2string(values, separator=", ", prefix="Array(", suffix=",")
    notes = []
    if values.size == 0:
        body = "[]"
    if values.shape != (0,) and not 0 < values.size <= 1000:
        notes.append(f"shape={values.shape}")
    tail = ", ".join([*notes, f"dtype={values.dtype.name}"]) + ")"
    text = f"Array({body},"
    apart = "\n      " if len(text.splitlines()[-1]) + len(tail) + 1 > 75 else " "
    return text + apart + tail


def check(values: np.ndarray) -> None:
    assert repr(xp_torch.asarray(values.copy())) == as_numpy_prints(values)


@given(arrays(ALL, layouts=("contiguous",)))
def test_values(spec):
    """NumPy's text for small arrays of every dtype, special values among them."""
    check(spec.values)


@given(st.data())
def test_wide_rows(data):
    """NumPy's line breaks."""
    dtype = data.draw(dtypes_of(ALL))
    shape = data.draw(st.sampled_from([(40,), (3, 30), (2, 2, 25)]))
    check(data.draw(hnp.arrays(dtype, shape, elements=elements(dtype))))


@given(
    hnp.arrays(
        st.sampled_from(["float32", "float64"]),
        hnp.array_shapes(max_dims=2, max_side=4),
        elements=st.floats(width=32, allow_subnormal=True),
    )
)
def test_floats(values):
    """NumPy's digits for any float."""
    check(values)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("values", [
    [999999.0], [1e6], [1e7], [99999999.0], [1e8], [0, complex(0, math.nan)],
    [0, complex(0, math.inf)], [complex(math.nan, 2), complex(1, -math.inf)],
], ids=repr)  # fmt: skip
def test_widths(values, dtype):
    """Where exponents begin, which differs between the dtypes, and the room for NaN."""
    reals = [complex(v).imag if "complex" not in dtype and isinstance(v, complex) else v
             for v in values]  # fmt: skip
    check(np.array(reals, dtype))


@pytest.mark.parametrize("shape", [(1001,), (40, 40), (2, 600), (11, 10, 10), (1000,), (3, 400, 2)])
@pytest.mark.parametrize("dtype", ["int64", "float64", "bool", "complex64"])
def test_summaries(shape, dtype):
    """More than a thousand elements show the first and last three of each dimension."""
    check((np.arange(math.prod(shape)).reshape(shape) * 1.5).astype(dtype))


def test_examples():
    """Written out, as a reader sees them."""
    xp = xp_torch
    assert repr(xp.asarray([1.0, 2.0])) == "Array([1., 2.], dtype=float64)"
    assert repr(xp.asarray([[1, 20], [3, 4]])) == "Array([[ 1, 20],\n       [ 3,  4]], dtype=int64)"
    assert repr(xp.asarray(2**64 - 1)) == "Array(18446744073709551615, dtype=uint64)"
    assert repr(xp.asarray(True)) == "Array(True, dtype=bool)"
    assert repr(xp.zeros((0, 3))) == "Array([], shape=(0, 3), dtype=float64)"
    assert str(xp.asarray(1.5)) == "Array(1.5, dtype=float64)"


def test_tensors_with_a_gradient_and_without_values(device):
    """A gradient does not show; a device other than the CPU does; ``meta`` has no values."""
    tensor = torch.ones(2, requires_grad=True, device=device)
    where = "" if device == "cpu" else f", device={tensor.device}"
    assert repr(xp_torch.asarray(tensor * 2)) == f"Array([2., 2.], dtype=float32{where})"
    meta = xp_torch.zeros((2, 3), device="meta")
    assert repr(meta) == "Array(..., shape=(2, 3), dtype=float64, device=meta)"


def test_printing_does_not_import_numpy():
    """NumPy is no dependency of the namespace."""
    script = (
        "import sys, xp_torch as xp\n"
        "before = set(sys.modules)\n"
        "repr(xp.linspace(0, 1, 2000)); repr(xp.asarray([1j]))\n"
        "new = set(sys.modules) - before\n"
        "assert not [m for m in new if m.split('.')[0] == 'numpy'], new\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_dtype_names():
    assert dtype_name(xp_torch.uint16) in repr(xp_torch.zeros(1, dtype=xp_torch.uint16))
