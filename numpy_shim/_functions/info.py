"""The array API standard's inspection functions, and a few small functions of NumPy."""

from __future__ import annotations

import sys
from typing import Any

import numpy
import torch

from xp_torch._core.devices import normalize_device, present

from .._array.ndarray import AnyArray, array_of, ndarray, new, wrap
from .._base import defaults
from .._base.dtypes import NUMPY, HostDtypeError, torch_dtype
from .._base.scalar_types import STORED
from .._base.typing import Device, DTypeLike
from .._convert.arguments import as_array, as_tensor
from .._host.numpy_calls import is_host
from .._kernels.casting import cast

__all__ = [
    "False_", "True_", "__array_api_version__", "__array_namespace_info__", "__version__",
    "astype", "isfortran", "iterable", "show_config", "show_runtime",
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


def _check_device(name: str, device: Any) -> None:
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
            Checked; every device has the same dtypes.

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
            Checked; every device has the same dtypes.
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
        _check_device("dtypes", device)
        kinds = tuple(_KINDS)[:5] if kind is None else kind if isinstance(kind, tuple) else (kind,)
        found: dict[str, Any] = {}
        for one in kinds:
            if one not in _KINDS:
                raise ValueError(f"dtypes: unsupported kind {one!r}; the kinds are {list(_KINDS)}")
            found |= {name: numpy.dtype(name) for name in _KINDS[one]}
        return found

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


def astype(x: ndarray, dtype: DTypeLike, /, *, copy: bool = True, device: Device = None) -> ndarray:
    """A copy of an array in another dtype; the array itself where ``copy=False`` allows.

    The array API standard defines it.

    Parameters
    ----------
    x : ndarray or scalar
        The array.
    dtype : dtype
        The dtype of the result.
    copy : bool
        Whether to copy an array that already has the dtype.
    device : torch.device or str, optional
        Where the result lives; by default where ``x`` does.

    Returns
    -------
    ndarray or scalar
        In the shape of ``x``.

    Raises
    ------
    TypeError
        For anything but an array or a scalar, or an unknown dtype.
    ValueError
        For an unknown device.

    Examples
    --------
    >>> import numpy_shim as np
    >>> np.astype(np.array([1.5, 2.5]), np.int32)
    array([1, 2], dtype=int32)
    """
    if type(x) is ndarray and device is None:
        try:
            wanted = torch_dtype("astype", dtype)
        except HostDtypeError:
            pass  # the general call hands it to NumPy
        else:
            t = x._tensor
            if t.dtype is not wanted:
                made = new(ndarray)
                made._tensor = cast(t, wanted)
                made._flat_dtype = x._flat_dtype and wanted
                return made
    return _general_astype(x, dtype, copy, device)


def _general_astype(x: Any, dtype: DTypeLike, copy: bool, device: Device) -> ndarray:
    """``astype`` of anything."""
    wanted = torch_dtype("astype", dtype)
    target = None if device is None else normalize_device("astype", device)
    if type(x) in STORED:
        return wrap(cast(as_tensor("astype", x, "x", target), wanted))
    if not isinstance(x, AnyArray):
        if not is_host(x) and not isinstance(x, (numpy.ndarray, torch.Tensor)):
            raise TypeError(f"Input should be a NumPy array or scalar. It is of type {type(x)}.")
        x = as_array("astype", x, "x")  # raises HostDtypeError for what torch cannot store
    tensor = x._tensor
    moved = target is not None and tensor.device != target
    if tensor.dtype is wanted and not moved:
        if not copy:
            return x  # type: ignore[no-any-return]
        result = tensor.clone()
    else:
        result = cast(tensor, wanted)
        if moved:
            result = result.to(target)
    return array_of(result) if type(x).__name__ == "ndarray" or tensor.dim() else wrap(result)


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

    Raises
    ------
    AttributeError
        For anything that is not an array.

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

    Raises
    ------
    AttributeError
        For another mode.

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
