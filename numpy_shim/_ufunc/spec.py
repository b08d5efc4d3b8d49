"""The tables of a ufunc, from dtypes to torch functions, built once.

They are empty until the ufunc is first called, or until Dynamo is imported, which reads them.

The dtypes that a ufunc computes in, and those of its results, are NumPy's own answers
(``numpy.ufunc.resolve_dtypes``) for every combination of dtypes and weak Python numbers. So
NEP 50 holds by construction, and a call is only a lookup.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.compiler import is_dynamo_compiling

from xp_torch._core.dtypes import name_of
from xp_torch._kernels.blocks import filled, is_large
from xp_torch._kernels.kernel import Kernel, Numbers, quickest

from .._base.dtypes import COMPLEXES, FLOATS, HALVES, INTEGERS, NUMPY, TORCH
from .._base.fast_tables import FastTable, fast_table, fill
from .._base.release import ufunc_of
from .._base.tracing import constant
from .._kernels.casting import cast
from .._kernels.host_kernels import kernel_of, with_numpys
from .._kernels.in_blocks import cast_first, of_bytes

Key = tuple[Any, ...]
"""The operands' kinds: torch dtypes, and ``int``, ``float`` or ``complex`` for weak numbers."""


Functions = dict[Any, Callable[..., Any]]
"""The function of operands of each dtype, or of a tuple of dtypes where they differ."""


class Loop(NamedTuple):
    """One loop of a ufunc: its dtypes, and its function of tensors."""

    inputs: tuple[torch.dtype, ...]
    outputs: tuple[torch.dtype, ...]
    function: Callable[..., Any]


OfNumber = FastTable[torch.dtype, Callable[..., Tensor]]
"""The function of an array of each dtype and a Python number: ``(array, number)``."""


class Spec(NamedTuple):
    """Everything that a call of a ufunc needs; plain tables, which Dynamo can trace.

    ``fast`` has the function of operands that are all of one dtype, ``made`` the dtype of their
    (first) result, and ``mixed`` the function of two of different dtypes. ``into`` has torch's own
    functions that take ``out=``, by the operands' dtype and that of the result. ``right_float`` and
    ``right_int`` have the functions of an array of a dtype and a Python float or int on its right,
    ``left_float`` and ``left_int`` of one on its left, ``(array, number)``. ``numbered`` has each
    of the ``loops`` once.
    """

    name: str
    nin: int
    nout: int
    functions: Functions
    loops: dict[Key, Loop]
    numbered: list[Loop]
    fast: FastTable[torch.dtype, Callable[..., Any]]
    made: dict[torch.dtype, torch.dtype]
    mixed: FastTable[Key, Callable[..., Any]]
    into: FastTable[tuple[torch.dtype, torch.dtype], Callable[..., Tensor]]
    right_float: OfNumber
    right_int: OfNumber
    left_float: OfNumber
    left_int: OfNumber
    numbers: Numbers | None
    compares: bool


OPERATORS: dict[Any, Callable[..., Tensor]] = {
    operator.ne: torch.ne, operator.lt: torch.lt, operator.le: torch.le, operator.gt: torch.gt,
    operator.ge: torch.ge,
}  # fmt: skip
"""Operators that kernels use for their speed, and the functions that take ``out=``."""

TAKE_OUT = frozenset({
    torch.abs, torch.acos, torch.acosh, torch.add, torch.asin, torch.asinh, torch.atan,
    torch.atan2, torch.atanh, torch.bitwise_and, torch.bitwise_left_shift, torch.bitwise_not,
    torch.bitwise_or, torch.bitwise_right_shift, torch.bitwise_xor, torch.ceil, torch.copysign,
    torch.cos, torch.cosh, torch.deg2rad, torch.div, torch.eq, torch.exp, torch.exp2,
    torch.expm1, torch.floor, torch.fmax, torch.fmin, torch.gcd, torch.hypot, torch.log,
    torch.log10, torch.log1p, torch.log2, torch.logaddexp, torch.logaddexp2, torch.logical_and,
    torch.logical_not, torch.logical_or, torch.logical_xor, torch.maximum, torch.minimum,
    torch.mul, torch.neg, torch.nextafter, torch.pow, torch.rad2deg, torch.reciprocal,
    torch.round, torch.signbit, torch.sin, torch.sinh, torch.sqrt, torch.square, torch.sub,
    torch.tan, torch.tanh, torch.trunc,
})  # fmt: skip
"""Functions of torch that ufuncs use as they are, and that take ``out=``."""

