"""``scipy.cluster`` where the arrays are: SciPy's own Python code, over kernels of ours."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ..._host.frames import pass_over
from .._standing import OnTheHostError
from .._text import functions

SCIPYS = {"hierarchy": "it joins cluster after cluster, SciPy's code in C"}
"""The modules that are SciPy's own in this chapter, with what is said of their functions."""

ON_THE_HOST = {"kmeans2": "it may draw its first centres, and then goes on from them"}
"""The public functions that SciPy computes on a copy on the host, with the reason."""

FUNCTIONS: dict[str, Any] = {}
VQ = functions(__name__, ON_THE_HOST, ".vq")


def _from_centres(text: Callable[..., Any]) -> Callable[..., Any]:
    """``kmeans``, which raises at once where it is to draw its first centres."""

    @wraps(text)
    @pass_over
    def kmeans(obs: Any, k_or_guess: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(k_or_guess, "ndim", 0) == 0 and not isinstance(k_or_guess, (list, tuple)):
            raise OnTheHostError("it draws its first centres")
        return text(obs, k_or_guess, *args, **kwargs)

    return kmeans


VQ["kmeans"] = _from_centres(VQ["kmeans"])
