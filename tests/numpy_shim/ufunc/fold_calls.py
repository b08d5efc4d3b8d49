"""Random calls of reductions, and what they do in NumPy and in ``numpy_shim``.

``draw(seed)`` makes a call of one of six pairs, such as ``sum`` and ``add.reduce``, most of them
valid; ``check(seed)`` makes it of both in both namespaces.

The values are such that no order of folding rounds or overflows a float, so that results are
compared exactly. What is left out, for the result is then not NumPy's to define:

- a float that is cast to an integer dtype which does not have its value: C leaves it open;
- complex products and infinities: infinity times a complex number depends on the order;
- which NaN a complex extremum gives, of several: NumPy's loops over several axes go in an
  order of their own. It has to be a NaN.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy

import numpy_shim
from numpy_shim._base.release import RELEASE
from tests.differential import Spec
from tests.numpy_shim.differential import build, outcome, same, values_of

PAIRS = {
    "sum": "add", "prod": "multiply", "max": "maximum", "min": "minimum", "any": "logical_or",
    "all": "logical_and",
}  # fmt: skip
DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip
WITH_DTYPE = frozenset({"sum", "prod"})
WITHOUT_INITIAL = frozenset({"any", "all"})
ABSENT: Any = object()


class Call(NamedTuple):
    """A call of a pair: the function's name, the operand, and the options by name."""

    function: str
    operand: Spec
    options: dict[str, Any]

    def __repr__(self) -> str:
        options = ", ".join(f"{k}={v!r}" for k, v in self.options.items())
        return f"{self.function}({self.operand!r}, {options})"


class Draw:
    """The parts of one call, from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def chance(self, likely: float) -> bool:
        return self.random.random() < likely

    def shape(self) -> tuple[int, ...]:
        """A shape of at most four axes; sizes of 0 and 1 are common."""
        most = self.random.choice((0, 1, 1, 2, 2, 3, 4))
        return tuple(self.random.choice((0, 1, 2, 3, 3)) for _ in range(most))

    def operand(self, function: str, whole: bool) -> Spec:
        """An array; ``whole`` leaves out what no integer is."""
        pick = self.random
        shape, dtype = self.shape(), numpy.dtype(pick.choice(DTYPES))
        count = int(numpy.prod(shape, dtype=int))
        if dtype.kind == "b":
            values: list[Any] = [self.chance(0.6) for _ in range(count)]
        elif dtype.kind in "iu" and not whole:
            low, high = int(numpy.iinfo(dtype).min), int(numpy.iinfo(dtype).max)
            values = [
                pick.choice((low, high, 0, 1, 2, pick.randint(low, high))) for _ in range(count)
            ]
        elif function == "prod":
            values = [1.0] * count
            for _ in range(min(count, 5)):
                values[pick.randrange(count)] = pick.choice(
                    (2, 3, 1, 0) if whole else (-2, 0.5, -1, 0, 3)
                )
        else:
            values = [
                pick.choice((0, 1) if whole else (-2, -1, -0.5, 0, 0.5, 1, 2)) for _ in range(count)
            ]
        if dtype.kind in "fc" and not whole and count and self.chance(0.3):
            special = [numpy.nan] if dtype.kind == "c" else [numpy.nan, numpy.inf, -numpy.inf]
            values[pick.randrange(count)] = pick.choice(special)
        if dtype.kind == "c" and function != "prod" and not whole:
            values = [complex(v, pick.choice((-1, 0, 0, 2))) for v in values]
        made = numpy.array(values, dtype).reshape(shape)
        return Spec(made, pick.choice(("contiguous", "contiguous", "transposed", "strided")))

    def axis(self, ndim: int) -> Any:
        pick = self.random
        form = pick.random()
        if form < 0.3:
            return None
        if form < 0.6:
            return (
                pick.randint(-ndim - 1, ndim)
                if self.chance(0.2) or not ndim
                else pick.randrange(-ndim, ndim)
            )
        if form < 0.92:
            some = pick.sample(range(ndim), pick.randint(0, ndim))
            if self.chance(0.1):
                some.append(pick.choice((0, ndim, -1)))
            return tuple(a - ndim if self.chance(0.3) else a for a in some)
        return pick.choice((
            True, False, (True,), 0.0, [0], "0", 2**31, 10**30, -(10**30), (10**30,),
            numpy.int8(0), numpy.uint64(0), Spec(numpy.array(0)), Spec(numpy.array([0])),
        ))  # fmt: skip

    def initial(self, whole: bool) -> Any:
        pick = self.random
        if whole or self.chance(0.5):
            return pick.choice((None, 0, 1, 2, True, 1.0, 3))
        return pick.choice((
            -1, 2.5, -2.5, 100, 200, 300, -129, 40000, 2**31, 2**40, 2**63, 2**64, 2**70, -(2**70),
            numpy.nan, numpy.inf, -numpy.inf, 1e300, 1j, 2 + 0j, "3", "x", [1], (), [1, 2],
            numpy.int64(3), numpy.int64(300), numpy.int8(-1), numpy.uint64(2**63),
            numpy.float64(2.5), numpy.float64(numpy.nan), numpy.float32(numpy.inf),
            numpy.complex64(2), numpy.bool_(True), Spec(numpy.array(2)), Spec(numpy.array(300)),
            Spec(numpy.array(2.5)), Spec(numpy.array([1])), Spec(numpy.array([1, 2])),
        ))  # fmt: skip

    def where(self, shape: tuple[int, ...]) -> Any:
        pick = self.random
        if self.chance(0.12):
            return pick.choice((True, False, None, 1, 0, 2.5, numpy.True_, numpy.False_))
        sizes = [n if self.chance(0.7) else 1 for n in shape]
        sizes = sizes[pick.randint(0, len(sizes)) if self.chance(0.3) else 0 :]
        if self.chance(0.12):
            sizes = [pick.choice((1, 2, 3)), *sizes]
        if sizes and self.chance(0.08):
            sizes[pick.randrange(len(sizes))] += 1
        count = int(numpy.prod(sizes, dtype=int))
        mask = numpy.array([self.chance(0.6) for _ in range(count)], bool).reshape(sizes)
        if self.chance(0.1):
            return mask.tolist()
        if self.chance(0.05):
            return Spec(mask.astype(pick.choice(("int8", "float64"))))
        return Spec(mask)

    def out(self, operand: Spec, axis: Any, keepdims: Any) -> Any:
        """An array of the right shape as a rule."""
        pick = self.random
        if self.chance(0.05):
            return pick.choice(([], 3, ... if RELEASE >= (2, 3) else 3))
        try:
            shape = numpy.any(operand.values, axis=axis, keepdims=keepdims is True).shape
        except Exception:
            shape = ()
        if self.chance(0.1):
            shape = (*shape, pick.choice((1, 2)))
        return Spec(numpy.ones(shape, pick.choice(DTYPES)))


def draw(seed: int) -> Call:
    """The call of a seed."""
    draw = Draw(seed)
    pick = draw.random
    function = pick.choice(tuple(PAIRS))
    into = {k: None for k, likely in (("dtype", 0.2), ("out", 0.2)) if draw.chance(likely)}
    operand = draw.operand(function, whole=bool(into))
    shape = operand.values.shape
    options: dict[str, Any] = {"axis": draw.axis(len(shape))}
    if draw.chance(0.4):
        options["keepdims"] = pick.choice((True, True, False, 2, 0, None, 1.0, numpy.True_))
    if draw.chance(0.4):
        options["initial"] = draw.initial(whole=bool(into))
    if draw.chance(0.4):
        options["where"] = draw.where(shape)
    if "dtype" in into:
        options["dtype"] = pick.choice((*DTYPES, float, int, "U3", "x"))
    if "out" in into:
        options["out"] = draw.out(operand, options["axis"], options.get("keepdims"))
    kinds = {str(operand.values.dtype), str(options.get("dtype"))}
    if isinstance(options.get("out"), Spec):
        kinds.add(str(options["out"].values.dtype))
    if function == "prod" and any("complex" in kind for kind in kinds):
        infinite = isinstance(options.get("initial"), float | numpy.float32)
        if infinite and numpy.isinf(options["initial"]):
            del options["initial"]
    return Call(function, operand, options)


def results(np: Any, call: Call) -> list[Any]:
    """What the function gives, where it has all options, and what the ufunc's method gives."""
    found = []
    refused = {"dtype"} - ({"dtype"} if call.function in WITH_DTYPE else set())
    if call.function in WITHOUT_INITIAL:
        refused.add("initial")
    for is_method in (False, True):
        if not is_method and refused & call.options.keys():
            continue
        function = (
            getattr(np, PAIRS[call.function]).reduce if is_method else getattr(np, call.function)
        )
        a = build(np, call.operand)
        options = {k: build(np, v) for k, v in call.options.items()}

        def body(np: Any, a: Any = a, function: Any = function, options: Any = options) -> Any:
            result = function(a, **options)
            if isinstance(options.get("out"), np.ndarray):
                assert result is options["out"]
            return result

        found.append(outcome(body, np, []))
    return found


