"""The selected source of random numbers: NumPy's generators, or torch's on the device."""

from __future__ import annotations

from xp_torch._core.context import make_context_local

from .._base.settings import Setting

_stream = "numpy"
"""The stream where no context has another, else ``MIXED``."""

_this = make_context_local(__name__, "_stream")


class set_stream(Setting):
    """Draw random numbers from NumPy's generators (the default) or from torch's.

    Parameters
    ----------
    stream : {"numpy", "torch"}
        With "numpy" a seed gives the same numbers as in NumPy: they are drawn on the host and
        moved to the default device. With "torch" they are drawn on the device, which is faster
        there, and ``torch.compile`` can trace the function. The numbers differ from NumPy's, and
        some distributions are not supported (``NotImplementedError``).

    Raises
    ------
    ValueError
        For an unknown name.

    Notes
    -----
    A call sets the stream for the current context (thread or asyncio task) alone. A new thread
    starts with "numpy". A new task inherits the stream of the context that created it.

    Source: none of NumPy's; ``numpy.random`` and ``torch.Generator`` have the two streams.

    Examples
    --------
    In force from the call on; as a context manager, until its end:

    >>> import numpy_shim as np
    >>> with np.random.set_stream("torch"):
    ...     np.random.get_stream()
    'torch'
    >>> np.random.get_stream()
    'numpy'
    """

    _module = _this
    _name = "_stream"

    def __init__(self, stream: str) -> None:
        if stream not in ("numpy", "torch"):
            raise ValueError(f"set_stream: stream must be 'numpy' or 'torch', not {stream!r}")
        super().__init__(stream)


def is_native() -> bool:
    """Whether torch draws the numbers in this context."""
    return bool((_stream or _this.here__stream) == "torch")


def get_stream() -> str:
    """Where this context's random numbers come from.

    Returns
    -------
    str
        ``"numpy"`` or ``"torch"``; ``set_stream`` sets it.

    Notes
    -----
    Source: none of NumPy's; its name and values belong to ``set_stream``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.random.get_stream()
    'numpy'
    """
    stream: str = _stream or _this.here__stream
    return stream
