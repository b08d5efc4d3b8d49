"""``from_array_api``: any library that follows the array API standard as a torch device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import torch
from torch import Tensor
from torch.utils.dlpack import from_dlpack

from .._blobs import bits_of
from .._environment import BackendEnvironment
from .._operators import aten
from . import (
    _beyond,
    _creation,
    _elementwise,
    _fft,
    _indexing,
    _linalg,
    _manipulation,
    _reductions,
    _sorting,
)
from ._library import Library, Table

CHAPTERS = (
    _elementwise, _reductions, _creation, _manipulation, _indexing, _sorting, _linalg, _fft,
    _beyond,
)  # fmt: skip


def table_of(xp: Any, complex_of: Callable[[Any, Any], Any] | None = None) -> tuple[Library, Table]:
    """The operators of core ATen, written with the functions of a namespace."""
    library = Library(xp, complex_of)
    found: Table = {}
    for chapter in CHAPTERS:
        found |= chapter.table(library)
    return library, found


def from_array_api(
    name: str,
    xp: Any,
    *,
    fallback: Literal["error", "cpu"] = "error",
    complex_of: Callable[[Any, Any], Any] | None = None,
    **options: Any,
) -> BackendEnvironment:
    """Make a torch device of a namespace that follows the array API standard.

    Parameters
    ----------
    name : str
        The name of the device.
    xp : namespace
        For example ``jax.numpy``, ``array_api_strict``, ``numpy``. Arrays move by DLPack.
    fallback : {"error", "cpu"}
        As in ``BackendEnvironment``.
    complex_of : callable, optional
        From the real and the imaginary parts to a complex array, exactly: ``jax.lax.complex``. The
        standard has no such function. Without it, NumPy's ``view`` does it; where that is not
        exact, as in JAX, the parts go through the CPU.
    **options
        The arguments ``cpu_to_backend``, ``backend_to_cpu`` and ``own`` of ``BackendEnvironment``,
        for a library that moves or owns its arrays in another way.

    Returns
    -------
    BackendEnvironment
        With the operators of core ATen registered, and torch's decompositions for the others.

    Raises
    ------
    TypeError
        If ``xp`` lacks a function of the standard.

    Notes
    -----
    The table holds functions of the standard only (https://data-apis.org/array-api/2025.12/), and
    works on values: strided reads and writes are ``take``, ``searchsorted`` and ``where``.

    Examples
    --------
    >>> import array_api_strict  # doctest: +SKIP
    >>> env = xp_backend.from_array_api("strict", array_api_strict)  # doctest: +SKIP
    >>> torch.linspace(0, 1, 3, device="strict").sum().item()  # doctest: +SKIP
    1.5
    """
    try:
        library, found = table_of(xp, complex_of)
    except AttributeError as error:
        raise TypeError(f"from_array_api takes a namespace of the array API standard: {error}")
    blob_type = type(xp.zeros((1,)))

    def to_backend(tensor: Tensor) -> Any:
        library.dtype(tensor.dtype)
        if not tensor.numel():
            return xp.zeros(tuple(tensor.shape), dtype=library.dtype(tensor.dtype))
        return xp.from_dlpack(tensor)

    def to_cpu(blob: Any) -> Tensor:
        if 0 in blob.shape:
            return torch.zeros(tuple(blob.shape), dtype=library.of(blob))
        try:
            return from_dlpack(blob)
        except (BufferError, RuntimeError):  # a library may refuse to share what it protects
            return from_dlpack(xp.asarray(blob, copy=True))

    def array(value: Any) -> Any:
        return value if isinstance(value, blob_type) else xp.asarray(value)

    env = BackendEnvironment(
        name, blob_type, options.pop("cpu_to_backend", to_backend),
        options.pop("backend_to_cpu", to_cpu), fallback=fallback,
        own=options.pop("own", array), **options,
    )  # fmt: skip
    library.bits = lambda values, dtype: _through_cpu(env, values, dtype)
    for operator, function in found.items():
        op = aten(operator)
        if op is not None:
            env.register_op(op, function)
    env.register_default_decompositions()
    return env


def _through_cpu(env: BackendEnvironment, values: object, dtype: torch.dtype) -> Any:
    """The bits of a 1-D array as another dtype, by way of the CPU, which the report counts."""
    blobs = env._blobs
    return blobs.from_cpu(bits_of(blobs.to_cpu(values, "view.dtype"), dtype), "view.dtype")
