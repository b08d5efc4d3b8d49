"""Element-wise kernels: the standard's results for every dtype, from torch's functions.

Each public name is a ``Kernel``. ``native`` lists the dtypes for which torch's function
alone gives the standard's result; where it does not, the general function says why.
"""

from __future__ import annotations

import torch

from .._core.dtypes import FLOATING, NATIVE_INTEGER
from .kernel import Kernel
from .unsigned import same_bits

_NUMERIC = NATIVE_INTEGER | FLOATING.dtypes

add = Kernel("add", torch.add, _NUMERIC, same_bits(torch.add), scalar=True)
