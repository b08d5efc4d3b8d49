"""The ufuncs of one operand, of two, and of two results: a flat fast path each.

A call without options on arrays of one dtype looks up one function and makes one torch call. Every
other call is ``ufunc._general``.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, Unpack

import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._core import box as _box
from xp_torch._core.devices import default_is_cpu
from xp_torch._core.dtypes import EXACT
from xp_torch._kernels.blocks import is_large

from .._array.memory import apart_in_trace
from .._array.ndarray import AnyArray, ndarray, wrap
from .._array.typing import UfuncOptionsAndOut, UfuncOut
from .._base import defaults
from .._base.promotion import PYTHON_NUMBERS
from .._base.scalar_types import STORED
from .._base.tracing import caller
from .._base.typing import ArrayLike, UfuncOptions
from .._host import crossings
from . import flat
from .objects import ufunc
from .spec import Spec, when_filled

_WRITES_NUMBERS = frozenset({torch.add, torch.mul, torch.pow, torch.sub})
"""torch's functions of a tensor and a number that take ``out=``."""


def _with_call(ufunc: ufunc, kind: type[ufunc], call: Callable[..., Any]) -> None:
    """Give a ufunc a class of its own, whose ``__call__`` makes the commonest call by itself.

    A function that closes over the tables finds them faster than one that reads them from
    ``self``, and it calls no other function: together a tenth of a small call.
    """
    call.__name__, call.__qualname__ = "__call__", f"{kind.__qualname__}.__call__"
    members = {"__slots__": (), "__module__": kind.__module__, "__call__": call}
    ufunc.__class__ = type(kind.__name__, (kind,), members)


def _known_apart(out: ndarray, *operands: AnyArray) -> bool:
    """Whether a trace, which cannot catch torch's error, knows that operands do not overlap."""
    return all(x is out or apart_in_trace(out, x) for x in operands)


class unary_ufunc(ufunc):
    """A ufunc of one operand and one result."""

    __slots__ = ()

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._flat = flat.unary(spec)
        when_filled(spec, self._with_call)

    def _with_call(self) -> None:
        _with_call(self, unary_ufunc, flat.unary_call(self._spec, unary_ufunc.__call__))

    def __call__(
        self, x: ArrayLike, /, out: UfuncOut = None, **options: Unpack[UfuncOptions]
    ) -> ndarray:
        if out is None and not options:
            if type(x) is ndarray or isinstance(x, AnyArray):
                result = self._flat(x)
                if result is not NotImplemented:
                    return result  # type: ignore[no-any-return]
            elif not is_dynamo_compiling() and (type(x) in STORED or on_host(x)):
                return self._of_scalars(x)  # type: ignore[no-any-return]
        elif type(out) is ndarray and not options and isinstance(x, AnyArray):
            t, c = x._tensor, out._tensor
            try:
                function = self._into[t.dtype, c.dtype]
                # torch would resize, and sees only dense tensors overlap.
                if (
                    c.is_contiguous()
                    and t.is_contiguous()
                    and t.shape == c.shape
                    and (not is_dynamo_compiling() or _known_apart(out, x))
                ):
                    function(t, out=c)
                    return out
            except (KeyError, RuntimeError):
                pass  # another dtype, operands that overlap, or that need a gradient
        return self._general((x,), out, options)


