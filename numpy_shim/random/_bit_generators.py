"""NumPy's bit generators and seed sequences, with our arrays as seeds and in their states."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.random import BitGenerator as BitGenerator
from numpy.random.bit_generator import ISeedSequence

from .._host import to_host
from .._ndarray import array_of
from .._nested import from_numpy


def _ours(state: Any) -> Any:
    """A state with arrays of ours; they stay on the host, as the generator does."""
    if isinstance(state, dict):
        return {key: _ours(value) for key, value in state.items()}
    if isinstance(state, numpy.ndarray):
        return array_of(from_numpy("state", state, "state"))
    return state


class SeedSequence(numpy.random.SeedSequence):
    """``numpy.random.SeedSequence`` that takes our arrays as entropy."""

    def __init__(
        self,
        entropy: Any = None,
        *,
        spawn_key: Any = (),
        pool_size: int = 4,
        n_children_spawned: int = 0,
    ) -> None:
        super().__init__(
            to_host(entropy),
            spawn_key=to_host(spawn_key),
            pool_size=pool_size,
            n_children_spawned=n_children_spawned,
        )


def _seed(seed: Any) -> Any:
    """A source of seeds, as NumPy makes it of a seed, but ours."""
    return seed if isinstance(seed, ISeedSequence) else SeedSequence(seed)


class _Ours:
    """What the classes below add to NumPy's."""

    def __init__(self, seed: Any = None) -> None:
        super().__init__(_seed(seed))  # type: ignore[call-arg]

    @property
    def state(self) -> Any:
        """The state, a dictionary; what is set is checked by NumPy."""
        return _ours(super().state)  # type: ignore[misc]

    @state.setter
    def state(self, value: Any) -> None:
        kind = type(self).__mro__[2]
        kind.state.__set__(self, to_host(value))  # type: ignore[attr-defined]


class MT19937(_Ours, numpy.random.MT19937):
    """``numpy.random.MT19937``; its seed and its state may hold arrays of ours."""


class PCG64(_Ours, numpy.random.PCG64):
    """``numpy.random.PCG64``; its seed and its state may hold arrays of ours."""


class PCG64DXSM(_Ours, numpy.random.PCG64DXSM):
    """``numpy.random.PCG64DXSM``; its seed and its state may hold arrays of ours."""


class SFC64(_Ours, numpy.random.SFC64):
    """``numpy.random.SFC64``; its seed and its state may hold arrays of ours."""


class Philox(_Ours, numpy.random.Philox):
    """``numpy.random.Philox``; seed, counter, key and state may hold arrays of ours."""

    def __init__(self, seed: Any = None, counter: Any = None, key: Any = None) -> None:
        if key is None or seed is not None:
            seed = _seed(seed)
        numpy.random.Philox.__init__(self, seed, to_host(counter), to_host(key))


for _kind in (SeedSequence, MT19937, PCG64, PCG64DXSM, SFC64, Philox):
    _kind.__module__ = "numpy_shim.random"
