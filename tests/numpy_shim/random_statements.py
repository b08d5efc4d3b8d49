"""Random programs on operands of every kind, run statement by statement in two namespaces.

The statements are those of ``compiled.random_programs`` and ``random_vocabulary``. The operands
are arrays that run backwards, lie in columns or are read-only, fields of packed records, NumPy's
own arrays, also of dtypes that torch cannot store, scalars and numbers. After each statement both
namespaces have raised the same kind of error or none, and every variable has the same values,
dtype and shape.
"""

from __future__ import annotations

import contextlib
import random
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy

import numpy_shim
from tests.numpy_shim.compiled.random_programs import draw_input, line
from tests.numpy_shim.differential import KINDS_OF_ERROR, values_of
from tests.numpy_shim.random_vocabulary import HOST_KINDS, host_array, records, statement
from tests.numpy_shim.random_vocabulary import helpers as functions

STATEMENTS = 12
SIZE = 60
"""Elements of the largest array that a later statement uses."""


def _field(v: numpy.ndarray) -> numpy.ndarray:
    records = numpy.zeros(v.shape, [("tag", "i1"), ("value", v.dtype)])
    records["value"] = v
    return records["value"]


def _locked(a: Any) -> Any:
    a.flags.writeable = False
    return a


Make = Callable[[Any, numpy.ndarray], Any]
ANY: dict[str, Make] = {
    "array": lambda np, v: np.array(v),
    "locked": lambda np, v: _locked(np.array(v)),
    "NumPy's": lambda np, v: v.copy(),
    "field": lambda np, v: _field(v),
}
"""Ways to make an operand of a namespace from the values that were drawn.

There is no locked array of NumPy's and none in the other byte order: what would be a view of it is
a copy, see the table of differences.
"""
WITH_AXES: dict[str, Make] = {
    "reversed": lambda np, v: np.array(v[::-1].copy())[::-1],
    "stepped": lambda np, v: np.array(numpy.repeat(v, 2, -1))[..., ::2],
    "turned": lambda np, v: np.array(v.T.copy()).T,
    "broadcast": lambda np, v: np.broadcast_to(np.array(v[:1]), v.shape),
    "repeated": lambda np, v: np.broadcast_to(np.array(v), (2, *v.shape)),
    "locked, reversed": lambda np, v: _locked(np.array(v[::-1].copy())[::-1]),
    "NumPy's, reversed": lambda np, v: v[::-1].copy()[::-1],
    "NumPy's, in columns": lambda np, v: v.copy("F"),
}
WITH_ELEMENTS: dict[str, Make] = {
    "NumPy's scalar": lambda np, v: v.flat[0],
    "number": lambda np, v: v.flat[0].item(),
    "list": lambda np, v: np.atleast_1d(v).tolist(),
    "element": lambda np, v: np.array(v).ravel()[0],
}

UNDEFINED = re.compile(
    r"np\.median\(.*out=|"  # NumPy adds up in the dtype of the output
    r"partition|"  # the order beside the chosen element
    r"linalg\.solve|"  # near singular matrices, by rounding
    r"np\.histogram\(|"  # of complex numbers, see the table of differences
    r"\.at\(|"  # NumPy writes to read-only memory
    r"(\w+)\.real = \1$|"  # nor does it look at what is copied to itself
    r"\.flat = [a-z]|"  # NumPy does not look for memory that both share
    r"\.shape = |"  # of NumPy's own array, which np.real returns itself
    r"\.searchsorted\(|"  # of what is not sorted
    r"arctan2\.(reduce|accumulate)|"  # NumPy's is wrong with AVX-512: it is no fold
    r"np\.power\(|"  # one exponent 0.5 in an array, see the table of differences
    r"power\.reduce|"  # NumPy leaves factors out where a float exponent is 0.1
    r"modf\(.*, (?P<part>\w+), (?P=part)\)|"  # both parts into one array
    r"\.view\('i8'\)"  # digits of results that are rounded otherwise
)
"""Statements whose result NumPy leaves open, or the table of differences names."""

WRITES_FIRST = re.compile(
    r"\bput\(|\*\*=|errstate.*\n +(\w+ \S+=|.*out=)|"
    r"np\.(std|round|cumsum|concatenate|stack)\(.*out="
)
"""Statements for which NumPy looks at an element, a cast or errors after it has written others."""

