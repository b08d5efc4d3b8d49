"""Business days and the text of dates: NumPy's functions, since torch has no storage for dates.

What they count comes back as arrays of ours.
"""

from __future__ import annotations

from numpy import busdaycalendar, datetime_data

from .._host.numpy_calls import expose

__all__ = [
    "busday_count", "busday_offset", "busdaycalendar", "datetime_as_string", "datetime_data",
    "is_busday",
]  # fmt: skip

_DAYS = """weekmask : str or array_like of bool
        Which days of a week are business days, Monday first, such as "1111100".
    holidays : array_like of dates, optional
        Days that are no business days.
    busdaycal : busdaycalendar, optional
        Both, instead of ``weekmask`` and ``holidays``."""

busday_count = expose("busday_count")
busday_count.__doc__ = f"""The number of business days from one date up to another.

    Parameters
    ----------
    begindates, enddates : array_like of dates
        The first dates, and those that are not counted any more.
    {_DAYS}
    out : ndarray of int64, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray or scalar
        int64, in the common shape; negative if the dates are in the other order.

    Raises
    ------
    ValueError
        For a text that is not a date, an unknown ``weekmask``, or shapes that do not broadcast.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.busday_count("2011-01", ["2011-02", "2011-03"])
    array([21, 41])
    """

busday_offset = expose("busday_offset")
busday_offset.__doc__ = f"""The dates that are some business days after others.

    Parameters
    ----------
    dates : array_like of dates
        Where to start.
    offsets : array_like of int
        How many business days to go.
    roll : str
        What to do with a date that is no business day: "raise", "nat", "forward" ("following"),
        "backward" ("preceding"), "modifiedfollowing" or "modifiedpreceding".
    {_DAYS}
    out : numpy.ndarray of datetime64, optional
        Where the result is written; it is returned.

    Returns
    -------
    numpy.ndarray or scalar
        datetime64 of days: NumPy's own, in the common shape.

    Raises
    ------
    ValueError
        For a text that is not a date, a date that is no business day (``roll="raise"``), and
        an unknown ``roll`` or ``weekmask``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.busday_offset("2011-10", 0, roll="forward")
    np.datetime64('2011-10-03')
    """

is_busday = expose("is_busday")
is_busday.__doc__ = f"""Which dates are business days.

    Parameters
    ----------
    dates : array_like of dates
        The dates.
    {_DAYS}
    out : ndarray of bool, optional
        Where the result is written; it is returned.

    Returns
    -------
    ndarray or scalar of bool
        In the shape of ``dates``.

    Raises
    ------
    ValueError
        For a text that is not a date, or an unknown ``weekmask``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.is_busday(["2011-07-01", "2011-07-02"])
    array([ True, False])
    """

datetime_as_string = expose("datetime_as_string")
datetime_as_string.__doc__ = """The text of dates (ISO 8601).

    Parameters
    ----------
    arr : array_like of datetime64
        The dates.
    unit : str, optional
        The smallest unit to print, such as "D" or "s"; "auto" omits zeros.
    timezone : {"naive", "UTC", "local"} or tzinfo
        The time zone to print.
    casting : str
        Which change of ``unit`` is allowed.

    Returns
    -------
    numpy.ndarray or scalar of str
        NumPy's own, in the shape of ``arr``.

    Raises
    ------
    TypeError
        For anything but datetime64, or an unknown unit.
    ValueError
        For an unknown ``timezone``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.datetime_as_string(np.datetime64("2011-07-01T12:30"), unit="D")
    np.str_('2011-07-01')
    """
