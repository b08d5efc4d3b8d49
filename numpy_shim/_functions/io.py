"""Arrays in files of NumPy's binary formats, read and written by NumPy on the host.

Arrays of numbers that are read go to the default device.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy

from .._array.ndarray import AnyArray, ndarray, wrap
from .._base.host_setting import may_hand
from .._base.release import SAVEZ_TAKES_ALLOW_PICKLE
from .._base.typing import ArrayLike, DTypeLike, FileLike
from .._convert.arguments import as_tensor
from .._convert.host import from_host, to_host
from .._host.numpy_calls import is_host_target

__all__ = ["fromfile", "load", "save", "savez", "savez_compressed"]


def written(name: str, arr: Any) -> numpy.ndarray[Any, Any]:
    """An array-like as a real NumPy array on the host."""
    if is_host_target(arr) and may_hand():
        host: numpy.ndarray[Any, Any] = arr
        return host
    return numpy.asarray(to_host(arr if isinstance(arr, AnyArray) else wrap(as_tensor(name, arr))))


def save(file: FileLike, arr: ArrayLike, allow_pickle: bool = True) -> None:
    """Write an array to a file in NumPy's ``.npy`` format.

    Parameters
    ----------
    file : file, str or path
        A name without the extension ``.npy`` gets it.
    arr : array_like
        Copied to the host if it lives elsewhere; its gradient is not written.
    allow_pickle : bool
        Whether objects may be pickled. Arrays of ours hold none.

    Returns
    -------
    None
        The file is written.

    Examples
    --------
    >>> import io, numpy_shim as np
    >>> file = io.BytesIO()
    >>> np.save(file, np.arange(3))
    >>> _ = file.seek(0)
    >>> np.load(file)
    array([0, 1, 2])
    """
    numpy.save(file, written("save", arr), allow_pickle=allow_pickle)


def savez(file: FileLike, *args: ArrayLike, allow_pickle: bool = True, **kwds: ArrayLike) -> None:
    """Write several arrays to an uncompressed ``.npz`` file.

    Parameters
    ----------
    file : file, str or path
        A name without the extension ``.npz`` gets it.
    *args : array_like
        Arrays that get the names ``arr_0``, ``arr_1``, …
    allow_pickle : bool
        As in ``save``.
    **kwds : array_like
        Arrays with their names.

    Returns
    -------
    None
        The file is written.

    Examples
    --------
    >>> import io, numpy_shim as np
    >>> file = io.BytesIO()
    >>> np.savez(file, np.arange(2), b=np.ones(2))
    >>> _ = file.seek(0)
    >>> np.load(file)["b"]
    array([1., 1.])
    """
    _savez("savez", file, args, allow_pickle, kwds)


def savez_compressed(
    file: FileLike, *args: ArrayLike, allow_pickle: bool = True, **kwds: ArrayLike
) -> None:
    """Write several arrays to a compressed ``.npz`` file.

    Parameters
    ----------
    file, *args, allow_pickle, **kwds
        As in ``savez``.

    Returns
    -------
    None
        The file is written.

    Examples
    --------
    >>> import io, numpy_shim as np
    >>> file = io.BytesIO()
    >>> np.savez_compressed(file, zeros=np.zeros(3))
    >>> _ = file.seek(0)
    >>> np.load(file)["zeros"]
    array([0., 0., 0.])
    """
    _savez("savez_compressed", file, args, allow_pickle, kwds)


def _savez(name: str, file: Any, args: Any, allow_pickle: bool, kwds: dict[str, Any]) -> None:
    named: dict[str, Any] = {key: written(name, a) for key, a in kwds.items()}
    if SAVEZ_TAKES_ALLOW_PICKLE:
        named["allow_pickle"] = allow_pickle
    getattr(numpy, name)(file, *[written(name, a) for a in args], **named)


class NpzFile(Mapping[str, ndarray]):
    """The arrays of an ``.npz`` file by name, each read when it is asked for.

    A context manager, which closes the file.
    """

    def __init__(self, source: numpy.lib.npyio.NpzFile) -> None:
        self._source = source
        self.files: list[str] = source.files

    def __getitem__(self, name: str) -> ndarray:
        array: ndarray = from_host(self._source[name])
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __enter__(self) -> NpzFile:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def __repr__(self) -> str:
        return repr(self._source)

    @property
    def fid(self) -> Any:
        """The file, if it was opened by ``load``; else ``None``."""
        return self._source.fid

    @property
    def zip(self) -> Any:
        """The file as a ``zipfile.ZipFile``; ``None`` once it is closed."""
        return self._source.zip

    @property
    def f(self) -> Any:
        """The arrays as attributes."""
        return _Attributes(self)


class _Attributes:
    """The arrays of a file, each an attribute that is read when it is asked for."""

    def __init__(self, arrays: NpzFile) -> None:
        self._arrays = arrays

    def __getattr__(self, name: str) -> ndarray:
        try:
            return self._arrays[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> list[str]:
        return list(self._arrays)


def load(
    file: FileLike,
    mmap_mode: Literal["r+", "r", "w+", "c"] | None = None,
    allow_pickle: bool = False,
    fix_imports: bool = True,
    encoding: str = "ASCII",
    *,
    max_header_size: int = 10000,
) -> Any:
    """Read a file that ``save``, ``savez`` or NumPy wrote.

    Parameters
    ----------
    file : file, str or path
        A ``.npy`` or ``.npz`` file.
    mmap_mode : {'r', 'r+', 'w+', 'c'}, optional
        Map the file instead of reading it: the result is NumPy's ``memmap``.
    allow_pickle : bool
        Whether to read pickled objects, which can run code; only for files that you trust.
    fix_imports, encoding, max_header_size
        As in NumPy.

    Returns
    -------
    ndarray or NpzFile
        On the default device. Values that torch cannot store are NumPy's own arrays.

    Examples
    --------
    >>> import io, numpy_shim as np
    >>> file = io.BytesIO()
    >>> np.save(file, [1.5, 2])
    >>> _ = file.seek(0)
    >>> np.load(file)
    array([1.5, 2. ])
    """
    if mmap_mode is not None and not may_hand():
        raise TypeError(f"load: mmap_mode={mmap_mode!r}, and tensors are in memory")
    read = numpy.load(
        file,
        mmap_mode,
        allow_pickle=allow_pickle,
        fix_imports=fix_imports,
        encoding=encoding,  # type: ignore[arg-type]
        max_header_size=max_header_size,
    )
    if isinstance(read, numpy.memmap):
        return read
    return NpzFile(read) if isinstance(read, numpy.lib.npyio.NpzFile) else read_values(read)


def read_values(values: object) -> Any:
    """Convert an array that NumPy read to one of ours, in native byte order."""
    if isinstance(values, (list, tuple)):
        return type(values)(read_values(v) for v in values)
    if isinstance(values, numpy.ndarray) and not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    return from_host(values)


def refuse_like(name: str, like: object) -> None:
    if like is not None and not isinstance(like, AnyArray):
        raise TypeError(f"{name}: like must be None or an ndarray, not {type(like).__name__}")


def fromfile(
    file: FileLike,
    dtype: DTypeLike = None,
    count: int = -1,
    sep: str = "",
    offset: int = 0,
    *,
    like: ArrayLike | None = None,
) -> ndarray:
    """Read numbers from a binary file, or with ``sep`` from a text file.

    Parameters
    ----------
    file : file, str or path
        A file on disk: its own position is used and moved.
    dtype : dtype, optional
        By default float64.
    count : int
        How many numbers; by default all.
    sep : str
        What stands between the numbers of a text file; empty for a binary file.
    offset : int
        The bytes to skip, in a binary file.
    like : ndarray, optional
        As in ``array``.

    Returns
    -------
    ndarray
        1-D, on the default device.

    Examples
    --------
    >>> import tempfile, numpy_shim as np
    >>> with tempfile.TemporaryFile() as file:
    ...     _ = file.write(bytes([1, 2]))
    ...     _ = file.seek(0)
    ...     np.fromfile(file, dtype=np.uint8)
    array([1, 2], dtype=uint8)
    """
    refuse_like("fromfile", like)
    values = numpy.fromfile(file, to_host(dtype or float), count, sep, offset)
    array: ndarray = read_values(values)
    return array
