"""The ``.npy`` format."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy
import pytest

import numpy_shim
from tests.numpy_shim.differential import compare


@pytest.mark.parametrize("version", [(1, 0), (2, 0), None, (9, 9)])
@pytest.mark.parametrize("dtype", ["float32", "complex128", "uint16", "bool"])
def test_npy_format(version: Any, dtype: str):
    """The bytes are NumPy's, and are read back."""

    def body(np: Any) -> Any:
        file = io.BytesIO()
        np.lib.format.write_array(file, np.ones((2, 3), dtype), version)
        written = file.getvalue()
        file.seek(0)
        return written, np.lib.format.read_array(file)

    compare(body, allow_numpy=True)


def test_npy_format_refuses():
    for values in (b"", b"not a file"):
        with pytest.raises(ValueError, match=r"EOF|magic"):
            numpy_shim.lib.format.read_array(io.BytesIO(values))
    with numpy_shim.set_host_dtypes("error"), pytest.raises(TypeError, match="memory"):
        numpy_shim.lib.format.open_memmap("name.npy")


def test_format_of_host_dtypes(tmp_path: Path):
    """Strings are written and read as NumPy does; a memory map is NumPy's."""
    file = io.BytesIO()
    numpy_shim.lib.format.write_array(file, numpy.array(["a", "b"]))
    file.seek(0)
    assert numpy_shim.lib.format.read_array(file).tolist() == ["a", "b"]
    mapped = numpy_shim.lib.format.open_memmap(tmp_path / "a", "w+", numpy_shim.float32, (2,))
    assert (type(mapped), mapped.dtype) == (numpy.memmap, numpy.float32)
