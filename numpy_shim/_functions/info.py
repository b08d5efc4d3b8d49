"""The array API standard's inspection functions, and a few small functions of NumPy."""

from __future__ import annotations

import sys
from typing import Any

import numpy
import torch

from xp_torch._core.devices import lacking_dtypes, normalize_device, present

from .._array.ndarray import AnyArray, ndarray, wrap
from .._base import defaults
from .._base.dtypes import NUMPY, TORCH
from .._base.typing import Device
from .._convert.arguments import as_tensor

__all__ = [
    "False_", "True_", "__array_api_version__", "__array_namespace_info__", "__version__",
    "isfortran", "iterable", "show_config", "show_runtime",
]  # fmt: skip

__array_api_version__ = "2025.12"
__version__ = numpy.__version__
"""NumPy's: the version whose surface and rules are in force."""

True_ = wrap(torch.tensor(True, device="cpu"))
False_ = wrap(torch.tensor(False, device="cpu"))

_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = (*_KINDS["integral"], *_KINDS["real floating"], *_KINDS["complex floating"])


def _check_device(name: str, device: object) -> None:
    if device is not None:
        normalize_device(name, device)


class __array_namespace_info__:
    """What the namespace can do: the array API standard's inspection functions.

    Notes
    -----
    Source: the array API standard's ``__array_namespace_info__``.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.__array_namespace_info__().capabilities()["boolean indexing"]
    True
    """

    def capabilities(self) -> dict[str, bool | int]:
        """The optional behaviour that the namespace supports.

        Returns
        -------
        dict
            The standard's names and what holds for them.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.__array_namespace_info__().capabilities()["max dimensions"]
        64
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> torch.device:
        """The device of new arrays: torch's default device.

        Returns
        -------
        torch.device
            The device.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.__array_namespace_info__().default_device()
        device(type='cpu')
        """
        return torch.get_default_device()

    def default_dtypes(self, *, device: Device = None) -> dict[str, numpy.dtype[Any]]:
        """The dtypes of arrays created without ``dtype``, the same on every device.

        Parameters
        ----------
        device : torch.device or str, optional
            Checked. The defaults are NumPy's on every device; one without float64, such as Apple's
            MPS, refuses to make such arrays until ``set_default_dtype`` makes them float32.

        Returns
        -------
        dict
            The dtypes by kind: "real floating", "complex floating", "integral" and "indexing".

        Raises
        ------
        ValueError
            For something that is no device.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.__array_namespace_info__().default_dtypes()["integral"]
        dtype('int64')
        """
        _check_device("default_dtypes", device)
        return {
            "real floating": NUMPY[defaults.float_dtype()],
            "complex floating": NUMPY[defaults.complex_dtype()],
            "integral": NUMPY[defaults.INT],
            "indexing": NUMPY[defaults.INT],
        }

    def dtypes(
        self, *, device: Device = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, numpy.dtype[Any]]:
        """The standard's dtypes by name.

        Parameters
        ----------
        device : torch.device or str, optional
            A device, by default the default device. One without float64, such as Apple's MPS, has
            neither float64 nor complex128.
        kind : str or tuple of str, optional
            One or several of the standard's kinds; by default all.

        Returns
        -------
        dict
            The dtypes by name.

        Raises
        ------
        ValueError
            For an unknown kind, or something that is no device.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.__array_namespace_info__().dtypes(kind="bool")
        {'bool': dtype('bool')}
        """
        place = torch.get_default_device() if device is None else device
        lacking = lacking_dtypes(normalize_device("dtypes", place))
        kinds = tuple(_KINDS)[:5] if kind is None else kind if isinstance(kind, tuple) else (kind,)
        found: dict[str, Any] = {}
        for one in kinds:
            if one not in _KINDS:
                raise ValueError(f"dtypes: unsupported kind {one!r}; the kinds are {list(_KINDS)}")
            found |= {name: numpy.dtype(name) for name in _KINDS[one]}
        return {name: dtype for name, dtype in found.items() if TORCH[dtype] not in lacking}

    def devices(self) -> tuple[torch.device, ...]:
        """The devices of this machine.

        Returns
        -------
        tuple of torch.device
            The devices; the CPU is the first.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.__array_namespace_info__().devices()[0]
        device(type='cpu')
        """
        return tuple(present())


def isfortran(a: ndarray) -> bool:
    """Whether an array is laid out by columns and not by rows.

    Parameters
    ----------
    a : ndarray
        The array.

    Returns
    -------
    bool
        ``False`` also for an array that lies both ways, such as a 1-D one.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.isfortran(np.ones((2, 3)).T)
    True
    """
    if not isinstance(a, (AnyArray, torch.Tensor, numpy.ndarray, numpy.generic)):
        raise AttributeError(f"isfortran: a must be an array, not {type(a).__name__}")
    tensor = as_tensor("isfortran", a)
    return not tensor.is_contiguous() and tensor.permute(*range(tensor.dim())[::-1]).is_contiguous()


def iterable(y: object) -> bool:
    """Whether ``iter(y)`` works.

    Parameters
    ----------
    y : object
        Any object.

    Returns
    -------
    bool
        A Python bool; ``False`` for a 0-D array.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.iterable([1]), np.iterable(2)
    (True, False)
    """
    try:
        iter(y)  # type: ignore[call-overload]
    except TypeError:
        return False
    return True


def show_config(mode: str = "stdout") -> dict[str, Any] | None:
    """Print how torch was built; with ``mode="dicts"``, return it as a dictionary.

    Parameters
    ----------
    mode : {'stdout', 'dicts'}
        Whether to print or to return.

    Returns
    -------
    dict or None
        torch's own texts, by 'torch' and 'threads'; ``None`` if they are printed.

    Examples
    --------
    >>> import numpy_shim as np
    >>> sorted(np.show_config("dicts"))
    ['threads', 'torch']
    """
    if mode not in ("stdout", "dicts"):
        raise AttributeError(
            f"show_config: Invalid `mode`, use one of: stdout, dicts, not {mode!r}"
        )
    if mode == "dicts":
        return {"torch": torch.__config__.show(), "threads": torch.__config__.parallel_info()}
    print(torch.__config__.show())
    return None


def show_runtime() -> None:
    """Print the versions of Python, NumPy and torch, the devices and the threads in use.

    Returns
    -------
    None
        The lines are printed.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.show_runtime()
    python ...
    numpy ...
    torch ...
    devices cpu...threads
    """
    print(f"python {sys.version}\nnumpy {numpy.__version__}\ntorch {torch.__version__}")
    print(f"devices {', '.join(map(str, present()))}; {torch.get_num_threads()} threads")
