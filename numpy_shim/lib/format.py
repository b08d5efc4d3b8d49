"""``numpy.lib.format``: the ``.npy`` format for our arrays; NumPy defines the format."""

from __future__ import annotations

from os import PathLike
from typing import IO, Any

from numpy import memmap
from numpy.lib import format as _numpys

from .._array.ndarray import ndarray
from .._base.host_setting import may_hand
from .._base.typing import ArrayLike, DTypeLike
from .._convert.host import to_host
from .._functions.io import read_values, written

from numpy.lib.format import (  # isort: skip
    ARRAY_ALIGN, BUFFER_SIZE, EXPECTED_KEYS, GROWTH_AXIS_MAX_DIGITS, MAGIC_LEN, MAGIC_PREFIX,
    descr_to_dtype, drop_metadata, dtype_to_descr, isfileobj, magic, read_array_header_1_0,
    read_array_header_2_0, read_magic, write_array_header_1_0, write_array_header_2_0,
)  # fmt: skip

__all__ = [
    "ARRAY_ALIGN", "BUFFER_SIZE", "EXPECTED_KEYS", "GROWTH_AXIS_MAX_DIGITS", "MAGIC_LEN",
    "MAGIC_PREFIX", "descr_to_dtype", "drop_metadata", "dtype_to_descr",
    "header_data_from_array_1_0", "isfileobj", "magic", "open_memmap", "read_array",
    "read_array_header_1_0", "read_array_header_2_0", "read_magic", "write_array",
    "write_array_header_1_0", "write_array_header_2_0",
]  # fmt: skip


def header_data_from_array_1_0(array: ndarray) -> dict[str, Any]:
    """The header of a file for an array.

    Parameters
    ----------
    array : ndarray
        The array.

    Returns
    -------
    dict
        The keys ``descr``, ``fortran_order`` and ``shape``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.lib.format.header_data_from_array_1_0(np.ones(3))["shape"]
    (3,)
    """
    found: dict[str, Any] = _numpys.header_data_from_array_1_0(written("header", array))
    return found


def write_array(
    fp: IO[bytes],
    array: ArrayLike,
    version: tuple[int, int] | None = None,
    allow_pickle: bool = True,
    pickle_kwargs: dict[str, object] | None = None,
) -> None:
    """Write an array, with its header, to an open file; see ``numpy_shim.save``.

    Parameters
    ----------
    fp : file
        A file open for writing bytes.
    array : array_like
        The array.
    version : tuple of int, optional
        The version of the format, by default the oldest that can hold the array.
    allow_pickle : bool
        Whether object arrays may be pickled.
    pickle_kwargs : dict, optional
        Keywords for ``pickle.dump``.

    Examples
    --------
    >>> import io
    >>> import numpy_shim as np
    >>> file = io.BytesIO()
    >>> np.lib.format.write_array(file, np.arange(3))
    >>> file.getvalue()[1:6]
    b'NUMPY'
    """
    _numpys.write_array(fp, written("write_array", array), version, allow_pickle, pickle_kwargs)


def read_array(
    fp: IO[bytes],
    allow_pickle: bool = False,
    pickle_kwargs: dict[str, object] | None = None,
    *,
    max_header_size: int = 10000,
) -> ndarray:
    """Read an array that ``write_array`` wrote, onto the default device.

    Parameters
    ----------
    fp : file
        A file open for reading bytes.
    allow_pickle : bool
        Whether object arrays may be unpickled, which can run code.
    pickle_kwargs : dict, optional
        Keywords for ``pickle.load``.
    max_header_size : int
        The largest header to read.

    Returns
    -------
    ndarray
        The array, in the dtype and shape of the file.

    Examples
    --------
    >>> import io
    >>> import numpy_shim as np
    >>> file = io.BytesIO()
    >>> np.lib.format.write_array(file, np.arange(3))
    >>> _ = file.seek(0)
    >>> np.lib.format.read_array(file)
    array([0, 1, 2])
    """
    read: ndarray = read_values(
        _numpys.read_array(
            fp, allow_pickle, to_host(pickle_kwargs), max_header_size=max_header_size
        )
    )
    return read


def open_memmap(
    filename: str | PathLike[str],
    mode: str = "r+",
    dtype: DTypeLike = None,
    shape: tuple[int, ...] | None = None,
    fortran_order: bool = False,
    version: tuple[int, int] | None = None,
    *,
    max_header_size: int = 10000,
) -> memmap[Any, Any]:
    """Open a ``.npy`` file as a ``memmap``, which is an array of NumPy's.

    Parameters
    ----------
    filename : str or path
        The file.
    mode : str
        As in ``numpy.memmap``; ``'w+'`` makes a new file.
    dtype : dtype, optional
        The dtype of a new file; by default float64.
    shape : tuple of int, optional
        The shape of a new file.
    fortran_order : bool
        Whether a new file is written column by column.
    version : tuple of int, optional
        The version of the format of a new file.
    max_header_size : int
        The largest header to read.

    Returns
    -------
    numpy.memmap
        The file's contents; writing to it writes to the file.

    Raises
    ------
    OSError
        For a file that cannot be opened.
    TypeError
        For a ``filename`` that is none, and under ``set_host_dtypes("error")``: a tensor cannot
        map a file.

    Examples
    --------
    >>> import os
    >>> import tempfile
    >>> import numpy_shim as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "a.npy")
    ...     np.save(file, np.arange(3))
    ...     np.lib.format.open_memmap(file, "r").shape
    (3,)
    """
    if not may_hand():
        raise TypeError(
            f"open_memmap: {filename!r} cannot be an array; load it, tensors are in memory"
        )
    return _numpys.open_memmap(
        filename, mode, to_host(dtype), shape, fortran_order, version,
        max_header_size=max_header_size,
    )  # fmt: skip
