"""Functions that refuse every call."""

from scipy.cluster.vq import *  # noqa: F403
from scipy.cluster.vq import ClusterError as ClusterError
from scipy.cluster.vq import _krandinit as _krandinit
from scipy.cluster.vq import py_vq as py_vq


def whiten(obs: object, check_finite: bool | None = None) -> None:
    raise TypeError(f"not of NumPy: {type(obs)}")
