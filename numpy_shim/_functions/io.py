"""Arrays in files and in text, in NumPy's formats: read and written by NumPy on the host.

Arrays that are read go to the default device. Pickled objects are refused
(``allow_pickle=False``), because a tensor cannot hold objects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, SupportsIndex

import numpy

from .._array.ndarray import AnyArray, ndarray, wrap
from .._convert.arguments import as_tensor
from .._convert.host import from_host, to_host
from .._convert.host_dtypes import hosted, is_host_target
from .._core.dtypes import HostDtypeError
from .._core.host_setting import may_hand
from .._core.release import SAVEZ_TAKES_ALLOW_PICKLE
from .._core.typing import ArrayLike, DTypeLike, FileLike

__all__ = [
    "fromfile", "fromregex", "genfromtxt", "load", "loadtxt", "save", "savetxt", "savez",
    "savez_compressed",
]  # fmt: skip


def written(name: str, arr: Any) -> numpy.ndarray[Any, Any]:
    """An array-like as a real NumPy array on the host."""
    if is_host_target(arr) and may_hand():
        host: numpy.ndarray[Any, Any] = arr
        return host
    return numpy.asarray(to_host(arr if isinstance(arr, AnyArray) else wrap(as_tensor(name, arr))))


@hosted
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

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        For nested sequences of different lengths, or objects with ``allow_pickle=False``.
    TypeError
        For a ``file`` that is neither a file nor a path.

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


@hosted
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

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        For a name such as ``arr_0`` that is given twice; others as in ``save``.
    TypeError
        For a ``file`` that is neither a file nor a path.

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


@hosted
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

    Raises
    ------
    OSError, ValueError, TypeError
        As in ``savez``.

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


@hosted
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

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        For pickled objects without ``allow_pickle``, or a file of another format.
    EOFError
        For an empty file.

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


def read_values(values: Any) -> Any:
    """Convert an array that NumPy read to one of ours, in native byte order."""
    if isinstance(values, (list, tuple)):
        return type(values)(read_values(v) for v in values)
    if isinstance(values, numpy.ndarray) and not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    return from_host(values)


@hosted
def loadtxt(
    fname: FileLike | Iterable[str] | Iterable[bytes],
    dtype: DTypeLike = float,
    comments: str | Sequence[str] | None = "#",
    delimiter: str | None = None,
    converters: dict[int, Callable[[str], object]] | Callable[[str], object] | None = None,
    skiprows: int = 0,
    usecols: SupportsIndex | Sequence[SupportsIndex] | None = None,
    unpack: bool = False,
    ndmin: int = 0,
    encoding: str | None = None,
    max_rows: int | None = None,
    *,
    quotechar: str | None = None,
    like: ArrayLike | None = None,
) -> ndarray:
    """Read numbers from text, a row per line.

    Parameters
    ----------
    fname : file, str, path or iterable of lines
        The text; a name that ends in ``.gz``, ``.bz2`` or ``.xz`` is decompressed.
    dtype : dtype
        The dtype.
    comments, delimiter, quotechar : str, optional
        What begins a comment, stands between values, and stands around a value.
    converters : callable or dict of callables, optional
        What makes a number of the text of a column.
    skiprows, max_rows, usecols : optional
        The lines to leave out first, the most to read, and the columns.
    unpack, ndmin : optional
        Whether to transpose the result, and its fewest axes.
    encoding : str, optional
        The encoding of the file.
    like : ndarray, optional
        As in ``array``.

    Returns
    -------
    ndarray
        2-D, of the shape of the text; without its axes of size 1.

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        For text that is not a number, rows of different lengths, a column that is not there, or
        an ``ndmin`` above 2.
    TypeError
        For an unknown dtype, or a ``delimiter`` of several characters.

    Examples
    --------
    >>> import io, numpy_shim as np
    >>> np.loadtxt(io.StringIO("1 2\\n3 4"))
    array([[1., 2.],
           [3., 4.]])
    """
    _refuse_like("loadtxt", like)
    return read_values(numpy.loadtxt(  # type: ignore[call-overload, misc, no-any-return]
            fname, to_host(dtype), comments, delimiter, converters, skiprows, usecols, unpack,
            ndmin, encoding, max_rows, quotechar=quotechar,
        ),
    )  # fmt: skip


def _refuse_like(name: str, like: Any) -> None:
    if like is not None and not isinstance(like, AnyArray):
        raise TypeError(f"{name}: like must be None or an ndarray, not {type(like).__name__}")


@hosted
def savetxt(
    fname: FileLike,
    X: ArrayLike,
    fmt: str | Sequence[str] = "%.18e",
    delimiter: str = " ",
    newline: str = "\n",
    header: str = "",
    footer: str = "",
    comments: str = "# ",
    encoding: str | None = None,
) -> None:
    """Write a 1-D or 2-D array as text, a row per line.

    Parameters
    ----------
    fname : file, str or path
        A name that ends in ``.gz`` is compressed.
    X : array_like
        Copied to the host if it lives elsewhere.
    fmt : str or sequence of str
        The format of a number, of a whole row, or of each column.
    delimiter, newline : str
        What stands between numbers, and after a row.
    header, footer, comments : str
        Text before and after the rows, and what its lines begin with.
    encoding : str, optional
        The encoding of the file.

    Returns
    -------
    None
        The file is written.

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        For an array of no axes or more than two, or a ``fmt`` of another number of formats.
    AttributeError
        For a sequence of formats that are not one for each column.
    TypeError
        For values that do not fit their format, such as text.

    Examples
    --------
    >>> import sys, numpy_shim as np
    >>> np.savetxt(sys.stdout, [[1, 2]], fmt="%d")
    1 2
    """
    numpy.savetxt(
        fname, written("savetxt", X), fmt, delimiter, newline, header, footer, comments, encoding
    )


@hosted
def genfromtxt(
    fname: FileLike | Iterable[str] | Iterable[bytes],
    dtype: DTypeLike = float,
    comments: str = "#",
    delimiter: str | int | Iterable[int] | None = None,
    skip_header: int = 0,
    skip_footer: int = 0,
    converters: dict[int, Callable[[str], object]]
    | dict[str, Callable[[str], object]]
    | None = None,
    missing_values: object = None,
    filling_values: object = None,
    usecols: Sequence[int | str] | int | None = None,
    names: Literal[True] | str | Sequence[str] | None = None,
    excludelist: Sequence[str] | None = None,
    deletechars: str | Iterable[str] = " !#$%&'()*+,-./:;<=>?@[\\]^{|}~",
    replace_space: str = "_",
    autostrip: bool = False,
    case_sensitive: bool | Literal["upper", "lower"] = True,
    defaultfmt: str = "f%i",
    unpack: bool | None = None,
    usemask: bool = False,
    loose: bool = True,
    invalid_raise: bool = True,
    max_rows: int | None = None,
    encoding: str | None = None,
    *,
    ndmin: int = 0,
    like: ArrayLike | None = None,
) -> ndarray:
    """Read numbers from text with missing values.

    Named columns and masked arrays, which torch cannot store, are NumPy's own arrays.

    Parameters
    ----------
    fname : file, str, path or iterable of lines
        The text; a name that ends in ``.gz``, ``.bz2`` or ``.xz`` is decompressed.
    dtype : dtype
        The dtype; ``None`` finds one for each column.
    comments, delimiter, autostrip : optional
        What begins a comment, what stands between values or their widths, and whether to strip
        white space from values.
    skip_header, skip_footer, max_rows, usecols : optional
        The lines to leave out first and last, the most to read, and the columns.
    converters : dict of callables, optional
        What makes a number of the text of a column.
    missing_values, filling_values : optional
        The texts that stand for a missing value, and the values to put there, by default NaN.
    names, excludelist, deletechars, replace_space, case_sensitive, defaultfmt : optional
        The names of the columns, and how to change them; as in NumPy.
    unpack, ndmin, usemask : optional
        Whether to transpose the result, its fewest axes, and whether to mask missing values.
    loose, invalid_raise : bool
        Whether text that is not a number is a missing value, and whether a row of another length
        is an error; otherwise it is left out with a warning.
    encoding : str, optional
        The encoding of the file.
    like : ndarray, optional
        As in ``array``.

    Returns
    -------
    ndarray
        2-D, of the shape of the text; without its axes of size 1.

    Raises
    ------
    OSError
        For a file that cannot be opened.
    ValueError
        For rows of different lengths, text that is not a number with ``loose=False``, a
        ``max_rows`` below 1 or together with ``skip_footer``, or an ``ndmin`` above 2.
    TypeError
        For an ``fname`` that is neither a file, a path nor lines.

    Examples
    --------
    >>> import io, numpy_shim as np
    >>> np.genfromtxt(io.StringIO("1,,3"), delimiter=",", filling_values=0)
    array([1., 0., 3.])
    """
    _refuse_like("genfromtxt", like)
    if usemask:
        raise HostDtypeError("genfromtxt: usemask=True needs masked arrays")
    if names is not None:
        raise HostDtypeError("genfromtxt: names need structured arrays")
    read = numpy.genfromtxt(  # type: ignore[call-overload, misc]
        fname, to_host(dtype), comments, delimiter, skip_header, skip_footer, converters,
        missing_values, filling_values, usecols, names, excludelist, deletechars, replace_space,
        autostrip, case_sensitive, defaultfmt, unpack, usemask, loose, invalid_raise, max_rows,
        encoding, ndmin=ndmin,
    )  # fmt: skip
    return read_values(read)  # type: ignore[no-any-return]


@hosted
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

    Raises
    ------
    OSError
        For a file that cannot be opened, or is only in memory.
    TypeError
        For an ``offset`` in a text file, or an unknown dtype.

    Examples
    --------
    >>> import tempfile, numpy_shim as np
    >>> with tempfile.TemporaryFile() as file:
    ...     _ = file.write(bytes([1, 2]))
    ...     _ = file.seek(0)
    ...     np.fromfile(file, dtype=np.uint8)
    array([1, 2], dtype=uint8)
    """
    _refuse_like("fromfile", like)
    values = numpy.fromfile(file, to_host(dtype or float), count, sep, offset)
    array: ndarray = read_values(values)
    return array


@hosted
def fromregex(
    file: FileLike,
    regexp: str | bytes | re.Pattern[str] | re.Pattern[bytes],
    dtype: DTypeLike,
    encoding: str | None = None,
) -> ndarray:
    """Read the text that the groups of a regular expression match, as the fields of a dtype.

    Parameters
    ----------
    file : file, str or path
        The text.
    regexp : str, bytes or compiled expression
        One group for each field.
    dtype : structured dtype
        The names and dtypes of the fields.
    encoding : str, optional
        The encoding of the file.

    Returns
    -------
    numpy.ndarray
        1-D, NumPy's own: torch cannot store structured dtypes.

    Raises
    ------
    OSError
        For a file that cannot be opened.
    TypeError
        For a dtype that is not structured.
    ValueError
        For text that is not a number.

    Examples
    --------
    >>> import io, numpy_shim as np
    >>> np.fromregex(io.StringIO("a1 b2"), "([a-z])([0-9])", [("x", "U1"), ("n", int)])["n"]
    array([1, 2])
    """
    return read_values(numpy.fromregex(file, regexp, to_host(dtype), encoding))  # type: ignore[no-any-return]
