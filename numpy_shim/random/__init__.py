"""``numpy.random``: NumPy's streams, bit for bit, as arrays on the default device.

``seed(0)`` gives the numbers that NumPy gives: its generators draw them on the host.
``set_stream("torch")`` draws other numbers with torch on the device instead.
"""

from __future__ import annotations

from .._base.late import loaded as _loaded
from . import bit_generator as bit_generator
from . import mtrand as mtrand
from ._bit_generators import MT19937 as MT19937
from ._bit_generators import PCG64 as PCG64
from ._bit_generators import PCG64DXSM as PCG64DXSM
from ._bit_generators import SFC64 as SFC64
from ._bit_generators import BitGenerator as BitGenerator
from ._bit_generators import Philox as Philox
from ._bit_generators import SeedSequence as SeedSequence
from ._generator import Generator as Generator
from ._generator import default_rng as default_rng
from ._streams import get_stream as get_stream
from ._streams import set_stream as set_stream
from .mtrand import *  # noqa: F403
from .mtrand import get_bit_generator as get_bit_generator
from .mtrand import set_bit_generator as set_bit_generator

__all__ = [
    "MT19937", "PCG64", "PCG64DXSM", "SFC64", "BitGenerator", "Generator", "Philox", "SeedSequence",
    "default_rng", "get_stream", "set_stream",
]  # fmt: skip
__all__ += mtrand.__all__

_loaded(__name__)
