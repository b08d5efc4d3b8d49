"""From a kernel to a public function: SciPy's dtypes, broadcasting, ``out=`` and docstring."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor

from xp_torch._core.dtypes import name_of

from .._array.ndarray import ndarray
from .._array.typing import OutArray
from .._base.axes import broadcast_shapes
from .._base.dtypes import COMPLEXES, FLOATS, INTEGERS
from .._base.promotion import WEAK
from .._base.typing import ArrayLike
from .._convert.arguments import as_tensor, check_devices, device_of, finish
from .._kernels.numbers import full_scalar

Loops = Literal["single", "double"]
"""Which of SciPy's loops NumPy tries first.

``single``: operands that fit in float32 are computed in it, also float16, int8 and Python numbers
beside float32. ``double``: only operands that are all float32 arrays.
"""


def _has_double() -> bool:
    """Whether the installed SciPy has such functions: from 1.18 on ``logit`` alone is one."""
    try:
        return tuple(map(int, version("scipy").split(".")[:2])) < (1, 18)
    except PackageNotFoundError:
        return False


_HAS_DOUBLE = _has_double()
_FIT_SINGLE = frozenset(
    {torch.bool, torch.int8, torch.uint8, torch.int16, torch.uint16, torch.float16, torch.float32}
)
_NUMBERS = FLOATS | COMPLEXES | INTEGERS | {torch.bool}


class Rule(NamedTuple):
    """What a function takes: its loops, the operands for which integers have a loop, complex.

    ``complexes="only"``: SciPy has no real loops, and real operands are cast to complex ones.
    """

    loops: Loops = "single"
    integers: tuple[int, ...] = ()
    complexes: bool | Literal["only"] = False


def computed_in(name: str, rule: Rule, kinds: list[Any]) -> torch.dtype:
    """The dtype in which SciPy computes operands of these kinds (dtypes, and weak Python types)."""
    complexes = rule.complexes
    for kind in kinds:
        refused = kind is complex or kind in COMPLEXES
        if (refused and not complexes) or (isinstance(kind, torch.dtype) and kind not in _NUMBERS):
            listed = kind.__name__ if isinstance(kind, type) else name_of(kind)
            raise TypeError(
                f"ufunc {name!r} not supported for the input types, and the inputs could not be "
                f"safely coerced to any supported types: got {listed}"
            )
    strong = [k for k in kinds if isinstance(k, torch.dtype)]
    halves = {torch.complex64: torch.float32, torch.complex128: torch.float64}
    real = [halves.get(k, k) for k in strong]
    if rule.loops == "double":
        exact = {torch.complex64} if complexes == "only" else {torch.float32, torch.complex64}
        single = len(strong) == len(kinds) and all(k in exact for k in strong)
    else:
        single = bool(strong) and all(k in _FIT_SINGLE for k in real)
        if not any(k in FLOATS for k in real) and any(k is float or k is complex for k in kinds):
            single = False
        if rule.integers and all(kinds[i] is int or kinds[i] in INTEGERS for i in rule.integers):
            single = False
    if any(k is complex or k in COMPLEXES for k in kinds):
        return torch.complex64 if single else torch.complex128
    return torch.float32 if single else torch.float64


def operands(
    name: str, xs: tuple[Any, ...], arguments: tuple[str, ...], rule: Rule
) -> list[Tensor]:
    """The operands as tensors of the dtype that SciPy computes in, on one device."""
    device = device_of(*xs)
    weak = [type(x) in WEAK for x in xs]
    found = [
        None if w else as_tensor(name, x, a, device)
        for x, w, a in zip(xs, weak, arguments, strict=True)
    ]
    tensors = [t for t in found if t is not None]
    check_devices(name, tensors)
    kinds = [type(x) if t is None else t.dtype for x, t in zip(xs, found, strict=True)]
    dtype = computed_in(name, rule, kinds)
    where = tensors[0].device if tensors else None
    return [
        full_scalar(name, a, x, _own(dtype, type(x)), where)
        if t is None
        else t.to(_own(dtype, t.dtype))
        for x, t, a in zip(xs, found, arguments, strict=True)
    ]


def _own(dtype: torch.dtype, kind: Any) -> torch.dtype:
    """The dtype of one operand: real ones stay real beside complex ones."""
    if dtype not in COMPLEXES or kind is complex or kind in COMPLEXES:
        return dtype
    return torch.float32 if dtype is torch.complex64 else torch.float64


_TEXT = """{summary}

