"""For each world a function that it must catch, and one that it must let through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.conformance.worlds import library

VALUES = [1.0, 2.0, 4.0]
WEIGHTS = [0.5, 0.25, 0.125]


@dataclass(frozen=True)
class Caught:
    """A function that fails in a world and nowhere else.

    `text` is in the error; `call` is in the note, which names the line. `runs_in` is a world
    where the function runs, so that it is this world that catches it.
    """

    function: Callable[..., Any]
    text: str
    call: str
    runs_in: str = "real numpy"
    inputs: tuple[list[float], ...] = (VALUES,)


@dataclass(frozen=True)
class Both:
    """What a world must catch, and what it must let through."""

    caught: Caught
    let_through: Callable[..., Any]
    inputs: tuple[list[float], ...] = (VALUES,)


def _pair(caught: Callable[..., Any], text: str, let_through: Callable[..., Any]) -> Both:
    """For worlds that call a function of two arrays again, and name its first line."""
    inputs = (VALUES, WEIGHTS)
    return Both(Caught(caught, text, "", "strict", inputs), let_through, inputs)


CASES = {
    "strict": Both(
        Caught(library.center_by_method, "no attribute 'mean'", "x.mean"), library.center
    ),
    "2021.12": Both(
        Caught(library.real_part, "no attribute 'real'", "namespace(x).real", "2022.12"),
        library.center,
    ),
    "2022.12": Both(
        Caught(library.clipped, "no attribute 'clip'", "namespace(x).clip", "2023.12"),
        library.clipped_with_where,
    ),
    "2023.12": Both(
        Caught(library.spread, "no attribute 'diff'", "namespace(x).diff", "2024.12"),
        library.clipped,
    ),
    "2024.12": Both(
        Caught(library.contained, "no attribute 'isin'", "xp.isin", "2025.12"),
        library.spread,
    ),
    "2025.12": Both(
        Caught(library.join, "no attribute 'concatenate'", "namespace(x).concatenate"),
        library.contained,
    ),
    "device": Both(
        Caught(library.with_numpy, "NumPy cannot read", "np.cumsum(x)", "strict"),
        library.with_host,
    ),
    "two devices": Both(
        Caught(library.ramp_on_default_device, "two devices, npy:0 and cpu", "x * ramp", "strict"),
        library.ramp,
    ),
    "no float64": Both(
        Caught(
            library.accumulated_in_double, "not store torch.float64", "xp.astype(x, xp.float64)",
            "strict",
        ),
        library.accumulated,
    ),
    "float32": Both(
        Caught(library.root_to_double_precision, "no convergence", "raise", "strict"), library.root
    ),
    "no shapes from values": Both(
        Caught(library.total_above, "boolean_indexing is off", "x[x > 1.5]", "strict"),
        library.total_above_with_where,
    ),
    "no values": Both(
        Caught(library.scaled_if_large, "no values that Python can read", "xp.max(x)", "strict"),
        library.scaled_where_large,
    ),
    "compiled": Both(
        Caught(library.scaled_if_large, "data-dependent", "if xp.max(x) > 2.0:", "strict"),
        library.scaled_where_large,
    ),
    "gradient": Both(
        Caught(library.smooth_through_numpy, "does not carry the gradient", "", "strict"),
        library.smooth,
    ),
    "immutable": Both(
        Caught(library.first_zeroed, "the array is immutable", "y[0]", "strict"),
        library.first_zeroed_with_where,
    ),
    "read-only inputs": Both(
        Caught(library.first_zeroed_in_argument, "must not change", "y[0]", "strict"),
        library.first_zeroed,
    ),
    "scalars": _pair(
        library.weighted_by_shape, "AttributeError: 'int' object", library.weighted
    ),
    "mixed kinds": _pair(
        library.weighted_in_dtype_of_first, "with int32 for argument 0", library.weighted
    ),
    "zero-size": Both(
        Caught(library.relative_to_first, "no elements along axis 0: IndexError", "", "strict"),
        library.relative_to_largest,
    ),
    "foreign": _pair(
        library.weighted_through_numpy, "the result is a numpy array", library.weighted
    ),
    "real numpy": Both(
        Caught(library.total_reset, "does not support item assignment", "total[...]", "strict"),
        library.center,
    ),
    "real torch": Both(
        Caught(library.as_single, "no attribute 'astype'", "x.astype"), library.center
    ),
    "real array-api-strict": Both(
        Caught(library.center_by_method, "no attribute 'mean'", "x.mean"), library.center
    ),
    "real jax": Both(
        Caught(library.first_zeroed, "immutable", "y[0]", "strict"),
        library.first_zeroed_with_where,
    ),
    "real dask": Both(
        Caught(library.symmetric_eigenvalues, "eigvalsh", "xp.linalg.eigvalsh", "strict"),
        library.center,
    ),
    "real cupy": Both(
        Caught(library.with_numpy, "Implicit conversion", "np.cumsum(x)", "strict"),
        library.center,
    ),
}  # fmt: skip
