"""Random programs of array functions, as source text.

A program takes three operands, works on them for some lines and returns some of its variables.
Each line is tried on values when it is drawn, and left out if it raises or gives a big array. The
operands are arrays, views of arrays and of each other, NumPy's arrays and scalars, and numbers.
"""

from __future__ import annotations

import operator
import random
import re
import textwrap
import warnings
from collections.abc import Callable
from typing import Any

import numpy
import torch

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


ARRAYS = ["{0}", "{0}", "{0}", "{0}.T", "{0}[::-1]", "{0}[::2]", "{0}.copy('F')"]
"""How an array operand is made of the one that was drawn."""


def draw_operands(rng: random.Random) -> tuple[list[numpy.ndarray], list[str]]:
    """Values of three operands, and expressions that make the operands of them."""
    drawn = [draw_input(rng) for _ in range(3)]
    made = []
    for i, x in enumerate(drawn):
        kind = rng.random()
        if kind < 0.08 and x.size:
            made.append(f"given[{i}].flat[0]")  # NumPy's scalar
        elif kind < 0.12 and x.size:
            made.append(f"given[{i}].flat[0].item()")
        elif kind < 0.18:
            made.append(f"given[{i}]")  # NumPy's array
        elif kind < 0.26 and i and drawn[i - 1].ndim and "flat" not in made[i - 1]:
            made.append(f"made[{i - 1}][:2]")
        else:
            way = rng.choice(ARRAYS) if x.ndim else "{0}"
            made.append(way.format(f"np.array(given[{i}])"))
    return drawn, made


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


METHODS = ["{x}.astype('f4')", "{x}.astype(int)", "{x}.astype(bool)", "{x}.cumsum()",
           "{x}.clip(0, 2)", "{x}.round()", "{x}.argmax()", "{x}.argsort(kind='stable')",
           "{x}.take([0, -1])", "{x}.repeat(2)", "{x}.dot({y})", "{x}.conj()",
           "{x}.swapaxes(0, -1)", "{x}.squeeze()", "{x}.sum(dtype='f8')", "{x}.std(ddof=1)",
           "{x}.var(axis=0)", "{x}.ptp()", "{x}.trace()", "{x}.diagonal()", "{x}.transpose()",
           "{x}.ravel('F')", "{x}.reshape(2, -1)", "{x}.reshape(-1, order='F')", "{x}.view()",
           "{x}.real", "{x}.imag", "{x}.flatten('F')", "{x}.searchsorted({n})",
           "{x}.all(axis=-1)", "{x}.min(initial=1)", "{x}.item(0)", "{x}.nonzero()[0].size",
           "{x}.astype({y}.dtype)", "{x}.copy('F')", "{x}.flat[1]",
           "{x}.mean(axis=-1, keepdims=True)", "{x}.any(axis=0)", "{x}.view('i8')"]  # fmt: skip