NOT_CHECKED = re.compile(
    r"(cumsum|round|einsum|dot).*output array has shape|dot.*not acceptable|"
    r"matmul.*non-broadcastable|"
    r"(copyto|round|\.real =|concatenate|stack).*read-only"
)
"""NumPy's running sum and others take ``out=`` of other shapes or dtypes.

A copy to itself is left out.
"""
REFUSED = re.compile(r"np\.select.*Cannot cast|must be of ArrayType")
"""What NumPy refuses: a cast of a Python number that it counts as weak, a tuple by position."""

HUGE = 1e30
LIKE_A_NUMBER = (bool, int, float, complex)


class DifferenceError(AssertionError):
    """What two namespaces do differently."""


class RoundedError(Exception):
    """A variable differs as it may: what follows may differ in more."""


def helpers(np: Any) -> dict[str, Any]:
    """The names that programs use."""

    def helper(x: Any, y: Any) -> Any:
        return helper(y, x) if x.ndim < y.ndim else np.where(x > y, x - y, y)

    return {"np": np, "helper": helper, **functions(np)}


HELPERS = frozenset(helpers(numpy))


class Program:
    """The operands and the statements of a seed, drawn as they run."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self.kinds: list[str] = []
        self.inputs: list[numpy.ndarray] = []
        self.statements: list[str] = []
        self._theirs, self._ours = helpers(numpy), helpers(numpy_shim)
        self._on_device = numpy_shim.zeros(1).device.type != "cpu"
        for name in "abc":
            self._draw_operand(name)
        self._host_kind = self._rng.choice(HOST_KINDS)
        for space in (self._theirs, self._ours):
            space["r"], space["h"] = records(), host_array(self._host_kind)

    def _draw_operand(self, name: str) -> None:
        v = draw_input(self._rng)
        of_elements = {k: v for k, v in WITH_ELEMENTS.items() if k != "list" or not self._on_device}
        ways = {**ANY, **ANY, **(WITH_AXES if v.ndim else {}), **(of_elements if v.size else {})}
        kind = self._rng.choice(list(ways))
        self.kinds.append(kind)
        self.inputs.append(v)
        self._theirs[name], self._ours[name] = ways[kind](numpy, v), ways[kind](numpy_shim, v)

    def run(self) -> None:
        """Run all statements; ``DifferenceError`` at the first that differs."""
        names = ["a", "b", "c"]
        for i in range(STATEMENTS):
            new, numbers = f"v{i}", self._numbers(names)
            if self._rng.random() < 0.5:
                text = line(self._rng, names, numbers, new)
            else:
                text = statement(self._rng, names, numbers, new, self._host_kind)
            if UNDEFINED.search(text) or self._ends_numpy(text):
                continue
            if self._casts_between(text) or self._drops_nan(text) or self._overflows(text):
                continue
            if self._changes_numpy(text):
                continue
            self.statements.append(text)
            theirs, casts = self._outcome(text, self._theirs)
            ours, _ = self._outcome(text, self._ours)
            if casts:  # what C makes of NaN as an integer differs by processor
                return
            if self._is_unchecked(ours, theirs) or self._is_numpys_own(text, ours, theirs):
                return
            same_error(ours, theirs)
            if theirs is not None and WRITES_FIRST.search(text):
                return
            try:
                self._compare(f"v{i}")
            except RoundedError:
                return
            made = self._theirs.get(f"v{i}")
            if made is not None and numpy.size(made) <= SIZE:
                names.append(f"v{i}")

    def _ends_numpy(self, text: str) -> bool:
        """Whether NumPy 2.4 ends the process at a statement.

        It reads the sizes that an array without axes does not have, in a running fold into it, and
        loses its way where a masked comparison is with an int that the dtype cannot hold.
        """
        out = re.search(r"(cumsum|accumulate)\(.*out=(\w+)(\[.*)?\)", text)
        if out is not None and numpy.ndim(self._theirs.get(out[2])) == 0:
            return True
        compared = re.search(r"(equal|less|greater)\(\w+, (.+?), .*where=", text)
        return compared is not None and type(eval(compared[2], self._theirs)) is int

    def _drops_nan(self, text: str) -> bool:
        """Whether a statement is a product by the number zero, which in BLAS is zero beside NaN."""
        product = re.search(r"(\w+)\.dot\((\w+)\)|np\.(?:dot|inner)\((\w+), (\w+)", text)
        names = [n for n in product.groups() if n] if product else []
        operands = [numpy.asarray(self._theirs.get(n, 1)) for n in names]
        return any(not x.ndim and x.dtype.kind in "biufc" and x == 0 for x in operands)

    def _overflows(self, text: str) -> bool:
        """Whether distances may overflow in a variance, or a Fourier transform meets infinities."""
        spread = re.search(r"np\.(?:nan)?(?:var|std)\((\w+)|(\w+)\.(?:var|std)\(", text)
        transform = re.search(r"np\.fft\.\w*fft\w*\((\w+)", text)
        name = spread[1] or spread[2] if spread else transform[1] if transform else "helper"
        given = numpy.asarray(self._theirs.get(name))
        if given.dtype.kind not in "fc":
            return False
        finite = numpy.isfinite(given)
        if transform and not finite.all():
            return True
        return float(numpy.abs(given[finite]).max(initial=0)) > HUGE

    def _changes_numpy(self, text: str) -> bool:
        """Whether NumPy 2.4 computes with objects from then on, where it raised a ``TypeError``.

        It remembers for dtypes without a loop the one that objects as the output had.
        """
        written = re.search(r"(np\.\w+)\((.*?), (?:out=)?(\w+)(\[[^\]]*\])?(, where=.*)?\)$", text)
        if written is None:
            return False
        out = self._theirs.get(written[3])
        if not isinstance(out, numpy.ndarray) or out.dtype != object:
            return False
        try:
            eval(f"{written[1]}({written[2]})", dict(self._theirs))
        except TypeError:
            return True
        except Exception:
            return False
        return False

    def _casts_between(self, text: str) -> bool:
        """Whether NumPy casts to the dtype of ``out=``, and back, what it has not computed yet.

        That is what a fold has combined, and what a mask leaves out of an array that shares memory
        with an operand; see the table of differences.
        """
        folded = re.search(r"np\.(\w+\.reduce|max|min)\((\w+), .*out=(\w+)", text)
        if folded is not None and folded[1] not in ("add.reduce", "multiply.reduce"):
            given, out = (numpy.asarray(self._theirs[folded[i]]).dtype for i in (2, 3))
            return not numpy.can_cast(given, out, "safe")
        masked = re.search(r"(np\.\w+\(.*), out=(\w+), where=.*\)", text)
        if masked is None:
            return False
        out = self._theirs[masked[2]]
        operands = [self._theirs.get(n) for n in re.findall(r"\w+", masked[1])]
        if not any(
            isinstance(x, numpy.ndarray) and numpy.may_share_memory(x, out) for x in operands
        ):
            return False
        with numpy.errstate(all="ignore"), contextlib.suppress(Exception):
            return bool(eval(masked[1] + ")", dict(self._theirs)).dtype != out.dtype)
        return False

    def _numbers(self, names: list[str]) -> set[str]:
        """The variables that have no methods: not the first operand of a statement."""
        return {n for n in names if isinstance(self._theirs[n], (*LIKE_A_NUMBER, list))}

    def _outcome(self, text: str, space: dict[str, Any]) -> tuple[Exception | None, bool]:
        """The error of a statement, and whether it cast a number that is no integer to one."""
        with warnings.catch_warnings(record=True) as seen, numpy.errstate(invalid="warn"):
            warnings.simplefilter("always")
            try:
                exec(compile(text, "<statement>", "exec"), space)
            except Exception as error:
                space.pop("e", None)  # of a loop of nditer: its memory is another on a device
                return error, False
        return None, any("invalid value encountered in cast" in str(w.message) for w in seen)

    def _is_unchecked(self, ours: Exception | None, theirs: Exception | None) -> bool:
        """Whether only NumPy looked at values: on a device that would wait for them.

        Or looked at them first, where there is another fault, or its scalars lack a member that
        scalars over tensors have.
        """
        kinds = (IndexError, ValueError, ZeroDivisionError, AttributeError)
        looked = isinstance(theirs, IndexError) or "negative integer powers" in str(theirs)
        unlooked = ours is None or looked
        return self._on_device and unlooked and isinstance(theirs, kinds)

    def _is_numpys_own(self, text: str, ours: Any, theirs: Any) -> bool:
        """Whether NumPy lets an error pass, or meets an array of ours in an array of its own."""
        index = re.match(r"(\w+)\[", text)
        if index and type(self._ours.get(index[1])) is numpy.ndarray:
            return ours is None or theirs is None
        if ours is None and REFUSED.search(f"{text} {theirs}"):
            return True
        if ours is None and "read-only" in str(theirs):
            # Views of NumPy's own read-only arrays are copies, see the table of differences.
            own = [v for v in self._ours.values() if type(v) is numpy.ndarray]
            return not all(v.flags.writeable for v in own)
        return theirs is None and NOT_CHECKED.search(f"{text} {ours}") is not None

    def _compare(self, new: str) -> None:
        for name, theirs in self._theirs.items():
            if name in HELPERS or name.startswith("__"):
                continue
            try:
                with numpy.errstate(all="ignore"):
                    if same_value(self._ours.get(name), theirs, name, self._few()):
                        continue
            except DifferenceError:
                if not (self._lies_on_the_host(name) or self._is_an_object(name)):
                    raise
                raise RoundedError from None
            if name != new or isinstance(theirs, tuple) or not self._is_own(new):
                raise RoundedError
            if numpy.ndim(theirs):
                self._ours[name] = numpy_shim.array(theirs)
                if self._ours[name].strides != theirs.strides:
                    raise RoundedError  # what is a view of it depends on that
                self._ours[name].flags.writeable = theirs.flags.writeable
            else:
                self._ours[name] = theirs

    def _few(self) -> float:
        """A thousand roundings of the least precise floats of the program."""
        kinds = (numpy.ndarray, numpy.generic)
        dtypes = {v.dtype for v in self._theirs.values() if isinstance(v, kinds)}
        digits = [numpy.finfo(d).eps for d in dtypes if d.kind in "fc"]
        single = "float32" in "".join(self.statements) or "f4" in "".join(self.statements)
        return 1000 * float(max([*digits, numpy.finfo("f4" if single else "f8").eps]))

    def _lies_on_the_host(self, name: str) -> bool:
        """Whether a variable is, or shares memory with, an array of NumPy's own.

        On a device what is a view of such an array is a copy.
        """
        found = self._theirs[name]
        return self._on_device and any(
            type(v) is numpy.ndarray and numpy.may_share_memory(part, self._theirs[n])
            for n, v in self._ours.items()
            if n in self._theirs
            for part in (found if isinstance(found, (list, tuple)) else [found])
        )

    def _is_an_object(self, name: str) -> bool:
        """Whether a variable is a number out of an array of objects.

        A scalar on a device becomes one of Python's there.
        """
        number = type(self._ours.get(name)) in LIKE_A_NUMBER
        return self._on_device and self._host_kind == "O" and number

    def _is_own(self, new: str) -> bool:
        """Whether a result shares no memory with another variable."""
        found = self._theirs[new]
        return not any(
            numpy.may_share_memory(found, v)
            for name, v in self._theirs.items()
            if name != new and isinstance(v, numpy.ndarray)
        )

    def report(self) -> str:
        """The program as text, to be run with NumPy and with numpy_shim."""
        inputs = [f"r: records; h: {self._host_kind}"]
        inputs += [
            f"{name}: {kind}, {v.dtype} {v.tolist()}"
            for name, kind, v in zip("abc", self.kinds, self.inputs, strict=True)
        ]
        return "\n".join([*inputs, *self.statements])


TWO_FAULTS = re.compile(
    r"read-only|Cannot cast|not 'complex'|must be an array|not supported for the input types|"
    r"cannot interpolate|not writable|unsupported operand|requires a 0 or 1-dim|"
    r"non-broadcastable output|be broadcast together|cannot be written to an array of dtype|"
    r"output array does not match|imaginary part to set|requested dtype could not|"
    r"too deep|tuple index out of range|array element with a sequence|must be of ArrayType"
)
"""Faults that a statement may have beside another; either of the two is raised."""


def same_error(ours: Exception | None, theirs: Exception | None) -> None:
    """Both raise nothing, or errors that the same ``except`` catches."""
    if ours is None and theirs is None:
        return
    kinds = (*KINDS_OF_ERROR, FloatingPointError, SyntaxError)
    if any(isinstance(ours, k) and isinstance(theirs, k) for k in kinds):
        return
    if ours is not None and theirs is not None and TWO_FAULTS.search(f"{ours} {theirs}"):
        return
    raise DifferenceError(f"raised {ours!r} for {theirs!r}")


def same_value(ours: Any, theirs: Any, name: str, few: float) -> bool:
    """Whether a variable is the same to the last bit, the order in memory included.

    ``DifferenceError`` where it differs by more than ``few``.
    """
    if isinstance(theirs, (tuple, list)):
        if type(ours) is not type(theirs) or len(ours) != len(theirs):
            raise DifferenceError(f"{name}: {ours!r} for {theirs!r}")
        return all(same_value(o, t, name, few) for o, t in zip(ours, theirs, strict=True))
    if not isinstance(theirs, (numpy.ndarray, numpy.generic)):
        if type(ours) is not type(theirs):
            raise DifferenceError(f"{name}: {ours!r} for {theirs!r}")
        return same_numbers(numpy.asarray(ours), numpy.asarray(theirs), name, few)
    if not isinstance(ours, (numpy.ndarray, numpy.generic)):
        raise DifferenceError(f"{name}: {type(ours)} for {theirs!r}")
    if isinstance(ours, numpy.generic) != isinstance(theirs, numpy.generic):
        raise DifferenceError(f"{name}: {type(ours)} for {theirs!r}")
    if theirs.dtype.names:
        return all(same_value(ours[f], theirs[f], f"{name}[{f}]", few) for f in theirs.dtype.names)
    values = values_of(ours) if hasattr(ours, "_tensor") else numpy.asarray(ours)
    dtype = ours.dtype if isinstance(ours, numpy.generic) else values.dtype
    if dtype not in (theirs.dtype, theirs.dtype.newbyteorder("=")):
        raise DifferenceError(f"{name}: dtype {dtype} for {theirs.dtype}")
    same = same_numbers(values, numpy.asarray(theirs), name, few)
    # Only an axis of several elements has a step.
    steps = [s for s, size in zip(ours.strides, theirs.shape, strict=True) if size > 1]
    wanted = [s for s, size in zip(theirs.strides, theirs.shape, strict=True) if size > 1]
    return same and (not theirs.size or steps == wanted)


def same_numbers(ours: numpy.ndarray, theirs: numpy.ndarray, name: str, few: float) -> bool:
    """Whether two arrays are the same; ``DifferenceError`` beyond a relative difference."""
    if ours.shape != theirs.shape:
        raise DifferenceError(f"{name}: shape {ours.shape} for {theirs.shape}")
    if theirs.dtype.kind not in "fc":
        if numpy.array_equal(ours, theirs) or str(ours.tolist()) == str(theirs.tolist()):
            return True
    elif theirs.dtype == numpy.longdouble and numpy.array_equal(ours, theirs, equal_nan=True):
        return True  # its bytes are not all of the number
    else:
        if ours.tobytes() == theirs.tobytes():
            return True
        sizes = numpy.abs(theirs[numpy.isfinite(theirs)])
        largest = sizes.max(initial=1.0)
        if largest > HUGE or (theirs.dtype.kind == "c" and len(sizes) != theirs.size):
            raise RoundedError  # what overflows in a step depends on the steps
        if numpy.allclose(ours, theirs, few, few * largest, equal_nan=True):
            return False
    raise DifferenceError(f"{name}: {ours.tolist()} for {theirs.tolist()}")


def difference(seed: int) -> str | None:
    """What the program of a seed does differently, with its text; ``None`` if nothing."""
    program = Program(seed)
    try:
        with numpy_shim.allow_implicit_host_copy():
            program.run()
    except DifferenceError as error:
        return f"seed {seed}\n{program.report()}\n{error}"
    return None
