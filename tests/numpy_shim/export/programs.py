"""Functions of the examples and of the kernels, with arguments and the axes that may vary."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.kernels import programs
from benchmarks.kernels.inputs import arguments

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"


class Program(NamedTuple):
    """A function, a call of it, and the names of its axes."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    dynamic: dict[str, Any]


def example(module: str, function: str) -> Callable[..., Any]:
    """A function of a script in docs/examples, which has its own folder on the path."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        spec = importlib.util.spec_from_file_location(
            f"example_{module}", EXAMPLES / f"{module}.py"
        )
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
    finally:
        sys.path.remove(str(EXAMPLES))
    return getattr(loaded, function)


def kernel(name: str, **axes: Any) -> Program:
    return Program(getattr(programs, name), arguments(name, False), axes)


def table() -> dict[str, Program]:
    """All of them, by name."""
    rng, both = np.random.default_rng(3), ("n", "m")
    return {
        "softmax": kernel("softmax", x=both),
        "n_body": kernel("n_body", x="n", v="n", mass="n"),
        "k_means_step": kernel("k_means_step", points="n", centres="k"),
        "mandelbrot": kernel("mandelbrot", x=both, y=both),
        "black_scholes": kernel("black_scholes", spot="n", strike="n", years="n"),
        "distance_matrix": kernel("distance_matrix", a=("n", "d"), b=("m", "d")),
        "gray_scott": kernel("gray_scott", u=both, v=both),
        "histogram_filter": kernel(
            "histogram_filter", belief="n", **{f"likelihoods_{i}": "n" for i in range(4)}
        ),
        "stencil_1d": kernel("stencil_1d", a="n", b="n"),
        "conv2d": kernel("conv2d", x=both),
        "similarity": Program(
            example("restore", "similarity"),
            (rng.random((6, 7)), rng.random((6, 7))),
            {"a": both, "b": both},
        ),
        "edges": Program(example("restore", "edges"), (rng.random((9, 7)),), {"picture": both}),
        "power": Program(example("spectrum", "power"), (rng.random((9, 16)),), {"pieces": "n"}),
        "refine": Program(
            example("spectrum", "refine"),
            (rng.random(20) + 1, np.array([3, 7, 9])),
            {"spectrum": "n", "indices": "k"},
        ),
        "distances": Program(
            example("kmeans", "distances"),
            (rng.random((9, 4)), rng.random((3, 4))),
            {"points": "n", "centres": "k"},
        ),
        "diffuse": Program(example("smoke", "diffuse"), (rng.random((9, 7)), 0.3), {"field": both}),
    }


NOT_IN_ONNX = {"edges": "prims.hypot"}
"""Functions with an operator of torch that has no counterpart in ONNX."""