class binary_ufunc(ufunc):
    """A ufunc of two operands and one result."""

    __slots__ = ()

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._flat = flat.binary(spec)
        self._reflected = flat.reflected(spec)
        when_filled(spec, functools.partial(self._with_call, type(self)))

    def _with_call(self, kind: type[binary_ufunc]) -> None:
        into, otherwise = binary_ufunc.__call__, kind.__call__
        _with_call(self, kind, flat.binary_call(self._spec, self._flat, into, otherwise))

    def __call__(
        self, x1: ArrayLike, x2: ArrayLike, /, out: UfuncOut = None, **options: Unpack[UfuncOptions]
    ) -> ndarray:
        if options:
            pass
        elif out is None:  # a number, a scalar or a sequence on the left
            if isinstance(x1, AnyArray):
                result = self._flat(x1, x2)
            elif type(x2) is ndarray:
                result = self._reflected(x2, x1)
            else:
                result = self._of_numbers(x1, x2)
            if result is not NotImplemented:
                return result  # type: ignore[no-any-return]
        elif type(out) is ndarray and type(x1) is ndarray:
            if type(x2) is ndarray:
                a, b, c = x1._tensor, x2._tensor, out._tensor
                d = a.dtype
                try:
                    # torch would resize, and sees only dense tensors overlap.
                    if (
                        d is b.dtype
                        and a.shape == b.shape == c.shape
                        and a.is_contiguous()
                        and b.is_contiguous()
                        and c.is_contiguous()
                        and not (_box.several_devices and a.device != b.device)
                        and (not is_dynamo_compiling() or _known_apart(out, x1, x2))
                    ):
                        self._into[d, c.dtype](a, b, out=c)
                        return out
                except (KeyError, RuntimeError):
                    pass  # other dtypes, operands that overlap, or that need a gradient
            elif not isinstance(x2, AnyArray):
                if is_large(x1._tensor) and self._written_by_number(x1._tensor, x2, out._tensor):
                    return out
                result = self._flat(x1, x2)
                if (
                    type(result) is ndarray
                    and result._tensor.dtype is out._tensor.dtype
                    and result._tensor.shape == out._tensor.shape
                    and not result._tensor.requires_grad  # autograd may have to save ``out``
                    and type(out._tensor) is Tensor
                ):
                    try:
                        out._tensor.copy_(result._tensor)
                        return out
                    except RuntimeError:
                        pass  # as above; or one that is not mapped, under vmap
        return self._general((x1, x2), out, options)

    def _written_by_number(self, t: Tensor, number: Any, c: Tensor) -> bool:
        """Whether torch has written the result of a large tensor and a Python number into ``c``."""
        spec, d = self._spec, t.dtype
        of_number = spec.right_float if type(number) is float else spec.right_int
        if type(number) not in (int, float) or not -EXACT <= number <= EXACT:
            return False
        function = of_number.get(d)
        if (
            function not in _WRITES_NUMBERS
            or type(t) is not Tensor
            or type(c) is not Tensor
            or c.dtype is not d
            or c.shape != t.shape
            or not (t.is_contiguous() and c.is_contiguous())
        ):
            return False
        try:
            function(t, number, out=c)
        except RuntimeError:  # operands that overlap, or that need a gradient
            return False
        return True

    def _of_numbers(self, x1: object, x2: object) -> Any:
        """NumPy's own result for two numbers: its scalars and Python's."""
        first, second = type(x1) in STORED, type(x2) in STORED
        if is_dynamo_compiling() or not (
            (first and (second or type(x2) in PYTHON_NUMBERS))
            or (second and type(x1) in PYTHON_NUMBERS)
            or on_host(x1, x2)
        ):
            return NotImplemented
        return self._of_scalars(x1, x2)


def on_host(*numbers: Any) -> bool:
    """Whether Python's numbers have the dtypes here that they have in NumPy, and live on the CPU.

    Then a ufunc of theirs is NumPy's own, as for NumPy's scalars. In a launched program it is on
    every device: there such a number is one of the loop's, not of the data.
    """
    for x in numbers:
        kind = type(x)
        if kind is not float and kind not in PYTHON_NUMBERS:
            return False
        if kind is int and not -(2**63) <= x < 2**63:
            return False
    return defaults.float_dtype() is torch.float64 and (default_is_cpu() or bool(crossings.mode()))


class extremum_ufunc(binary_ufunc):
    """``maximum`` or ``minimum``, which warn if the output is given by position.

    The output may have been meant as a third operand.
    """

    __slots__ = ()

    def __call__(
        self,
        x1: ArrayLike,
        x2: ArrayLike,
        /,
        *outs: UfuncOut,
        **options: Unpack[UfuncOptionsAndOut],
    ) -> ndarray:
        if not outs and not options:
            return _call_binary(self, x1, x2)
        if outs:
            if len(outs) > 1:
                raise TypeError(
                    f"{self.__name__}() takes from 2 to 3 positional arguments but "
                    f"{2 + len(outs)} were given"
                )
            if not is_compiling():
                warnings.warn(_BY_POSITION, DeprecationWarning, stacklevel=caller())
            if "out" in options:
                raise TypeError(f"{self.__name__}: 'out' given by name and by position")
            options["out"] = outs[0]
        return _call_binary(self, x1, x2, **options)


_call_binary = binary_ufunc.__call__


_BY_POSITION = (
    "Passing more than 2 positional arguments to np.maximum and np.minimum is deprecated. If you "
    "meant to use the third argument as an output, use the `out` keyword argument instead. If you "
    "hoped to work with more than 2 inputs, combine them into a single array and get the extrema "
    "for the relevant axis."
)


class two_result_ufunc(ufunc):
    """An element-wise ufunc with two results."""

    def __call__(
        self, *args: ArrayLike | None, **options: Unpack[UfuncOptionsAndOut]
    ) -> tuple[ndarray, ndarray]:
        nin, outs = self.nin, args[self.nin :]
        if not nin <= len(args) <= self.nargs:
            raise TypeError(
                f"{self.__name__}() takes from {nin} to {self.nargs} positional arguments but "
                f"{len(args)} were given"
            )
        if not options and not outs and all(type(x) is ndarray for x in args):
            tensors = [x._tensor for x in args]  # type: ignore[union-attr]
            d = tensors[0].dtype
            if nin == 1 or (d is tensors[1].dtype and not _box.several_devices):
                try:
                    first, second = self._fast[d](*tensors)
                    return wrap(first), wrap(second)
                except (KeyError, RuntimeError):
                    pass
        if "out" in options and options["out"] is None:
            raise TypeError(f"{self.__name__}: 'out' must be a tuple of arrays")
        out = options.pop("out", None)
        if outs:
            if out is not None:
                raise TypeError(f"{self.__name__}: 'out' given by name and by position")
            out = outs + (None,) * (2 - len(outs))  # type: ignore[assignment]
        return self._general(args[:nin], out, options)