PROMOTING = frozenset({
    torch.add, torch.div, torch.maximum, torch.minimum, torch.mul, torch.pow, torch.sub,
    *OPERATORS, *OPERATORS.values(),
})  # fmt: skip
"""Functions of torch that cast their operands to their promoted dtype."""

_KINDS: dict[Any, str] = {
    torch.bool: "bool",
    **dict.fromkeys((torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64), "integer"),
    **dict.fromkeys((torch.float32, torch.float64), "float"),
}
"""The kinds of the dtypes that all of torch's functions support."""

SPECS: dict[str, Spec] = {}
"""Every ufunc's spec by name."""

_waiting: dict[str, list[Callable[[], object]]] = {}
"""What is made of the tables of each ufunc as soon as they are filled; an entry goes then."""


def widened(function: Callable[..., Any], dtype: torch.dtype) -> Callable[..., Any]:
    """A function of 16-bit floats made from one of float32, as in NumPy."""

    def write(out: Tensor, x: Tensor) -> None:
        out.copy_(function(x.float()))

    def through_float32(*tensors: Tensor) -> Any:
        x = tensors[0]
        if len(tensors) == 1 and is_large(x):
            of_one = function(x.new_zeros(1, dtype=torch.float32))
            if isinstance(of_one, Tensor) and of_one.dtype is torch.float32:
                return filled(write, general, dtype, x)
        return general(*tensors)

    def general(*tensors: Tensor) -> Any:
        result = function(*[t.float() if t.dtype is dtype else t for t in tensors])
        if isinstance(result, tuple):
            return tuple(r.to(dtype) if r.dtype is torch.float32 else r for r in result)
        return result.to(dtype) if result.dtype is torch.float32 else result

    return through_float32


def functions_of(
    kernel: Kernel,
    special: Functions | None = None,
    halves: bool = False,
) -> Functions:
    """The function of each dtype: the special one, torch's where it is right, the general one.

    ``halves`` says that torch's own function is right for 16-bit floats.
    """
    special = special or {}
    table: Functions = {key: f for key, f in special.items() if isinstance(key, tuple)}
    for dtype in NUMPY:
        if dtype in special:
            table[dtype] = special[dtype]
        elif dtype in HALVES:
            table[dtype] = kernel.torch if halves else widened(kernel.general, dtype)
        else:
            table[dtype] = kernel.torch if dtype in kernel.native else kernel.general
    return table


@cache  # the tables of all ufuncs share the keys
def _keys(nin: int) -> tuple[tuple[Key, tuple[Any, ...]], ...]:
    """Every combination of operand kinds, with the dtypes to ask NumPy about."""
    kinds: list[tuple[Any, Any]] = [(t, n) for n, t in TORCH.items()]
    kinds += [(kind, kind) for kind in (int, float, complex)]
    return tuple(
        (tuple(k for k, _ in combination), tuple(n for _, n in combination))
        for combination in itertools.product(kinds, repeat=nin)
        if any(isinstance(k, torch.dtype) for k, _ in combination)
    )


_SAME_LOOPS = {
    name: first
    for first, *others in (
        ("add", "multiply", "maximum", "minimum", "fmax", "fmin"),
        ("floor_divide", "remainder", "fmod"),
        ("gcd", "lcm"),
        ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
        ("logical_and", "logical_or", "logical_xor"),
        ("bitwise_and", "bitwise_or", "bitwise_xor"),
        ("left_shift", "right_shift"),
        ("copysign", "hypot", "arctan2", "logaddexp", "logaddexp2", "heaviside", "nextafter"),
    )
    for name in others
}
"""Ufuncs that compute in the same dtypes as another, which is asked for both.

Each of the ten thousand questions takes a microsecond. A test asks them all.
"""


