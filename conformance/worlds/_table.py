"""The worlds, one description each."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

from ._namespaces import (
    device,
    flags,
    gradient,
    hooked,
    no_float64,
    read_only_inputs,
    real,
    two_devices,
)
from ._world import Check, World

VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


def _check(module: str, name: str) -> Check:
    """A check of functions, imported when it is first called."""

    def check(*args: object, **options: object) -> Any:
        return getattr(importlib.import_module(f"{__package__}.{module}"), name)(*args, **options)

    return check


def _of_arguments(name: str, sentence: str, remedy: str) -> World:
    """A world that calls the function again with other arguments."""
    check = _check("_arguments", name.replace(" ", "_").replace("-", "_"))
    return World(name, sentence, remedy, flags(), check, needs_function=True)


def _real(name: str, module: str, package: str) -> World:
    """A world that is a library itself."""
    return World(
        f"real {name}",
        f"{name} itself",
        f"Look up what {name} has for it; the standard's functions are there.",
        real(module),
        needs=package,
    )


WORLDS: tuple[World, ...] = (
    World(
        "strict",
        "the newest standard, and nothing else",
        "Use what the standard defines.",
        flags(),
    ),
    *(
        World(
            version,
            f"version {version} of the standard, and nothing later",
            f"Use what version {version} of the standard defines, or array-api-extra.",
            flags(api_version=version),
        )
        for version in VERSIONS
    ),
    World(
        "device",
        "arrays live on a device whose memory NumPy cannot read",
        "Use functions of xp, and create arrays on x.device.",
        device,
    ),
    World(
        "two devices",
        "arguments are on another device than new arrays by default",
        "Pass device=x.device where the array is made.",
        two_devices,
    ),
    World(
        "no float64",
        "a device that stores neither float64 nor complex128, as Apple's MPS",
        "Use the dtype of the arguments, or `xp.__array_namespace_info__().default_dtypes()`.",
        no_float64,
    ),
    World(
        "float32",
        "the default dtype is float32, as in torch and JAX",
        "Pass dtype=x.dtype where the array is made.",
        flags(default_float="float32"),
    ),
    World(
        "no shapes from values",
        "masks, nonzero and unique are refused: their shapes depend on values",
        "Keep the shape: use xp.where, a sum over the mask, or xp.sort.",
        flags(boolean_indexing=False, data_dependent_shapes=False),
    ),
    World(
        "no values",
        "bool, int, float and NumPy's copies of arrays are refused, as in lazy libraries",
        "Keep the value in an array: use xp.where in place of if, and return arrays.",
        hooked("no_values"),
    ),
    World(
        "compiled",
        "the function runs under torch.compile(fullgraph=True), compared with a plain call",
        "Keep Python's branches and loops free of the arrays' values.",
        flags(),
        _check("_functions", "compiled"),
        needs_function=True,
    ),
    World(
        "gradient",
        "arguments require a gradient, and a floating-point result carries it",
        "Compute with functions of xp from the arguments to the result.",
        gradient,
        _check("_functions", "gradient"),
    ),
    World(
        "immutable",
        "writes to arrays are refused, as in JAX",
        "Use xp.where, xp.concat or array_api_extra.at(x, i).set(value).",
        hooked("immutable"),
    ),
    World(
        "read-only inputs",
        "writes to arguments, and to views of them, are refused",
        "Copy first: xp.asarray(x, copy=True).",
        read_only_inputs,
    ),
    _of_arguments(
        "scalars",
        "Python scalars of every kind take the place of an array among several",
        "Convert arguments at the entrance, or raise a TypeError that names the argument.",
    ),
    _of_arguments(
        "mixed kinds",
        "an array among several gets another dtype",
        "Convert arguments to xp.result_type of them, or raise a TypeError.",
    ),
    _of_arguments(
        "zero-size",
        "arrays without elements, compared with NumPy",
        "Handle the empty array first, or raise a ValueError that says so.",
    ),
    _of_arguments(
        "foreign",
        "NumPy's array takes the place of an array among several",
        "Ask all arguments for the namespace, as array_api_compat.array_namespace does.",
    ),
    _real("numpy", "numpy", "numpy"),
    _real("torch", "array_api_compat.torch", "array_api_compat"),
    _real("array-api-strict", "array_api_strict", "array_api_strict"),
    _real("jax", "jax.numpy", "jax"),
    _real("dask", "array_api_compat.dask.array", "dask"),
    _real("cupy", "array_api_compat.cupy", "cupy"),
)
"""Every world, in the order in which a library is usually taken through them."""

_BY_NAME = {world.name: world for world in WORLDS}


def find(name: str) -> World:
    """The world of a name. Raise `ValueError` for any other."""
    if name not in _BY_NAME:
        raise ValueError(f"there is no world {name!r}; the worlds are {', '.join(_BY_NAME)}")
    return _BY_NAME[name]


def chosen(text: str) -> list[World]:
    """The worlds of an option: names with commas, `all`, or `real` for each real library.

    `all` and `real` leave out libraries that are not installed.
    """
    found: dict[str, World] = {}
    for name in filter(None, map(str.strip, text.split(","))):
        if name in ("all", "real"):
            many: Iterable[World] = (w for w in WORLDS if w.installed)
            found |= {w.name: w for w in many if name == "all" or w.name.startswith("real ")}
        else:
            found[name] = find(name)
    return list(found.values())
