"""The switch for dtypes that torch cannot store: NumPy's arrays, or an error."""

from __future__ import annotations

from torch.compiler import is_compiling

from xp_torch._core.context import here, make_context_local

from .settings import Setting

__all__ = ["set_host_dtypes"]

_mode = "numpy"
"""What is done about such dtypes where no context has another answer: ``"numpy"``, ``"error"``."""

_this = make_context_local(__name__, "_mode")


def may_hand() -> bool:
    """Whether this context gives calls to NumPy; never in a trace, which NumPy would leave."""
    return not is_compiling() and here(_this, "_mode") == "numpy"


class set_host_dtypes(Setting):
    """What becomes of dtypes that torch cannot store: strings, objects, dates and their like.

    Parameters
    ----------
    value : {'numpy', 'error'}
        ``'numpy'``, the default: such an array is a real ``numpy.ndarray`` on the host, and a call
        that is given one, or asks for one, is NumPy's. ``'error'``: such a call is a ``TypeError``.

    Raises
    ------
    ValueError
        For another value.

    Notes
    -----
    A call sets it for the current context (thread or asyncio task) alone. A new thread starts with
    ``'numpy'``, a new task with what the context that made it has. In a ``with`` statement the end
    of the block restores what was before. Arrays of numbers are never given to NumPy alone.

    Source: none of NumPy's, which stores these dtypes; ``numpy.ndarray`` is what it gives.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.array(["a", "b"])
    array(['a', 'b'], dtype='<U1')
    >>> with np.set_host_dtypes("error"):  # doctest: +ELLIPSIS
    ...     np.array(["a", "b"])
    Traceback (most recent call last):
    ...
    TypeError: array: object holds str: dtype str has no storage in torch; give numbers, ...
    """

    _module = _this
    _name = "_mode"

    def __init__(self, value: str) -> None:
        if value not in ("numpy", "error"):
            raise ValueError(f"set_host_dtypes: value must be 'numpy' or 'error', not {value!r}")
        super().__init__(value)
