"""NumPy's bit generators and seed sequences; they accept our arrays as seeds and states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy
from numpy.random import BitGenerator as BitGenerator
from numpy.random.bit_generator import ISeedSequence, ISpawnableSeedSequence, SeedlessSeedSequence

from .._array.ndarray import array_of, ndarray
from .._base.typing import ArrayLike, ShapeLike
from .._convert.foreign import from_numpy
from .._convert.host import from_host, to_host

SeedLike: TypeAlias = ArrayLike | ISeedSequence | BitGenerator | numpy.random.RandomState | None
"""A seed: an integer or several, a seed sequence, or a bit generator."""


def ours(state: Any) -> Any:
    """A state with arrays of ours; they stay on the host, like the generator."""
    if isinstance(state, dict):
        return {key: ours(value) for key, value in state.items()}
    if isinstance(state, tuple):
        return tuple([ours(value) for value in state])
    if isinstance(state, numpy.ndarray):
        return array_of(from_numpy("state", state, "state"))
    return state


shared_entropy: list[Iterator[int]] = []
"""Where the entropy of unseeded generators comes from, if several processes must draw alike."""


class SeedSequence(numpy.random.SeedSequence):
    """``numpy.random.SeedSequence`` that accepts our arrays as entropy.

    Parameters
    ----------
    entropy : int or array_like of ints, optional
        The entropy; by default that of the system.
    spawn_key : array_like of ints
        What tells this sequence from others of the same entropy.
    pool_size : int
        How many words of 32 bits the entropy is mixed in, at least 4.
    n_children_spawned : int
        How many children have been spawned already.

    Raises
    ------
    TypeError
        For entropy that is not of integers, and for a ``spawn_key`` that is not a sequence.
    ValueError
        For a negative integer, and for a ``pool_size`` below 4.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.random.SeedSequence(1).generate_state(2)
    array([1835504127, 1731038949], dtype=uint32)
    """

    def __init__(
        self,
        entropy: ArrayLike | None = None,
        *,
        spawn_key: ArrayLike = (),
        pool_size: int = 4,
        n_children_spawned: int = 0,
    ) -> None:
        if entropy is None and shared_entropy:
            entropy = next(shared_entropy[0])
        super().__init__(
            to_host(entropy),
            spawn_key=to_host(spawn_key),
            pool_size=pool_size,
            n_children_spawned=n_children_spawned,
        )


class _Given(ISeedSequence):
    """A seed sequence written by a user; its seeds may be arrays of ours."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def generate_state(self, n_words: int, dtype: Any = numpy.uint32) -> Any:
        """The state from the user's seed sequence, converted for NumPy."""
        return to_host(self.source.generate_state(n_words, dtype))


class _GivenSpawnable(_Given, ISpawnableSeedSequence):
    """A seed sequence written by a user that can be spawned from."""

    def spawn(self, n_children: int) -> Any:
        """The children that the user's class creates."""
        return self.source.spawn(n_children)


def _seed(seed: Any) -> Any:
    """Convert a seed to a seed sequence, as NumPy does, but to our class."""
    if isinstance(seed, (numpy.random.SeedSequence, SeedlessSeedSequence)):
        return seed
    if isinstance(seed, ISpawnableSeedSequence):
        return _GivenSpawnable(seed)
    return _Given(seed) if isinstance(seed, ISeedSequence) else SeedSequence(seed)


class _Ours:
    """Methods that the classes below add to NumPy's bit generators."""

    def __init__(self, seed: SeedLike = None) -> None:
        super().__init__(_seed(seed))  # type: ignore[call-arg]

    @property
    def seed_seq(self) -> ISeedSequence:
        """The seed sequence of the bit generator."""
        found = super().seed_seq  # type: ignore[misc]
        return found.source if isinstance(found, _Given) else found  # type: ignore[no-any-return]

    def random_raw(
        self, size: ShapeLike | None = None, output: bool = True
    ) -> ndarray | int | None:
        """The bits, as integers of the generator's width; see NumPy's."""
        return from_host(super().random_raw(to_host(size), output))  # type: ignore[misc, no-any-return]

    @property
    def state(self) -> dict[str, Any]:
        """The state as a dictionary; NumPy checks a new state."""
        return ours(super().state)  # type: ignore[misc, no-any-return]

    @state.setter
    def state(self, value: Any) -> None:
        kind = type(self).__mro__[2]
        kind.state.__set__(self, to_host(value))  # type: ignore[attr-defined]


_DOC = """``numpy.random.{name}``; its seed and its state may hold arrays of ours.

    Parameters
    ----------
    seed : int, array_like of ints, SeedSequence or None
        The seed; ``None`` takes entropy of the system.

    Raises
    ------
    TypeError
        For a seed that is not of integers.
    ValueError
        For a negative seed.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.random.{name}(0).random_raw(2)
    {raw}
    """


class MT19937(_Ours, numpy.random.MT19937):  # type: ignore[misc]
    __doc__ = _DOC.format(name="MT19937", raw="array([2058676884, 2606108953], dtype=uint64)")


class PCG64(_Ours, numpy.random.PCG64):  # type: ignore[misc]
    __doc__ = _DOC.format(
        name="PCG64", raw="array([11749869230777074271,  4976686463289251617], dtype=uint64)"
    )


class PCG64DXSM(_Ours, numpy.random.PCG64DXSM):  # type: ignore[misc]
    __doc__ = _DOC.format(
        name="PCG64DXSM", raw="array([15672045205194312304, 10230625629676741203], dtype=uint64)"
    )


class SFC64(_Ours, numpy.random.SFC64):  # type: ignore[misc]
    __doc__ = _DOC.format(
        name="SFC64", raw="array([10490465040999277362,  4331856608414834465], dtype=uint64)"
    )


class Philox(_Ours, numpy.random.Philox):  # type: ignore[misc]
    """``numpy.random.Philox``; seed, counter, key and state may hold arrays of ours.

    Parameters
    ----------
    seed : int, array_like of ints, SeedSequence or None
        The seed; ``None`` takes entropy of the system.
    counter : int or array_like of ints, optional
        Where the stream starts, below 2**256; by default 0.
    key : int or array_like of ints, optional
        The key of the stream, below 2**128, in place of a seed.

    Raises
    ------
    TypeError
        For a seed that is not of integers.
    ValueError
        For a negative seed, for a seed and a key together, and for a counter or key out of range.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.random.Philox(0).random_raw(2)
    array([ 259491006799949737, 4754966410622352325], dtype=uint64)
    """

    def __init__(
        self, seed: SeedLike = None, counter: ArrayLike | None = None, key: ArrayLike | None = None
    ) -> None:
        if key is None or seed is not None:
            seed = _seed(seed)
        numpy.random.Philox.__init__(self, seed, to_host(counter), to_host(key))  # type: ignore[arg-type]


BIT_GENERATORS: dict[str, Any] = {
    kind.__name__: kind for kind in (MT19937, PCG64, PCG64DXSM, SFC64, Philox)
}
"""The bit generators by name, for old pickles."""


def bit_generator_of(given: Any) -> Any:
    """The bit generator itself, or a new one by name."""
    return BIT_GENERATORS[given]() if isinstance(given, str) else given


for _kind in (SeedSequence, *BIT_GENERATORS.values()):
    _kind.__module__ = "numpy_shim.random"
    if "__init__" in vars(_kind):
        _kind.__init__.__module__ = "numpy_shim.random"