OPTIONS = ["np.{b}({x}, {o}, where={x} > 0, out={z})", "np.{b}({x}, {o}, dtype='f8')",
           "np.{u}({x}, out={z}, where={y} != 0)", "np.{u}({x}, out={z})",
           "np.{u}({x}, dtype='f4')", "np.sum({x}, where={x} > 0)",
           "np.max({x}, initial=0, where={x} != 1)", "np.mean({x}, axis=0, out={z})",
           "np.prod({x}, dtype='f8')", "np.{b}.reduce({x}, axis=-1)", "np.{b}.accumulate({x})",
           "np.{b}.outer({x}, {y})", "np.sum({x}, axis=(0, -1))",
           "np.{b}({x}, {o}, out={z}, casting='unsafe')", "np.add.reduceat({x}, [0, 1])",
           "np.cumsum({x}, axis=0, out={z})", "np.clip({x}, 0, 2, out={x})",
           "np.mean({x}, where={x} > 0)", "np.nanvar({x})", "np.average({x}, weights={y})",
           "np.take({x}, [0, 5], mode='wrap')",
           "np.concatenate([{x}, {y}], axis=None, dtype='f8')", "np.matmul({x}, {y}, out={z})",
           "np.divmod({x}, {o})[1]", "np.modf({x})[0]", "np.frexp({x})[1]",
           "np.quantile({x}, 0.3)", "np.percentile({x}, [20, 60], axis=0)", "np.unique({x}).size",
           "np.histogram({x}, bins=[-9, 0, 1, 9])[0]", "np.cov({x})", "np.linalg.solve({x}, {y})",
           "np.linalg.det({x})", "np.fft.fft({x})", "np.cross({x}, {y})", "np.fft.irfft({x})",
           "np.tensordot({x}, {y}, 1)", "np.inner({x}, {y})", "np.convolve({x}, {y})",
           "np.polyval({x}, {y})", "np.trapezoid({x})", "np.partition({x}, 1)",
           "np.einsum('ij,jk->ik', {x}, {y})", "np.select([{x} > 1, {x} < 0], [{y}, {n}], {z})",
           "np.piecewise({x}, [{x} < 0, {x} >= 0], [-1, lambda v: v + 1])", "np.ediff1d({x})",
           "np.choose([0, 1, 0], [{x}, {y}])", "np.digitize({x}, [0, 1, 2])", "np.isin({x}, {y})",
           "np.apply_along_axis(np.sum, 0, {x})", "np.logical_and.reduce({x})",
           "np.identity(3) * {x}", "np.linspace({x}[0], {n}, 4)", "np.full_like({x}, {n})",
           "np.result_type({x}, {y}).type(2)", "np.block([[{x}, {x}]])", "np.split({x}, 2)[1]",
           "np.column_stack([{x}, {y}])", "np.delete({x}, 1)", "np.insert({x}, 1, {n})",
           "np.resize({x}, 5)", "np.ix_({x}, {x})[0]", "np.array_equal({x}, {y})",
           "np.allclose({x}, {y})", "np.lexsort([{x}, {y}])", "np.asarray({x}).T @ {y}",
           "np.vdot({x}, {y})", "np.nanmedian({x})", "np.angle({x})",
           "np.float64({x}.sum()) * {y}", "np.int64(3) * {x}", "np.arange(len({x})) * {x}",
           "np.array([r.sum() for r in {x}])", "sum({x}) + {y}", "max({x}[0], {x}[1])",
           "abs({x})", "np.finfo({x}.dtype).eps * {x}", "{x} if {x}.dtype.kind == 'f' else {y}",
           "{x} if {x}.shape == {y}.shape else {z}", "np.ndim({x}) + {z}", "divmod({x}, {n})[0]",
           "np.put_along_axis({x}, np.argmax({x}, -1, keepdims=True), {n}, -1)",
           "helper({x}, {y})", "np.take_along_axis({x}, np.argsort({x}, -1, kind='stable'), -1)",
           "pow({x}, 2)", "np.where({x} > {y}, {x}.T, {n}).T", "({x} + {y}, {x} * {n})[1]",
           "-{x}", "~{x}", "np.vectorize(abs)({x})", "np.empty_like({x})[:0]",
           "+{x}"]  # fmt: skip
WRITES = ["np.copyto({x}, {o})", "np.copyto({x}, {n}, where={x} > 0)", "{x}.fill({n})",
          "{x}.sort()", "np.put({x}, [0, 1], {n})", "np.putmask({x}, {x} > 0, {o})",
          "np.add.at({x}, [0, 0], {n})", "np.fill_diagonal({x}, {n})", "{x}.flat = {o}",
          "{x}.flat[::2] = {n}", "{x}.real = {o}", "{x}.imag = {n}", "{x}.T[0] = {n}",
          "{x}.reshape(-1)[:2] = {n}", "{x}[[0, -1]] = {n}", "{x}[[0, 0]] += {n}",
          "{x}[{y}] = {n}", "{x}[np.argmax({y})] = {n}", "{x}.ravel()[0] = {n}",
          "{x}[0], {x}[1] = {x}[1], {x}[0]", "{x}[:, 0], {x}[:, 1] = {x}[:, 1], {x}[:, 0]",
          "for i in range(len({x})):\n    {x}[i] = {x}[i - 1] * 2",
          "for i, r in enumerate({x}):\n    r += i", "{x}[1:] += {x}[:-1]", "{x}[::-1] = {x}",
          "if {x}.ndim > 1:\n    {x}[0] = {n}\nelse:\n    {x}[...] = {n}",
          "with np.errstate(all='ignore'):\n    {x}[:1] /= {n}", "{x}[{x} > 0] += {n}",
          "{x}[{x} > 0] = {y}[{x} > 0]", "{x}[np.array([True, False, True])] = {n}",
          "{x}.shape = (-1,)", "{x}.partition(1)", "np.place({x}, {x} > 0, [1, 2])",
          "{x}[np.ix_([0, 1], [0, 2])] = {n}", "{x} @= {y}", "{x}.put(0, {n})",
          "for _ in range(2):\n    {x} = {x} + {n}", "{x}[..., None][0] = {n}"]  # fmt: skip
"""Statements that change a variable."""


