"""``numpy.random.bit_generator``: the base classes of bit generators and seed sequences."""

from __future__ import annotations

from numpy.random.bit_generator import ISeedSequence, ISpawnableSeedSequence, SeedlessSeedSequence

from ._bit_generators import BitGenerator, SeedSequence

__all__ = [
    "BitGenerator", "ISeedSequence", "ISpawnableSeedSequence", "SeedSequence",
    "SeedlessSeedSequence",
]  # fmt: skip
