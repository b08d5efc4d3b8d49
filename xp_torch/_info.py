"""The chapter *Inspection*: the capabilities, devices and dtypes of the namespace."""

from __future__ import annotations

from typing import TypedDict

import torch

from . import _flags
from ._core import defaults, devices
from ._core.dtypes import BY_NAME, KINDS
from ._data_types import Device

__all__ = ["__array_namespace_info__"]

MAX_DIMENSIONS = 64
"""torch's reductions and indexing refuse more dimensions than this."""

Capabilities = TypedDict(
    "Capabilities",
    {"boolean indexing": bool, "data-dependent shapes": bool, "max dimensions": int | None},
    total=False,
)
DefaultDTypes = TypedDict(
    "DefaultDTypes",
    {
        "real floating": torch.dtype,
        "complex floating": torch.dtype,
        "integral": torch.dtype,
        "indexing": torch.dtype,
    },
)


class Info:
    """The result of ``__array_namespace_info__``, with the inspection functions as methods."""

    __slots__ = ()

    def capabilities(self) -> Capabilities:
        """The optional parts of the standard, and whether the namespace has them.

        Returns
        -------
        dict
            ``"boolean indexing"`` and ``"data-dependent shapes"``, which the flags set, and since
            version 2024.12 of the standard ``"max dimensions"``.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.__array_namespace_info__().capabilities()["boolean indexing"]
        True
        """
        capabilities: Capabilities = {
            "boolean indexing": _flags.boolean_indexing,
            "data-dependent shapes": _flags.data_dependent_shapes,
        }
        if _flags.api_version >= "2024.12":
            capabilities["max dimensions"] = MAX_DIMENSIONS
        return capabilities

    def default_device(self) -> torch.device:
        """The device of arrays made without ``device=``: torch's default device.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.__array_namespace_info__().default_device()
        device(type='cpu')
        """
        return devices.normalize_device("default_device", torch.get_default_device())

    def default_dtypes(self, *, device: Device | None = None) -> DefaultDTypes:
        """The default dtype of each kind.

        They are the same on every device, but on one without float64, such as Apple's MPS: there
        they are float32 and complex64.

        Parameters
        ----------
        device : torch.device or str, optional
            A device, by default the default device; ``ValueError`` for one that this machine does
            not have.

        Returns
        -------
        dict
            ``"real floating"``, ``"complex floating"``, ``"integral"`` and ``"indexing"``.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.__array_namespace_info__().default_dtypes()["indexing"]
        torch.int64
        """
        place = None if device is None else devices.normalize_device("default_dtypes", device)
        return {
            "real floating": defaults.float_dtype_on(place),
            "complex floating": defaults.complex_dtype_on(place),
            "integral": defaults.INT,
            "indexing": defaults.INT,
        }

    def devices(self) -> tuple[torch.device, ...]:
        """The devices of this machine: the CPU, and each one of the accelerator (CUDA, ROCm, MPS).

        Returns
        -------
        tuple of torch.device
            A list before version 2025.12 of the standard. The ``meta`` device, which holds
            no values, is accepted by every function but not listed.

        Examples
        --------
        >>> import torch
        >>> import xp_torch as xp
        >>> torch.device("cpu") in xp.__array_namespace_info__().devices()
        True
        """
        found = devices.present()
        return found if _flags.api_version < "2025.12" else tuple(found)  # type: ignore[return-value]

    def dtypes(
        self, *, device: Device | None = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, torch.dtype]:
        """The dtypes by name that a device can store.

        Parameters
        ----------
        device : torch.device or str, optional
            A device, by default the default device; ``ValueError`` for one that this machine does
            not have.
        kind : str or tuple of str, optional
            A kind of ``isdtype``, or several; by default all. ``ValueError`` for any other.

        Returns
        -------
        dict
            The names and dtypes of the kinds.

        Examples
        --------
        >>> import xp_torch as xp
        >>> xp.__array_namespace_info__().dtypes(kind="real floating")
        {'float32': torch.float32, 'float64': torch.float64}
        """
        place = torch.get_default_device() if device is None else device
        lacking = devices.lacking_dtypes(devices.normalize_device("dtypes", place))
        stored = {n: d for n, d in BY_NAME.items() if d not in lacking}
        if kind is None:
            return stored
        kinds = kind if isinstance(kind, tuple) else (kind,)
        for k in kinds:
            if not isinstance(k, str) or k not in KINDS:  # type: ignore[redundant-expr]
                names = ", ".join(map(repr, KINDS))
                raise ValueError(f"dtypes: kind must be one of {names}, or several, not {k!r}")
        return {n: d for n, d in stored.items() if any(d in KINDS[k] for k in kinds)}


def __array_namespace_info__() -> Info:  # noqa: N807
    """What the namespace can do, and on which devices.

    Returns
    -------
    Info
        An object with the methods ``capabilities``, ``default_device``, ``default_dtypes``,
        ``devices`` and ``dtypes``.

    Notes
    -----
    Source: the array API standard, *Inspection*.

    Examples
    --------
    >>> import xp_torch as xp
    >>> xp.__array_namespace_info__().dtypes(kind="bool")
    {'bool': torch.bool}
    """
    return Info()
