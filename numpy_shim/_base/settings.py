"""Settings: call one to set a value, or use it in a ``with`` block to set the value temporarily.

A setting belongs to the context, as NumPy's ``seterr`` does: the thread, or the asyncio task,
that sets it. A task starts with the settings of the context that made it, a thread with the
defaults. Leaving a ``with`` block changes nothing for others.
"""

from __future__ import annotations

from typing import Any, ClassVar

from xp_torch._core.context import here


class Setting:
    """One value of the context, in force after the call, or inside a ``with`` block.

    The value is a global of a module; ``make_context_local`` has made it local to the context.
    """

    _module: ClassVar[Any]
    _name: ClassVar[str]

    def __init__(self, value: object) -> None:
        self._before = here(self._module, self._name)
        setattr(self._module, self._name, value)

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exception: object) -> None:
        setattr(self._module, self._name, self._before)