def resolved_by_key(name: str) -> dict[Key, tuple[torch.dtype, ...]]:
    """The dtypes in which NumPy's ufunc computes and of its results, where torch stores them all.

    By the kinds of the operands; those that NumPy refuses are left out.
    """
    reference = ufunc_of(name)
    nothing = (None,) * reference.nout
    found = {}
    for key, asked in _keys(reference.nin):
        try:
            resolved = reference.resolve_dtypes((*asked, *nothing))
        except (TypeError, OverflowError):
            continue
        dtypes = stored(resolved)
        if dtypes is not None:
            found[key] = dtypes
    return found


_resolved_once = cache(resolved_by_key)


def make_loop(functions: Functions, dtypes: tuple[torch.dtype, ...], nin: int) -> Loop:
    """The loop for these dtypes of operands and results."""
    inputs = dtypes[:nin]
    return Loop(inputs, dtypes[nin:], functions.get(inputs) or functions[dtypes[0]])


def stored(resolved: tuple[Any, ...]) -> tuple[torch.dtype, ...] | None:
    """The torch dtypes for NumPy's answer, if torch has storage for all of them."""
    try:
        return tuple([TORCH[d] for d in resolved])
    except KeyError:
        return None


def make_spec(
    name: str,
    functions: Functions,
    numbers: Numbers | None = None,
    *,
    compares: bool = False,
) -> Spec:
    """The spec of NumPy's ufunc of this name, whose tables are filled at its first use."""
    reference = ufunc_of(name)
    functions, numbers = with_numpys(name, functions, numbers)
    spec = SPECS[name] = Spec(
        name, reference.nin, reference.nout, functions, {}, [], fast_table(), {}, fast_table(),
        fast_table(), fast_table(), fast_table(), fast_table(), fast_table(), numbers, compares,
    )  # fmt: skip
    _waiting[name] = []
    return spec


def when_filled(spec: Spec, function: Callable[[], object]) -> None:
    """Call a function as soon as the tables of a spec are filled, which may be now.

    Two threads that use a ufunc first may both call it.
    """
    waiting = _waiting.get(spec.name)
    if waiting is None:
        function()
    else:
        waiting.append(function)


def newly_filled(spec: Spec) -> bool:
    """Whether this call has filled the tables of a spec: then its fast path deserves a new try."""
    if is_dynamo_compiling():  # the tables are full, and each key would be compared at each call
        return False
    if spec.loops or (waiting := _waiting.get(spec.name)) is None:
        return False
    loops = _fill_tables(SPECS[spec.name])  # an operator's own tables wait for the ufunc's
    for function in waiting:
        function()
    spec.numbered[:] = {id(loop): loop for loop in loops.values()}.values()
    spec.loops.update(loops)  # last: they say that all is there
    _waiting.pop(spec.name, None)
    return True


def loop_of(spec: Spec, key: Key) -> Loop:
    """The loop for operands of these kinds; ``TypeError`` if there is none."""
    if is_dynamo_compiling():
        number = _number_of(spec.name, key)
        loop = None if number is None else spec.numbered[number]
    else:
        loop = spec.loops.get(key)
        if loop is None:
            newly_filled(spec)
            loop = spec.loops.get(key)  # another thread may have filled the table
    if loop is None:
        raise no_loop(spec.name, key)
    return loop


@constant
def _number_of(name: str, key: Key) -> int | None:
    """The place of a loop: Dynamo would compare all keys of a table that it looks into."""
    loop = SPECS[name].loops.get(key)
    return None if loop is None else SPECS[name].numbered.index(loop)


def fill_every_spec() -> None:
    """Fill the tables of every ufunc. Dynamo would compile anew after a table has grown."""
    for spec in list(SPECS.values()):
        newly_filled(spec)


