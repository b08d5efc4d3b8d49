"""``RandomState`` and the functions of ``numpy.random``, which share NumPy's global state."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import TYPE_CHECKING, Any, overload

import numpy
import torch

from .._array.ndarray import AnyArray, array_of, ndarray
from .._base.typing import ArrayLike, ShapeLike
from .._convert.host import from_host, to_host
from ._bit_generators import MT19937, SeedLike, bit_generator_of, ours
from ._streams import is_native
from ._wrapped import (
    DISTRIBUTIONS,
    documented,
    drawing,
    drawn,
    is_population,
    reorder,
    shuffle_sequence,
    shuffled,
    take_drawn,
)

_REFERENCE = numpy.random.RandomState

if TYPE_CHECKING:
    from ._methods import RandomStateMethods
else:
    RandomStateMethods = _REFERENCE


class RandomState(RandomStateMethods):
    """``numpy.random.RandomState`` whose numbers are arrays of ours, on the default device.

    It is a subclass, so that SciPy and scikit-learn accept it. The stream is NumPy's, bit for bit,
    unless ``set_stream("torch")`` selects torch's.

    Parameters
    ----------
    seed : int, array_like of ints, BitGenerator or None
        The seed, or a bit generator; ``None`` takes entropy of the system.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.random.RandomState(0).rand(2)
    array([0.5488135 , 0.71518937])
    """

    _source: numpy.random.RandomState

    def __init__(self, seed: SeedLike = None) -> None:
        if not hasattr(seed, "capsule"):  # which a bit generator has
            given, seed = seed, MT19937()
            if given is not None:
                seed._legacy_seeding(to_host(given))
        super().__init__(seed)  # type: ignore[call-arg]
        self._source = _REFERENCE(seed)  # type: ignore[arg-type]

    def _native_generator(self) -> Any:
        """torch's generator of the default device, which can be traced."""

    @property
    def _bit_generator(self) -> Any:
        return self._source._bit_generator

    @property
    def _poisson_lam_max(self) -> float:
        return self._source._poisson_lam_max  # type: ignore[attr-defined, no-any-return]

    def __repr__(self) -> str:
        return f"{self} at 0x{id(self):X}"

    def __str__(self) -> str:
        return str(self._source)

    def __getstate__(self) -> Any:
        return self.get_state(legacy=False)

    def __setstate__(self, state: Any) -> None:
        self.set_state(state)

    def __reduce__(self) -> Any:
        return _random_state, (self._bit_generator,), self.get_state(legacy=False)

    def seed(self, seed: SeedLike = None) -> None:
        """Seed the stream again: NumPy's, or torch's if it is selected."""
        if is_native():
            if seed is None:
                torch.seed()
            else:
                torch.manual_seed(int(seed))  # type: ignore[arg-type]
        else:
            self._source.seed(to_host(seed))

    def get_state(self, legacy: bool = True) -> dict[str, Any] | tuple[Any, ...]:
        """The state of NumPy's stream."""
        return ours(self._source.get_state(legacy))  # type: ignore[call-overload, no-any-return]

    def set_state(self, state: dict[str, object] | tuple[object, ...]) -> None:
        """Continue from a state that ``get_state`` returned."""
        self._source.set_state(to_host(state))

    def bytes(self, length: int) -> bytes:
        """``length`` random bytes."""
        return self._source.bytes(length)

    @overload
    def choice(
        self, a: int, size: None = None, replace: bool = ..., p: ArrayLike | None = ...
    ) -> int: ...
    @overload
    def choice(
        self,
        a: ArrayLike,
        size: ShapeLike | None = ...,
        replace: bool = ...,
        p: ArrayLike | None = ...,
    ) -> ndarray: ...
    def choice(
        self,
        a: ArrayLike,
        size: ShapeLike | None = None,
        replace: bool = True,
        p: ArrayLike | None = None,
    ) -> ndarray | int:
        """A random sample of ``a``, or of ``arange(a)``; see NumPy's."""
        if is_native():
            return _NATIVE_CHOICE(self, a, size, replace, p)
        if is_population(a):
            if len(a.shape) != 1:
                raise ValueError("choice: a must be 1-dimensional")
            indices = self._source.choice(int(a.shape[0]), to_host(size), replace, to_host(p))
            return take_drawn("choice", a, indices, 0)
        return drawn(self._source.choice(to_host(a), to_host(size), replace, to_host(p)))  # type: ignore[no-any-return]

    def permutation(self, x: ArrayLike) -> ndarray:
        """A random permutation of ``x`` along its first axis, or of ``arange(x)``."""
        if is_native():
            return _NATIVE_PERMUTATION(self, x)
        if is_population(x):
            return take_drawn("permutation", x, self._source.permutation(int(x.shape[0])), 0)
        return from_host(self._source.permutation(to_host(x)))  # type: ignore[no-any-return]

    def shuffle(self, x: ArrayLike | MutableSequence[object]) -> None:
        """Reorder ``x`` along its first axis in place."""
        if isinstance(x, torch.Tensor):
            x = array_of(x)
        if not isinstance(x, AnyArray) or not x.ndim:
            shuffle_sequence(self._source, x)
            return
        if is_native():
            order = to_host(_NATIVE_PERMUTATION(self, int(x.shape[0])))
        elif shuffled(self._source, x):
            return
        else:
            order = numpy.arange(int(x.shape[0]))
            self._source.shuffle(order)
        reorder("shuffle", x, order)


for _name in (
    *DISTRIBUTIONS,
    "rand",
    "randint",
    "randn",
    "random_integers",
    "random_sample",
    "tomaxint",
):
    setattr(RandomState, _name, drawing(_REFERENCE, _name))

_NATIVE_CHOICE: Callable[..., ndarray] = drawing(_REFERENCE, "choice")
_NATIVE_PERMUTATION: Callable[..., ndarray] = drawing(_REFERENCE, "permutation")

for _name in ("choice", "permutation", "shuffle", "seed", "get_state", "set_state", "bytes"):
    documented(getattr(RandomState, _name), _REFERENCE, _name)


def _random_state(bit_generator: object = "MT19937") -> RandomState:
    """Create a ``RandomState`` for a pickle, from a bit generator or its name."""
    return RandomState(bit_generator_of(bit_generator))


global_state = RandomState(numpy.random.mtrand._rand._bit_generator)
"""The state that the functions of this module share with NumPy's."""

global_state._source = numpy.random.mtrand._rand
