"""Worlds: find out on a laptop whether array code runs elsewhere.

A world is a namespace that forbids or changes one thing that some library or device does not have:
float64, writes to arrays, values that Python can read, a default device. Code under test that
relies on it gets an error whose note names the line and says what to write there.

>>> from conformance.worlds import world
>>> with world("immutable") as xp:  # doctest: +SKIP
...     my_library.function(xp.asarray([1.0, 2.0]))

`conformance.worlds.pytest_plugin` gives pytest the fixture `xp`. Importing this package imports
neither torch nor a namespace.
"""

from ._enter import portable, world
from ._table import WORLDS
from ._world import Unportable, World

__all__ = ["WORLDS", "Unportable", "World", "portable", "world"]
