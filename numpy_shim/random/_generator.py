"""``Generator`` and ``default_rng``."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import TYPE_CHECKING, Any, overload

import numpy
import torch

from .._array.ndarray import AnyArray, array_of, ndarray
from .._array.typing import OutArray
from .._base.axes import normalize_axis
from .._base.typing import ArrayLike, ShapeLike
from .._convert.host import from_host, to_host
from ._bit_generators import PCG64, SeedLike, bit_generator_of
from ._legacy import RandomState
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

_REFERENCE = numpy.random.Generator

if TYPE_CHECKING:
    from ._methods import GeneratorMethods
else:
    GeneratorMethods = _REFERENCE


class Generator(GeneratorMethods):
    """``numpy.random.Generator`` whose numbers are arrays of ours, on the default device.

    It is a subclass, so that SciPy and scikit-learn accept it. The stream is NumPy's, bit for bit,
    unless ``set_stream("torch")`` selects torch's, which is seeded from the bit generator.

    Parameters
    ----------
    bit_generator : BitGenerator
        The source of the random bits, such as ``PCG64(0)``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.random.default_rng(0).random(2)
    array([0.63696169, 0.26978671])
    """

    def __init__(self, bit_generator: numpy.random.BitGenerator) -> None:
        super().__init__(bit_generator)  # type: ignore[call-arg]
        self._source = _REFERENCE(bit_generator)
        self._torch: dict[torch.device, torch.Generator] = {}

    def _native_generator(self) -> torch.Generator:
        device = torch.get_default_device()
        if device not in self._torch:
            seed = int(self._source.integers(2**63 - 1))
            self._torch[device] = torch.Generator(device).manual_seed(seed)
        return self._torch[device]

    @property
    def bit_generator(self) -> numpy.random.BitGenerator:
        """NumPy's bit generator, which holds the state."""
        return self._source.bit_generator

    @property
    def _poisson_lam_max(self) -> float:
        return self._source._poisson_lam_max  # type: ignore[attr-defined, no-any-return]

    def __repr__(self) -> str:
        return f"{self} at 0x{id(self):X}"

    def __str__(self) -> str:
        return str(self._source)

    def __reduce__(self) -> Any:
        return _generator, (self._source.bit_generator,), None

    def spawn(self, n_children: int) -> list[Generator]:
        """Independent generators."""
        return [Generator(child.bit_generator) for child in self._source.spawn(n_children)]

    def bytes(self, length: int) -> bytes:
        """``length`` random bytes."""
        return self._source.bytes(length)

    @overload
    def choice(
        self,
        a: int,
        size: None = None,
        replace: bool = ...,
        p: ArrayLike | None = ...,
        axis: int = ...,
        shuffle: bool = ...,
    ) -> int: ...
    @overload
    def choice(
        self,
        a: ArrayLike,
        size: ShapeLike | None = ...,
        replace: bool = ...,
        p: ArrayLike | None = ...,
        axis: int = ...,
        shuffle: bool = ...,
    ) -> ndarray: ...
    def choice(
        self,
        a: ArrayLike,
        size: ShapeLike | None = None,
        replace: bool = True,
        p: ArrayLike | None = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> ndarray | int:
        """A random sample of ``a`` along an axis, or of ``arange(a)``; see NumPy's."""
        if is_native():
            return _NATIVE_CHOICE(self, a, size, replace, p, axis, shuffle)
        size, p = to_host(size), to_host(p)
        if is_population(a):
            count = int(a.shape[axis])
            indices = self._source.choice(count, size, replace, p, shuffle=shuffle)  # type: ignore[arg-type]
            return take_drawn("choice", a, indices, axis)
        return drawn(self._source.choice(to_host(a), size, replace, p, axis, shuffle))  # type: ignore[arg-type, no-any-return]

    def permutation(self, x: ArrayLike, axis: int = 0) -> ndarray:
        """A random permutation of ``x`` along an axis, or of ``arange(x)``."""
        if is_native():
            return _NATIVE_PERMUTATION(self, x, axis)
        if is_population(x):
            axis = normalize_axis("permutation", axis, len(x.shape))
            return take_drawn("permutation", x, self._source.permutation(int(x.shape[axis])), axis)
        return from_host(self._source.permutation(to_host(x), axis))  # type: ignore[no-any-return]

    def permuted(self, x: ArrayLike, *, axis: int | None = None, out: OutArray = None) -> ndarray:
        """An independent random permutation of each line of ``x`` along an axis; see NumPy's."""
        return _PERMUTED(self, x, axis=axis, out=out)

    def shuffle(self, x: ArrayLike | MutableSequence[object], axis: int = 0) -> None:
        """Reorder ``x`` along an axis in place."""
        if isinstance(x, torch.Tensor):
            x = array_of(x)
        if not isinstance(x, AnyArray) or not x.ndim:
            shuffle_sequence(self._source, x, axis)
            return
        axis = normalize_axis("shuffle", axis, x.ndim)
        if is_native():
            order = to_host(_NATIVE_PERMUTATION(self, int(x.shape[axis])))
        elif shuffled(self._source, x):
            return
        else:
            order = numpy.arange(int(x.shape[axis]))
            self._source.shuffle(order)
        reorder("shuffle", x, order, axis)


for _name in (*DISTRIBUTIONS, "integers", "multivariate_hypergeometric"):
    setattr(Generator, _name, drawing(_REFERENCE, _name))

_NATIVE_CHOICE: Callable[..., ndarray] = drawing(_REFERENCE, "choice")
_NATIVE_PERMUTATION: Callable[..., ndarray] = drawing(_REFERENCE, "permutation")
_PERMUTED: Callable[..., ndarray] = drawing(_REFERENCE, "permuted")

for _name in ("choice", "permutation", "permuted", "shuffle", "spawn", "bytes"):
    documented(getattr(Generator, _name), _REFERENCE, _name)


def _generator(bit_generator: object = "MT19937") -> Generator:
    """Create a generator for a pickle, from a bit generator or its name."""
    return Generator(bit_generator_of(bit_generator))


def default_rng(
    seed: SeedLike | Generator | RandomState | numpy.random.Generator = None,
) -> Generator:
    """A ``Generator`` over NumPy's default bit generator.

    Parameters
    ----------
    seed : int, sequence of int, SeedSequence, BitGenerator, Generator or RandomState, optional
        The seed of the stream; by default unpredictable. A generator of ours is returned
        unchanged.

    Returns
    -------
    Generator
        The generator.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.random.default_rng(0).integers(10, size=3)
    array([8, 6, 5])
    """
    if isinstance(seed, Generator):
        return seed
    source = seed._source if isinstance(seed, RandomState) else seed
    if isinstance(source, (numpy.random.BitGenerator, _REFERENCE, numpy.random.RandomState)):
        return Generator(numpy.random.default_rng(source).bit_generator)
    return Generator(PCG64(source))
