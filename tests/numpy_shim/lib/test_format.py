"""The ``.npy`` format."""

from __future__ import annotations

import io
from typing import Any

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
    with pytest.raises(TypeError, match="memory"):
        numpy_shim.lib.format.open_memmap("name.npy")
