"""Files: ``.npy`` and ``.npz``, text, raw bytes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy
import pytest

import numpy_shim
from tests.differential import Spec
from tests.numpy_shim.differential import compare

GRID = Spec(numpy.arange(24.0).reshape(4, 6))


@pytest.mark.parametrize("dtype", ["float64", "uint64", "complex64", "bool", "float16"])
def test_npy_and_npz(dtype: str):
    """What one library writes the other reads."""
    values = numpy.arange(6).reshape(2, 3).astype(dtype)
    mine = numpy_shim.asarray(values)
    for write, read in ((numpy_shim.save, numpy.load), (numpy.save, numpy_shim.load)):
        file = io.BytesIO()
        write(file, mine if write is numpy_shim.save else values)
        file.seek(0)
        back = read(file)
        assert back.dtype == values.dtype
        assert numpy.array_equal(numpy.asarray(back), values)
    for write in (numpy_shim.savez, numpy_shim.savez_compressed):
        file = io.BytesIO()
        write(file, mine, named=mine[0])
        file.seek(0)
        with numpy_shim.load(file) as loaded:
            assert sorted(loaded) == ["arr_0", "named"]
            assert isinstance(loaded["named"], numpy_shim.ndarray)
            assert loaded["arr_0"].tolist() == values.tolist()


def test_load_refuses():
    """Pickles without leave, and objects where they are switched off."""
    file = io.BytesIO()
    numpy.save(file, numpy.array([None, 1], dtype=object), allow_pickle=True)
    file.seek(0)
    with pytest.raises(ValueError, match="allow_pickle"):
        numpy_shim.load(file)
    file.seek(0)
    with numpy_shim.set_host_dtypes("error"), pytest.raises(TypeError, match="object"):
        numpy_shim.load(file, allow_pickle=True)
    file.seek(0)
    assert numpy_shim.load(file, allow_pickle=True).tolist() == [None, 1]


def test_load_memory_map(tmp_path: Path):
    """It is NumPy's, and its numbers are torch's in every function."""
    numpy_shim.save(tmp_path / "a.npy", numpy_shim.arange(3.0))
    mapped = numpy_shim.load(tmp_path / "a.npy", mmap_mode="r")
    assert type(mapped) is numpy.memmap
    assert type(numpy_shim.exp(mapped)) is numpy_shim.ndarray
    with numpy_shim.set_host_dtypes("error"), pytest.raises(TypeError, match="mmap_mode"):
        numpy_shim.load(tmp_path / "a.npy", mmap_mode="r")


def test_npz_attributes():
    file = io.BytesIO()
    numpy_shim.savez(file, a=numpy_shim.arange(3), b=numpy_shim.ones(2))
    file.seek(0)
    arrays = numpy_shim.load(file).f
    assert arrays.a.tolist() == [0, 1, 2]
    assert sorted(dir(arrays)) == ["a", "b"]
    with pytest.raises(AttributeError, match="c"):
        _ = arrays.c


def test_text_files():
    def body(np: Any, a: Any) -> Any:
        text = io.StringIO()
        np.savetxt(text, a, fmt="%.3f", delimiter=",", header="x")
        written = text.getvalue()
        return [
            written,
            np.loadtxt(io.StringIO(written), delimiter=","),
            np.loadtxt(io.StringIO(written), delimiter=",", usecols=(0, 2), unpack=True),
            np.genfromtxt(io.StringIO("1,,3\n4,5,6"), delimiter=",", filling_values=-1),
            np.loadtxt(io.StringIO("1 2\n3 4"), dtype=np.int16),
        ]

    compare(body, GRID, allow_numpy=True)


def test_text_with_names():
    """It is a structured array of NumPy's; with ``usemask`` a masked one."""
    found = numpy_shim.genfromtxt(io.StringIO("1 2\n3 4"), names=["x", "y"])
    assert found.dtype.names == ("x", "y")
    assert type(found) is numpy.ndarray
    masked = numpy_shim.genfromtxt(io.StringIO("1,,3"), delimiter=",", usemask=True)
    assert masked.mask.tolist() == [False, True, False]
    with numpy_shim.set_host_dtypes("error"), pytest.raises(TypeError, match="structured"):
        numpy_shim.genfromtxt(io.StringIO("1 2"), names=["x", "y"])


def test_binary_files(tmp_path: Any):
    def body(np: Any, a: Any) -> Any:
        a.tofile(tmp_path / "values")
        return np.fromfile(tmp_path / "values", dtype=np.float64, count=3, offset=8)

    compare(body, GRID, allow_numpy=True)
