"""Business days and the text of dates: NumPy's functions, since torch has no storage for dates.

What they count comes back as arrays of ours.
"""

from __future__ import annotations

from numpy import busdaycalendar as busdaycalendar
from numpy import datetime_data as datetime_data

from .._convert.host_dtypes import numpys

__all__ = [
    "busday_count", "busday_offset", "busdaycalendar", "datetime_as_string", "datetime_data",
    "is_busday",
]  # fmt: skip

busday_count = numpys("busday_count")
busday_offset = numpys("busday_offset")
datetime_as_string = numpys("datetime_as_string")
is_busday = numpys("is_busday")
