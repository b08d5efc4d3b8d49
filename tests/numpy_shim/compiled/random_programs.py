"""Random programs of array functions, as source text.

A program takes three arrays, works on them for some lines and returns some of its variables. Each
line is tried on values when it is drawn, and left out if it raises or gives a big array.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy

import numpy_shim as np

DTYPES = ["float64", "float64", "float32", "int64", "int32", "uint8", "bool", "complex128"]
SHAPES = [(3,), (4,), (1,), (3, 4), (4, 3), (3, 1), (2, 3, 4), (), (0,), (3, 3)]
SIZE = 400


def draw_input(rng: random.Random) -> numpy.ndarray:
    """An input with few different values, so that ties and zeros happen."""
    shape = rng.choice(SHAPES)
    dtype = rng.choice(DTYPES)
    size = int(numpy.prod(shape))
    if dtype == "bool":
        values = [rng.random() < 0.5 for _ in range(size)]
    elif dtype == "complex128":
        values = [complex(rng.randint(-3, 3), rng.randint(-2, 2)) for _ in range(size)]
    elif dtype == "uint8":
        values = [rng.choice([0, 1, 2, 7, 200, 255]) for _ in range(size)]
    elif dtype.startswith("int"):
        values = [rng.randint(-5, 9) for _ in range(size)]
    else:
        values = [rng.choice([0.0, -0.0, 1.0, -1.5, 2.25, 3.0, -7.0, 0.1]) for _ in range(size)]
    return numpy.array(values, dtype=dtype).reshape(shape)


def number(rng: random.Random) -> str:
    """A Python number or one of NumPy's."""
    return rng.choice(
        ["2", "3", "-1", "0", "0.5", "2.0", "-1.5", "np.float32(1.5)", "np.int64(3)",
         "np.float64(2.5)", "True", "1j"]
    )  # fmt: skip


def a_slice(rng: random.Random) -> str:
    """A slice, a reversed one too."""
    return rng.choice([":", "1:", ":-1", "::2", "::-1", "1:3", "-2:", ":2", "2:0:-1"])


def basic_key(rng: random.Random) -> str:
    """A key of slices, integers, an ellipsis and new axes."""
    parts = [
        rng.choice([a_slice(rng), a_slice(rng), "0", "-1", "None", "..."])
        for _ in range(rng.randint(1, 2))
    ]
    return ", ".join(parts)


UNARY = ["negative", "abs", "sqrt", "exp", "sin", "square", "sign", "isnan", "floor", "rint",
         "logical_not", "conj", "real", "tanh", "reciprocal", "isfinite", "cos"]  # fmt: skip
BINARY = ["add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "arctan2",
          "floor_divide", "remainder", "logical_and", "equal", "less", "hypot", "copysign",
          "fmin", "greater_equal", "bitwise_xor", "left_shift"]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "<", ">=", "==", "!=", "&", "|", "@"]
IN_PLACE = ["+=", "-=", "*=", "/=", "//=", "|=", "&=", "**="]
REDUCTIONS = ["sum", "prod", "max", "min", "mean", "any", "all", "argmax", "argmin", "var", "std",
              "ptp", "median", "count_nonzero", "nansum", "nanmax"]  # fmt: skip
SHAPING = ["{x}.T", "np.ravel({x})", "{x}.reshape(-1)", "np.expand_dims({x}, 0)", "np.squeeze({x})",
           "np.flip({x})", "np.roll({x}, 1)", "np.atleast_2d({x})", "{x}.copy()",
           "np.swapaxes({x}, 0, -1)", "np.transpose({x})", "np.tile({x}, 2)",
           "np.broadcast_to({x}, (2, *{x}.shape))",
           "np.repeat({x}, 2, axis=0)", "np.moveaxis({x}, 0, -1)", "np.rot90({x})",
           "{x}.flatten()", "np.diagonal({x})"]  # fmt: skip
OTHERS = ["np.sort({x}, axis=-1)", "np.cumsum({x})", "np.cumsum({x}, axis=0)", "np.diff({x})",
          "np.concatenate([{x}, {y}])", "np.stack([{x}, {y}])", "np.where({x}, {y}, {z})",
          "np.where({x} > 0, {x}, {n})", "np.clip({x}, 0, 2)", "np.argsort({x}, kind='stable')",
          "np.dot({x}, {y})", "np.outer({x}, {y})", "np.hstack([{x}, {y}])", "np.cumprod({x})",
          "np.triu({x})", "np.trace({x})", "np.interp({x}, [0, 1, 2], [1, 3, 2])", "np.unwrap({x})",
          "np.add.reduce({x})", "np.multiply.outer({x}, {y})", "np.maximum.accumulate({x})",
          "np.pad({x}, 1)", "np.take({x}, [0, -1], axis=0)", "np.zeros_like({x}) + {n}",
          "np.linalg.norm({x})", "np.einsum('...i->...', {x})", "np.searchsorted([0, 1, 2], {x})",
          "np.isclose({x}, {y})", "np.nan_to_num({x})", "np.full({x}.shape, {n})",
          "np.arange({x}.size).reshape({x}.shape)", "np.vstack([{x}, {y}])",
          "np.append({x}, {y})", "np.round({x}, 1)", "np.array([{x}, {x}])", "np.gradient({x})",
          "{x}.astype(np.float32)", "{x}.astype(np.int64)", "np.asarray({x}, dtype=complex)",
          "np.ones({x}.shape, dtype={x}.dtype)", "np.count_nonzero({x}, axis=0)", "{x}[[0, -1]]",
          "np.bincount(np.abs({x}))", "np.meshgrid({x}, {y})[0]", "np.kron({x}, {y})"]  # fmt: skip


