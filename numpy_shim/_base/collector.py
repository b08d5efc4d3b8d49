"""Python's garbage collector during the import of the package."""

from __future__ import annotations

import gc


class CollectLater:
    """Turns the garbage collector off, until ``end`` or until the object itself is gone.

    The import makes so many objects that Python would search all of torch's for garbage, which
    takes longer than most of the import. An import that fails drops the object with the module, so
    the collector is on again. It stays off if it was off before.
    """

    def __init__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def end(self) -> None:
        """Turn the collector on again, if it was on.

        What was made meanwhile goes to the oldest generation, as if it had been searched: the first
        search of the youngest would take a tenth of the import. It stays as it is if the program
        has frozen objects, which would no longer be frozen.
        """
        if not self._was_on:
            return
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        gc.enable()

    __del__ = end
