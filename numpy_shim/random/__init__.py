"""``numpy.random``: NumPy's streams, bit for bit, as arrays on the default device.

``seed(0)`` gives the numbers that NumPy gives: its generators draw them on the host.
``set_stream("torch")`` draws other numbers with torch on the device instead.
"""

from __future__ import annotations

from .._base.late import loaded as _loaded
from . import bit_generator as bit_generator
from . import mtrand as mtrand
from ._bit_generators import MT19937, PCG64, PCG64DXSM, SFC64, BitGenerator, Philox, SeedSequence
from ._generator import Generator, default_rng
from ._streams import get_stream, set_stream
from .mtrand import *  # noqa: F403
from .mtrand import get_bit_generator as get_bit_generator
from .mtrand import set_bit_generator as set_bit_generator

__all__ = [
    "MT19937", "PCG64", "PCG64DXSM", "SFC64", "BitGenerator", "Generator", "Philox", "SeedSequence",
    "default_rng", "get_stream", "set_stream",
]  # fmt: skip
__all__ += mtrand.__all__

_loaded(__name__)
