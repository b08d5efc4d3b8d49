"""Arrays spread over several processes, on ``torch.distributed``.

Every process runs the same program (SPMD) and holds a part of each distributed array. All
functions and methods take such arrays and give the results of NumPy. What becomes a Python value is
the value of the whole array, equal on every process. A plain array beside a distributed one counts
as one that every process has, so it must be the same on all of them.

Run a program on two processes with ``python -m numpy_shim --ranks 2 script.py``, or by
``torchrun``. Without either there is one process, and everything here works as well.

A call that moves values waits for the other processes: all of them must make it. Do not make such a
call, and do not print a distributed array, on one process only.
"""

from __future__ import annotations

from ._explanation import Explanation, explain
from ._files import load, save
from ._meshes import mesh
from ._parts import draw, from_parts
from ._placement import gather, local, placements, replicate, shard, to_dtensor

__all__ = [
    "Explanation",
    "draw",
    "explain",
    "from_parts",
    "gather",
    "load",
    "local",
    "mesh",
    "placements",
    "replicate",
    "save",
    "shard",
    "to_dtensor",
]
