"""Settings: what is called to set something, and may be entered to set it for a while."""

from __future__ import annotations

from typing import Any, ClassVar


class Setting:
    """One process-wide value, in force from the call on or for the length of a ``with`` block."""

    _value: ClassVar[Any]

    def __init__(self, value: Any) -> None:
        self._before = type(self)._value
        self._set(value)

    @classmethod
    def _set(cls, value: Any) -> None:
        cls._value = value

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exception: object) -> None:
        self._set(self._before)