def line(rng: random.Random, names: list[str], foreign: set[str], new: str) -> str:
    """One statement on some of the variables; ``foreign`` ones are not its first operand.

    What is done with NumPy's scalars and arrays alone is traced by torch's own NumPy.
    """
    ours = [name for name in names if name not in foreign] or ["np.arange(3.0)"]
    x, y, z = rng.choice(ours), rng.choice(names), rng.choice(ours)
    n = number(rng)
    other = rng.choice([y, y, n])
    axis = rng.choice(["", "", "axis=0", "axis=-1", "axis=0, keepdims=True"])
    kind = rng.randrange(21)
    fields = {"x": x, "y": y, "z": z, "n": n, "o": other,
              "b": rng.choice(BINARY), "u": rng.choice(UNARY)}  # fmt: skip
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
        return f"{new} = {rng.choice(SHAPING).format(**fields)}"
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
    if kind in (13, 14):
        return f"{new} = {rng.choice(METHODS).format(**fields)}"
    if kind in (15, 16, 17):
        return f"{new} = {rng.choice(OPTIONS).format(**fields)}"
    if kind in (18, 19):
        return rng.choice(WRITES).format(**fields)
    return f"{new} = {rng.choice(OTHERS).format(**fields)}"


def helper(x: Any, y: Any) -> Any:
    """A function that programs call."""
    if x.ndim < y.ndim:
        return helper(y, x)
    return np.where(x > y, x - y, y)


class Program:
    """A program, its inputs, and what it gives in eager mode."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.file = f"<program {seed}>"
        self.inputs, self.operands = draw_operands(rng)
        values: dict[str, Any] = dict(zip("abc", self.arguments(), strict=True))
        names, lines = ["a", "b", "c"], []
        foreign = {name for name in names if type(values[name]) is not np.ndarray}
        wanted = rng.randint(3, 10)
        for attempt in range(wanted * 6):
            if len(lines) == wanted:
                break
            new = f"v{attempt}"
            text = line(rng, names, foreign, new)
            if self._works(text, lines, values):
                lines.append(text)
                if new in values:
                    names.append(new)
        results = sorted({*rng.sample(names, min(3, len(names))), names[-1]})
        lines.append(f"return {', '.join(results)},")
        self.source = "def program(a, b, c):\n" + textwrap.indent("\n".join(lines), "    ")
        space: dict[str, Any] = {"np": np, "helper": helper}
        exec(compile(self.source, self.file, "exec"), space)
        self.function: Callable[..., Any] = space["program"]
        self.expected = self.outcome(self.function)

    def arguments(self) -> list[Any]:
        """Fresh operands."""
        given = [x.copy() for x in self.inputs]
        made: list[Any] = []
        for text in self.operands:
            made.append(eval(text, {"np": np, "given": given, "made": made}))
        return made

    def outcome(self, function: Callable[..., Any]) -> str:
        """What the program, or a compiled form of it, gives on fresh operands."""
        given = self.arguments()
        return self.described(function(*given), given)

    def described(self, results: Any, given: list[Any]) -> str:
        """The text that is compared for the results of a run."""
        return repr(description(results, given, self.source))

    def is_lost_by(self, backend: str) -> bool:
        """Whether AOTAutograd may give other values, as it does with tensors alone.

        It loses writes to numbers. Of inputs that share memory, one of which is written to, it
        returns views of other elements.
        """
        if backend == "eager":
            return False
        numbers = [numpy.ndim(x) == 0 and isinstance(x, np.ndarray) for x in self.arguments()]
        floats = [x.dtype == numpy.float64 for x in self.inputs]
        return any(map(operator.and_, numbers, floats)) or self._writes_to_shared()

    def _writes_to_shared(self) -> bool:
        if not any(source.startswith("made[") for source in self.operands):
            return False
        given = self.arguments()
        for x in given:
            if isinstance(x, np.ndarray):
                x.flags.writeable = False
        try:
            self.function(*given)
        except ValueError:  # the array is read-only
            return True
        return False

    def report(self, got: str) -> str:
        """The source and the operands of the program, and what it should have given."""
        inputs = [(x.dtype.str, x.tolist()) for x in self.inputs]
        return (
            f"{self.file}\n{self.source}\n{self.operands}\n{inputs}\n"
            f"expected {self.expected}\ngot      {got}"
        )

    def _works(self, text: str, lines: list[str], values: dict[str, Any]) -> bool:
        """Run the program with one more line; keep the values if it works."""
        fresh = dict(zip("abc", self.arguments(), strict=True))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec("\n".join([*lines, text]), {"np": np, "helper": helper}, fresh)
        except Exception:
            return False
        if any(numpy.size(v) > SIZE for v in fresh.values()):
            return False
        if any(isinstance(v, numpy.ndarray) and v.dtype.hasobject for v in fresh.values()):
            return False
        values.clear()
        values.update(fresh)
        return True


OPEN_SIGNS = re.compile(r"max|min|clip|cumsum|reciprocal")
"""Functions for which torch leaves the sign of a zero open.