def _fill_tables(spec: Spec) -> dict[Key, Loop]:
    """Fill the tables of the fast paths; the loops, which are still to be put in their table."""
    name, functions, numbers, nin = spec.name, spec.functions, spec.numbers, spec.nin
    loops: dict[Key, Loop] = {}
    # One object for all keys that it serves: 50,000 objects more would take half their time in
    # Python's search for those that are no longer used.
    shared: dict[tuple[torch.dtype, ...], Loop] = {}
    casting: dict[Any, Callable[..., Any]] = {}
    base = _SAME_LOOPS.get(name, name)
    for key, dtypes in _resolved_once(base).items():
        loop = shared.get(dtypes)
        if loop is None:
            if dtypes[0] not in functions and dtypes[:nin] not in functions:
                continue
            loop = shared[dtypes] = make_loop(functions, dtypes, nin)
        loops[key] = loop
    fast = {
        key[0]: _cast_as(loop, _casts(loop.inputs, key, _does_promote(loop.function, key)), casting)
        for key in ((dtype,) * nin for dtype in NUMPY)
        if (loop := loops.get(key)) is not None
    }
    mixed: dict[Key, Callable[..., Any]] = {}
    casting = {}  # torch casts operands of two dtypes by itself, NumPy's functions are for one
    for key, promoted, plain in _mixed_casts(base) if nin == 2 else ():
        if (known := loops.get(key)) is not None:
            known = known._replace(function=kernel_of(known.function))
            casts = promoted if _does_promote(known.function, key) else plain
            mixed[key] = of_bytes(_cast_as(known, casts, casting), *key)
    spec.made.update({dtype: loops[(dtype,) * nin].outputs[0] for dtype in fast})
    fill(spec.fast, ((d, quickest(f)) for d, f in fast.items()))
    fill(spec.mixed, mixed)
    fill(spec.into, {
        (dtype, loops[(dtype,) * nin].outputs[0]): OPERATORS.get(function, function)
        for dtype, function in ((d, kernel_of(f)) for d, f in fast.items())
        if spec.nout == 1 and (function in OPERATORS or function in TAKE_OUT)
    })  # fmt: skip
    if numbers is not None:
        _fill_with_numbers(loops, numbers, float, spec.right_float, spec.left_float)
        _fill_with_numbers(loops, numbers, int, spec.right_int, spec.left_int)
    return loops


def _does_promote(function: Callable[..., Any], key: Key) -> bool:
    """Whether a function casts its operands to their promoted dtype."""
    # torch cannot subtract booleans
    return function in PROMOTING and not (function is torch.sub and torch.bool in key)


_Casts = tuple[tuple[torch.dtype, ...], bool, tuple[bool, ...]]


def _cast_as(
    loop: Loop, casts: _Casts | None, made: dict[Any, Callable[..., Any]]
) -> Callable[..., Any]:
    """The function of a loop behind casts; ``made`` has those of any loop of the ufunc."""
    if casts is None:
        return loop.function
    if casts not in made:
        made[casts] = _casting(loop, *casts[1:])
    return made[casts]


@cache  # for the ufuncs that share loops
def _mixed_casts(name: str) -> tuple[tuple[Key, _Casts | None, _Casts | None], ...]:
    """Pairs of different dtypes, and their casts for functions that promote and that do not."""
    return tuple(
        (key, _casts(dtypes[:2], key, True), _casts(dtypes[:2], key, False))
        for key, dtypes in _resolved_once(name).items()
        if key[0] is not key[1] and all(isinstance(k, torch.dtype) for k in key)
    )


@cache  # the ufuncs ask the same some thousand times
def _casts(wanted: tuple[torch.dtype, ...], key: Key, does_promote: bool) -> _Casts | None:
    """How operands are cast to the wanted dtypes, by width or not, and which; None: torch does it.

    ``does_promote`` says that the function casts its operands to their promoted dtype. Within a
    kind torch treats a 0-D tensor as weak; NumPy does not.
    """

    def casts_itself(kinds: Key) -> bool:
        return (
            does_promote
            and wanted == (wanted[0], wanted[0])
            and all(k in _KINDS for k in kinds)
            and torch.promote_types(*kinds) is wanted[0]
        )

    def promotes(kinds: Key) -> bool:
        return casts_itself(kinds) and _KINDS[kinds[0]] != _KINDS[kinds[1]]

    if wanted == key or promotes(key):
        return None
    by_width = casts_itself(key)
    slots = tuple([k is not w for k, w in zip(key, wanted, strict=True)])
    if slots == (True, True) and not by_width:  # one may suffice, if torch then casts the other
        if promotes((wanted[0], key[1])):
            slots = True, False
        elif promotes((key[0], wanted[1])):
            slots = False, True
    return wanted, by_width, slots


