"""``numpy.random.bit_generator``: the base classes of bit generators and seed sequences."""

from __future__ import annotations

from numpy.random.bit_generator import ISeedSequence as ISeedSequence
from numpy.random.bit_generator import ISpawnableSeedSequence as ISpawnableSeedSequence
from numpy.random.bit_generator import SeedlessSeedSequence as SeedlessSeedSequence

from ._bit_generators import BitGenerator as BitGenerator
from ._bit_generators import SeedSequence as SeedSequence

__all__ = [
    "BitGenerator", "ISeedSequence", "ISpawnableSeedSequence", "SeedSequence",
    "SeedlessSeedSequence",
]  # fmt: skip
