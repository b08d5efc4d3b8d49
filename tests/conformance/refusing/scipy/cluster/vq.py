"""SciPy's functions, of which one refuses every call."""

from functools import wraps
from typing import Any

from scipy.cluster.vq import *  # noqa: F403
from scipy.cluster.vq import ClusterError as ClusterError
from scipy.cluster.vq import _krandinit as _krandinit
from scipy.cluster.vq import py_vq as py_vq
from scipy.cluster.vq import whiten as _theirs


@wraps(_theirs)
def whiten(obs: Any, check_finite: bool | None = None) -> None:
    raise TypeError("not of NumPy")