Parameters
----------
{arguments} : array_like
    {numbers}{more}
out : {outs}, optional
    Where to put the result{s}.

Returns
-------
{returns}
    {dtype}

Raises
------
TypeError
    For elements that are no {kind} numbers, or a wrong number of operands.

Source: ``scipy.special.{name}``.

Examples
--------
>>> import numpy_shim as np
>>> {call}
{result}
"""
_SINGLE = "float32 if that holds all operands, else float64."
_DOUBLE = "float32 if all operands are float32 arrays, else float64."
_COMPLEX = " Complex if an operand is."


def declare(
    kernel: Callable[..., Any],
    arguments: str,
    summary: str,
    example: tuple[str, str],
    *,
    loops: Loops = "single",
    integers: tuple[int, ...] = (),
    complexes: bool | Literal["only"] = False,
    results: int = 1,
    name: str = "",
    more: str = "",
) -> Callable[..., Any]:
    """A function of ``arguments`` (names between spaces) like SciPy's ufunc, made of a kernel.

    ``example`` is an expression and its text.
    """
    name = name or kernel.__name__
    if not _HAS_DOUBLE and name != "logit":
        loops = "single"
    takes_number = getattr(kernel, "takes_number", False)
    names = tuple(arguments.split())
    count = len(names)
    rule = Rule(loops, integers, complexes)

    def function(*xs: ArrayLike, out: Any = None) -> Any:
        if len(xs) != count:
            if not count < len(xs) <= count + results or out is not None:
                raise TypeError(
                    f"{name}() takes from {count} to {count + results} positional arguments but "
                    f"{len(xs)} were given"
                )
            out = xs[count:] if results > 1 else xs[count]
            xs = xs[:count]
        tensors: list[Any] = operands(name, xs, names, rule)
        if count > 1:
            broadcast_shapes(name, *[t.shape for t in tensors])
        if takes_number and type(xs[0]) in (int, float):
            tensors[0] = xs[0]
        result = kernel(*tensors)
        if results == 1:
            return finish(name, result, out)
        outs = (None,) * results if out is None else out
        if not isinstance(outs, tuple) or len(outs) > results:
            raise TypeError(f"{name}: 'out' must be a tuple of {results} arrays")
        outs = (*outs, *(None,) * (results - len(outs)))
        return tuple([finish(name, r, o) for r, o in zip(result, outs, strict=True)])

    function.__name__ = function.__qualname__ = name
    function.__module__ = "numpy_shim.special"
    kind = inspect.Parameter
    returned: Any = ndarray if results == 1 else tuple.__class_getitem__((ndarray,) * results)
    target: Any = OutArray if results == 1 else tuple[OutArray, ...] | None
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [kind(n, kind.POSITIONAL_ONLY, annotation=ArrayLike) for n in names]
        + [kind("out", kind.KEYWORD_ONLY, default=None, annotation=target)],
        return_annotation=returned,
    )
    function.__annotations__ = {
        **dict.fromkeys(names, ArrayLike),
        "out": target,
        "return": returned,
    }
    text = (_DOUBLE if loops == "double" else _SINGLE) + (_COMPLEX if complexes is True else "")
    if complexes == "only":
        text = text.replace("float32", "complex64").replace("float64", "complex128")
    function.__doc__ = _TEXT.format(
        summary=summary, arguments=", ".join(names), name=name, call=example[0],
        result=example[1], numbers="Real or complex numbers." if complexes else "Real numbers.",
        kind="" if complexes else "real", more=f" {more}" if more else "",
        outs="ndarray" if results == 1 else f"tuple of {results} ndarrays",
        s="" if results == 1 else "s",
        returns="ndarray or scalar" if results == 1 else f"tuple of {results} ndarrays or scalars",
        dtype=text,
    ).replace("no  numbers", "no numbers")  # fmt: skip
    return function