def line(rng: random.Random, names: list[str], new: str) -> str:
    """One statement on some of the variables."""
    x, y, z = (rng.choice(names) for _ in range(3))
    n = number(rng)
    other = rng.choice([y, y, n])
    axis = rng.choice(["", "", "axis=0", "axis=-1", "axis=0, keepdims=True"])
    kind = rng.randrange(14)
    if kind == 0:
        return f"{new} = np.{rng.choice(UNARY)}({x})"
    if kind == 1:
        return f"{new} = np.{rng.choice(BINARY)}({x}, {other})"
    if kind in (2, 3):
        left, right = rng.choice([(x, other), (x, other), (n, x)])
        return f"{new} = {left} {rng.choice(OPERATORS)} {right}"
    if kind == 4:
        return f"{x} {rng.choice(IN_PLACE)} {other}"
    if kind == 5:
        return f"{new} = np.{rng.choice(REDUCTIONS)}({x}{', ' if axis else ''}{axis})"
    if kind == 6:
        return f"{new} = {x}.{rng.choice(['sum', 'max', 'min', 'mean', 'prod', 'any'])}({axis})"
    if kind == 7:
        return f"{new} = {rng.choice(SHAPING).format(x=x)}"
    if kind == 8:
        return f"{new} = {x}[{basic_key(rng)}]"
    if kind == 9:
        return f"{x}[{basic_key(rng)}] = {other}"
    if kind == 10:
        return f"{x}[{basic_key(rng)}] {rng.choice(IN_PLACE)} {other}"
    if kind == 11:
        mask = rng.choice([f"{x} > 0", f"{x} == {n}", f"~({x} < 1)"])
        return f"{x}[{mask}] = {n}"
    if kind == 12:
        function = rng.choice(BINARY)
        return f"{new} = np.{function}({x}, {other}, out={z})"
    return f"{new} = {rng.choice(OTHERS).format(x=x, y=y, z=z, n=n)}"


class Program:
    """A program, its inputs, and what it gives in eager mode."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.inputs = [draw_input(rng) for _ in range(3)]
        values: dict[str, Any] = dict(zip("abc", self.arguments(), strict=True))
        names, lines = ["a", "b", "c"], []
        wanted = rng.randint(3, 10)
        for attempt in range(wanted * 6):
            if len(lines) == wanted:
                break
            new = f"v{attempt}"
            text = line(rng, names, new)
            if self._works(text, lines, values):
                lines.append(text)
                if new in values:
                    names.append(new)
        results = sorted({*rng.sample(names, min(3, len(names))), names[-1]})
        self.source = "\n".join(
            ["def program(a, b, c):", *[f"    {text}" for text in lines],
             f"    return {', '.join(results)},"]
        )  # fmt: skip
        space: dict[str, Any] = {"np": np}
        exec(self.source, space)
        self.function: Callable[..., Any] = space["program"]

    def arguments(self) -> list[Any]:
        """Fresh inputs."""
        return [np.array(x) for x in self.inputs]

    def _works(self, text: str, lines: list[str], values: dict[str, Any]) -> bool:
        """Run the program with one more line; keep the values if it works."""
        fresh = dict(zip("abc", self.arguments(), strict=True))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec("\n".join([*lines, text]), {"np": np}, fresh)
        except Exception:
            return False
        if any(numpy.size(v) > SIZE for v in fresh.values()):
            return False
        values.clear()
        values.update(fresh)
        return True


def description(results: Any, given: list[Any]) -> list[Any]:
    """What two runs are compared by: values, dtypes, shapes, shared memory, changed inputs."""
    found: list[Any] = []
    for i, x in enumerate(results):
        array = numpy.asarray(x)
        found.append((f"result {i}", array.dtype, array.shape, array.tolist()))
        found += [
            (f"signs {i}", numpy.signbit(part).tolist())
            for part in (array.real, array.imag)
            if part.dtype.kind == "f"
        ]
        if isinstance(x, np.ndarray) and x.ndim:
            shared = [isinstance(g, np.ndarray) and np.may_share_memory(x, g) for g in given]
            found.append((f"memory of {i}", shared))
    found += [(f"input {i}", numpy.asarray(g).tolist()) for i, g in enumerate(given)]
    return found