def _casting(loop: Loop, by_width: bool, slots: tuple[bool, ...]) -> Callable[..., Any]:
    function = loop.function
    if len(slots) == 1:
        (wanted,) = loop.inputs
        if len(loop.outputs) == 1:
            return cast_first(function, wanted, loop.outputs[0], function in TAKE_OUT)
        return lambda x: function(x.to(wanted))
    x, y = loop.inputs
    if by_width:
        return _of_two_widths(function, slots[0], slots[1], x)
    if not slots[0]:
        return lambda a, b: function(a, b.to(y))
    if not slots[1]:
        return lambda a, b: function(a.to(x), b)
    return lambda a, b: function(a.to(x), b.to(y))


def _of_two_widths(
    function: Callable[..., Any], first: bool, second: bool, wanted: torch.dtype
) -> Callable[..., Any]:
    """The function of two dtypes of a kind, which torch casts unless the wider one is 0-D.

    ``first`` and ``second`` say which of the two has another dtype than the wanted one.
    """
    if not first:

        def wider_first(a: Tensor, b: Tensor) -> Any:
            return function(a, b if a.dim() or not b.dim() else b.to(wanted))

        return wider_first
    if not second:

        def wider_second(a: Tensor, b: Tensor) -> Any:
            return function(a if b.dim() or not a.dim() else a.to(wanted), b)

        return wider_second

    def neither(a: Tensor, b: Tensor) -> Any:  # uint8 and int8
        if a.dim() and b.dim():
            return function(a, b)
        return function(a.to(wanted), b.to(wanted))

    return neither


def _fill_with_numbers(
    loops: dict[Key, Loop], numbers: Numbers, kind: type, right: OfNumber, left: OfNumber
) -> None:
    """Fill the tables for a Python number on the right and on the left; ints within 2**53 only."""
    of_right: dict[torch.dtype, Callable[..., Tensor]] = {}
    of_left: dict[torch.dtype, Callable[..., Tensor]] = {}
    for dtype in FLOATS | COMPLEXES | INTEGERS | {torch.bool}:
        if (wanted := _beside(loops.get((dtype, kind)), numbers)) is not None:
            of_right[dtype] = _cast_first(numbers.right, dtype, wanted)
        if numbers.left is None:
            continue
        if (wanted := _beside(loops.get((kind, dtype)), numbers)) is not None:
            of_left[dtype] = _cast_first(numbers.left, dtype, wanted)
    fill(right, of_right)
    fill(left, of_left)


def _beside(loop: Loop | None, numbers: Numbers) -> torch.dtype | None:
    """The dtype of an array that is combined with a number that torch takes directly."""
    if loop is None or loop.inputs[0] is not loop.inputs[1]:
        return None
    dtype = loop.inputs[0]
    every_number_fits = dtype in FLOATS or dtype in COMPLEXES or dtype is torch.int64
    return dtype if every_number_fits and dtype in numbers.dtypes else None


def _cast_first(
    function: Callable[..., Tensor], dtype: torch.dtype, wanted: torch.dtype
) -> Callable[..., Tensor]:
    if dtype is wanted:
        return function
    if dtype is torch.bool:
        return lambda x, number: function(cast(x, wanted), number)
    if wanted is torch.float64:  # its own method takes half the time of ``to``
        return lambda x, number: function(x.double(), number)
    return lambda x, number: function(x.to(wanted), number)


def no_loop(name: str, key: Key) -> TypeError:
    """NumPy's error for dtypes that a ufunc does not support."""
    listed = ", ".join(k.__name__ if isinstance(k, type) else name_of(k) for k in key)
    return TypeError(
        f"ufunc {name!r} not supported for the input types ({listed}), and the inputs could not "
        "be safely coerced to any supported types according to the casting rule 'safe'"
    )