``torch.maximum`` of 0.0 and -0.0 is another one in a vector register than beside it, and
``torch.cumsum`` of -0.0 is 0.0, while the method of NumPy's scalar gives -0.0. The reciprocal of
``1+0j`` is ``1-0j`` for NumPy's scalar and ``1+0j`` for torch.
"""


OPEN_DIGITS = re.compile(r"exp|sin|cos|tanh|pow|\*\*|hypot|arctan2|std|norm|angle|unwrap|fft")
"""Functions whose last digits differ between NumPy and torch.

In eager mode NumPy computes them for its scalars; in a trace every scalar is a tensor.
"""


RUNNING = re.compile(r"cumsum|cumprod|accumulate")
"""Running folds of 16-bit floats: a graph rounds them once, NumPy at each step."""


def description(results: Any, given: list[Any], source: str = "") -> list[Any]:
    """What two runs are compared by: values, dtypes, shapes, shared memory, changed operands.

    Where the source of the program has functions that leave signs or digits open, without these.
    """

    def divided(array: numpy.ndarray) -> bool:
        """Whether these are complex numbers that a division has rounded, torch's or NumPy's."""
        return array.dtype.kind == "c" and "/" in source

    signs_count, digits_count = not OPEN_SIGNS.search(source), not OPEN_DIGITS.search(source)

    def shown(array: numpy.ndarray) -> Any:
        if array.dtype.kind not in "fc":
            return array.tolist()
        if array.dtype == numpy.float16 and RUNNING.search(source):
            return "values with open digits"
        if not signs_count:
            array = array + 0.0
        if digits_count and not divided(array):
            return array.tolist()
        digits = 5 if array.real.itemsize < 8 else 12
        if array.dtype.kind == "c":  # a part is rounded as the larger of the two is
            small = 10.0**-digits * numpy.abs(array)
            parts = [numpy.where(numpy.abs(v) < small, 0, v) for v in (array.real, array.imag)]
        else:
            parts = [array]
        return [[float(f"{v:.{digits}g}") for v in part.ravel().tolist()] for part in parts]

    found: list[Any] = []
    arrays = (np.ndarray, numpy.ndarray)
    for i, x in enumerate(results):
        array = numpy.asarray(x)
        found.append((f"result {i}", array.dtype, array.shape, shown(array)))
        if array.dtype.kind in "fc" and signs_count and not divided(array):
            parts = (array,) if array.dtype.kind == "f" else (array.real, array.imag)
            signs = [(numpy.signbit(v) & ~numpy.isnan(v)).tolist() for v in parts]
            found.append((f"signs {i}", signs))
        if isinstance(x, arrays) and x.ndim:
            others = [*given, *results[:i]]
            shared = [isinstance(g, arrays) and np.may_share_memory(x, g) for g in others]
            found.append((f"memory of {i}", shared))
    return found + [(f"operand {i}", shown(numpy.asarray(g))) for i, g in enumerate(given)]


TORCHS_OWN = (
    "incorrect out shape after application of ViewMeta sequence",
    "aot_autograd() does not yet handle input mutations on views with different dtypes",
    "is invalid for input of size",
)
"""Errors of AOTAutograd for inputs that share memory: the test has programs of tensors alone."""


def in_one(programs: list[Program]) -> Callable[..., Any]:
    """A function that calls each program with its own list of operands."""
    space: dict[str, Any] = {f"program_{i}": p.function for i, p in enumerate(programs)}
    calls = "".join(f"program_{i}(*given[{i}]), " for i in range(len(programs)))
    exec(f"def programs(given):\n    return [{calls}]", space)
    return space["programs"]


def differences(programs: list[Program], backend: str) -> list[str]:
    """Compile programs, and report those that fail or give something else than in eager mode.

    They are traced as one graph: the compiler then prepares each function that they call once. The
    error of a program that breaks the graph names its file; it is compiled alone, and may break.
    """
    together, alone, found = list(programs), [], []
    while together:
        torch._dynamo.reset()
        operands = [program.arguments() for program in together]
        compiled = torch.compile(in_one(together), backend=backend, fullgraph=True)
        try:
            results = compiled(operands)
        except Exception as error:
            text = str(error)
            broken = [p for p in together if p.file in text] or together
            alone += broken
            together = [p for p in together if p not in broken]
        else:
            for program, result, given in zip(together, results, operands, strict=True):
                got = program.described(result, given)
                if got != program.expected:
                    found.append(program.report(got))
            break
    for program in alone:
        torch._dynamo.reset()
        try:
            got = program.outcome(torch.compile(program.function, backend=backend))
        except Exception as error:
            got = repr(error)
        shares = any(source.startswith("made[") for source in program.operands)
        if got != program.expected and not (shares and any(own in got for own in TORCHS_OWN)):
            found.append(program.report(got))
    return found
