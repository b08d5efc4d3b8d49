"""Any array library as a torch device: a PyTorch backend written in Python.

>>> import xp_backend.npy  # doctest: +SKIP
>>> (torch.ones(3, device="npy") + 1).cpu()  # doctest: +SKIP
tensor([2., 2., 2.])
"""

from ._array_api import from_array_api
from ._environment import BackendEnvironment
from ._errors import BackendError, MissingOperatorError
from ._report import Report, Transfer
from ._tensor import BackendTensor

__all__ = [
    "BackendEnvironment",
    "BackendError",
    "BackendTensor",
    "MissingOperatorError",
    "Report",
    "Transfer",
    "from_array_api",
]