def nan_of_any_kind(array: Any) -> Any:
    """A complex array; each NaN is NaN in both parts."""
    if isinstance(array, (numpy.ndarray, numpy.generic)) and array.dtype.kind == "c":
        return numpy.where(numpy.isnan(array), complex(numpy.nan, numpy.nan), array)
    return array


def check(seed: int) -> None:
    """The call of a seed: both functions do what NumPy's do, and the same where NumPy's do."""
    call = draw(seed)
    ours, theirs = results(numpy_shim, call), results(numpy, call)
    for o, t in zip(ours, theirs, strict=True):
        _same(o, t, f"seed {seed}: {call!r}")
    if len(ours) == 2 and _agree(*theirs):
        assert _agree(*ours), f"seed {seed}: {call!r}: {ours[0]!r} and {ours[1]!r}"


def _same(o: Any, t: Any, where: str) -> None:
    try:
        same(o, t, signed_zeros=False)
    except AssertionError as error:
        if not (isinstance(o, Exception) or isinstance(t, Exception)) and t.dtype.kind == "c":
            assert (o.dtype, tuple(o.shape)) == (t.dtype, t.shape), where
            numpy.testing.assert_array_equal(
                nan_of_any_kind(values_of(o)), nan_of_any_kind(t), err_msg=where
            )
            return
        raise AssertionError(f"{where}: {error}") from None


def _agree(first: Any, second: Any) -> bool:
    """Whether two outcomes in one namespace are the same: type, dtype, shape and values."""
    if isinstance(first, Exception) or isinstance(second, Exception):
        return type(first) is type(second)
    if type(first) is not type(second) or first.dtype != second.dtype:
        return False
    both = [
        nan_of_any_kind(values_of(r) if hasattr(r, "_tensor") else numpy.asarray(r))
        for r in (first, second)
    ]
    return both[0].shape == both[1].shape and numpy.array_equal(
        *both, equal_nan=both[0].dtype.kind in "fc"
    )
