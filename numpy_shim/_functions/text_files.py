"""Files of text: NumPy's own readers and writers, with arrays of ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, SupportsIndex

import numpy

from .._array.ndarray import ndarray
from .._base.dtypes import HostDtypeError
from .._base.typing import ArrayLike, DTypeLike, FileLike
from .._convert.host import to_host
from .io import read_values, refuse_like, written

__all__ = ["fromregex", "genfromtxt", "loadtxt", "savetxt"]


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

    Examples
    --------
    >>> import io, numpy_shim as np
    >>> np.loadtxt(io.StringIO("1 2\\n3 4"))
    array([[1., 2.],
           [3., 4.]])
    """
    refuse_like("loadtxt", like)
    return read_values(numpy.loadtxt(  # type: ignore[call-overload, misc, no-any-return]
            fname, to_host(dtype), comments, delimiter, converters, skiprows, usecols, unpack,
            ndmin, encoding, max_rows, quotechar=quotechar,
        ),
    )  # fmt: skip


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

    Examples
    --------
    >>> import sys, numpy_shim as np
    >>> np.savetxt(sys.stdout, [[1, 2]], fmt="%d")
    1 2
    """
    numpy.savetxt(
        fname, written("savetxt", X), fmt, delimiter, newline, header, footer, comments, encoding
    )


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

    Examples
    --------
    >>> import io, numpy_shim as np
    >>> np.genfromtxt(io.StringIO("1,,3"), delimiter=",", filling_values=0)
    array([1., 0., 3.])
    """
    refuse_like("genfromtxt", like)
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

    Examples
    --------
    >>> import io, numpy_shim as np
    >>> np.fromregex(io.StringIO("a1 b2"), "([a-z])([0-9])", [("x", "U1"), ("n", int)])["n"]
    array([1, 2])
    """
    return read_values(numpy.fromregex(file, regexp, to_host(dtype), encoding))  # type: ignore[no-any-return]
