"""Enter a world, and run functions in it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from ._bound import unbound
from ._frames import TestCode, block_of
from ._refusals import note
from ._table import find
from ._world import World


@dataclass(frozen=True)
class Entered:
    """A world in force, and its namespace."""

    world: World
    namespace: Any


_entered: ContextVar[Entered | None] = ContextVar("conformance.worlds", default=None)


def world(name: str) -> Any:
    """A context manager that enters a world and gives its namespace.

    Parameters
    ----------
    name : str
        A world's name: `python -m conformance worlds` lists them.

    Returns
    -------
    context manager
        Its value is the namespace. The function or module that enters it may read the values of
        arrays inside the block; what it calls may not, where the world refuses that.

    Raises
    ------
    ValueError
        For an unknown name.
    ModuleNotFoundError
        For a world of a library that is not installed.

    Notes
    -----
    An exception keeps its type. It leaves the block with a note that names the line under test,
    the call, and what to write instead.

    Examples
    --------
    >>> from conformance.worlds import world
    >>> with world("no shapes from values") as xp:
    ...     xp.unique_values(xp.asarray([2, 1, 2]))  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
        ...
    RuntimeError: unique_values: the shape of the result depends on the values, ...
    """
    return enter(find(name), block_of(sys._getframe(1).f_code))


@contextmanager
def enter(found: World, test: TestCode) -> Iterator[Any]:
    """Enter a world. Frames that `test` tells from the library's may read values."""
    if not found.installed:
        raise ModuleNotFoundError(f"the world {found.name!r} needs {found.needs}", name=found.needs)
    with found.make(test) as namespace:
        token = _entered.set(Entered(found, namespace))
        try:
            yield namespace
        except Exception as error:
            note(found, error)
            raise
        finally:
            _entered.reset(token)


def portable(function: Callable[..., Any], **options: object) -> Callable[..., Any]:
    """The function under test, called as the world in force requires.

    Parameters
    ----------
    function : callable
        A function of arrays.
    **options
        `gradcheck=True`: in the world `gradient`, compare the gradient with finite differences.
        `rtol=`: the relative tolerance of comparisons.

    Returns
    -------
    callable
        Takes the function's arguments and returns its result. In most worlds it only calls it. In
        `compiled` it compiles it and compares; in `scalars`, `mixed kinds`, `zero-size` and
        `foreign` it calls it again with other arguments.

    Raises
    ------
    Unportable
        By the call, if the result is not what it must be in this world.
    RuntimeError
        By the call, outside of a world.

    Examples
    --------
    >>> from conformance.worlds import portable, world
    >>> def double(x):
    ...     return x + x
    >>> with world("compiled") as xp:
    ...     float(portable(double)(xp.asarray(2.0)))
    4.0
    """
    unknown = options.keys() - {"gradcheck", "rtol"}
    if unknown:
        raise TypeError(f"portable: unknown options {', '.join(sorted(unknown))}")

    @functools.wraps(function)
    def call(*args: object, **kwargs: object) -> Any:
        here = _entered.get()
        if here is None:
            raise RuntimeError(f"portable: {function.__name__} is called outside of a world")
        args = tuple(unbound(a) for a in args)
        kwargs = {name: unbound(a) for name, a in kwargs.items()}
        if here.world.check is None:
            return function(*args, **kwargs)
        return here.world.check(function, args, kwargs, here.namespace, **options)

    return call
