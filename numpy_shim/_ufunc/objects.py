"""The ufunc objects: a flat fast path per number of operands, and NumPy's attributes.

A call without options on arrays of one dtype looks up one function and makes one torch
call. Everything else goes to ``call``; the methods (``reduce`` and its like) are in
``methods``.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, Unpack

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._core import box as _box
from xp_torch._core.devices import default_is_cpu
from xp_torch._core.dtypes import EXACT
from xp_torch._kernels.blocks import is_large

from .._array.memory import apart_in_trace
from .._array.ndarray import ARRAYS, AnyArray, ndarray, wrap
from .._array.typing import UfuncOptionsAndOut, UfuncOut
from .._base import defaults
from .._base.dtypes import TORCH, HostDtypeError
from .._base.host_setting import may_hand
from .._base.promotion import PYTHON_NUMBERS
from .._base.release import ufunc_of
from .._base.scalar_types import STORED
from .._base.tracing import caller
from .._base.typing import ArrayLike, DTypeLike, UfuncOptions
from .._base.ufunc_dtypes import resolved_dtypes
from .._convert.foreign import is_subclass
from .._host.hand_over import call_ufunc
from . import flat
from .call import ForeignOperandError, call, defers, plain
from .folds import Fold
from .methods import Methods
from .overrides import as_tuple, knows_ours, wrapped, wrapper_of
from .spec import Spec, newly_filled, when_filled
from .texts import text_of

_R = TypeVar("_R")

OPTIONS = frozenset({"where", "casting", "order", "dtype", "subok", "signature", "sig"})
"""The keywords of a call besides ``out``."""
NOT_TAKEN = frozenset({"subok", "sig"})
"""Those of them that are not parameters of ``call``."""


_WRITES_NUMBERS = frozenset({torch.add, torch.mul, torch.pow, torch.sub})
"""torch's functions of a tensor and a number that take ``out=``."""

_FIXED = frozenset({
    "__name__", "identity", "nargs", "nin", "nout", "ntypes", "signature", "types",
})  # fmt: skip


class _Kind(type):
    """The class of ``ufunc``: a ufunc of NumPy's, as SciPy's are, is one too."""

    def __instancecheck__(cls, x: object) -> bool:
        return issubclass(type(x), cls) or (cls is ufunc and isinstance(x, numpy.ufunc))


class _Signature:
    """NumPy's signature of a ufunc, made when it is asked for; the class itself has none."""

    def __get__(self, function: ufunc | None, kind: type) -> inspect.Signature | None:
        if function is None:
            return None
        signature = getattr(function._numpys, "__signature__", None)
        if isinstance(signature, inspect.Signature):
            return signature
        raise AttributeError(f"{function.__name__!r} has no attribute '__signature__'")


class ufunc(Methods, metaclass=_Kind):
    """A universal function: element by element over arrays that broadcast, as ``numpy.ufunc``.

    ``nin`` operands and ``nout`` results, ``nargs`` of both; ``types`` lists the loops that
    torch has storage for; ``identity`` is the result of a reduction of no elements. ``frompyfunc``
    makes one; those of the namespace are listed by chapter.

    Examples
    --------
    >>> import numpy_shim as np
    >>> isinstance(np.add, np.ufunc)
    True
    >>> np.add.nin, np.add.nout, np.add.identity
    (2, 1, 0)
    """

    __slots__ = ("_flat", "_reflected")  # read by every call; slots are the fastest to read

    _options = OPTIONS
    _taken = OPTIONS - NOT_TAKEN
    _of_cores: Callable[..., Any]
    """The call of a generalized ufunc, which is one that has a ``signature``."""
    __signature__ = _Signature()

    def __init__(self, spec: Spec) -> None:
        reference = ufunc_of(spec.name)
        self._spec = spec
        self._fast = spec.fast
        self._into = spec.into
        self._numpys = reference
        self._of_scalars: Callable[..., Any] = reference  # and of Python's numbers
        if not isinstance(reference, numpy.ufunc):
            self._of_scalars = lambda *args: plain(spec, args)
        self.__name__ = spec.name
        self.__qualname__ = spec.name
        self.__module__ = "numpy_shim"
        self.__doc__ = text_of(spec.name, reference.__doc__ or "")
        self.nin: int = reference.nin
        self.nout: int = reference.nout
        self.nargs: int = reference.nargs
        self.types: list[str] = [t for t in reference.types if _is_stored(t)]
        self.ntypes = len(self.types)
        self.identity: Any = reference.identity
        self._fold = Fold(f"{spec.name}.reduce", spec, self.identity, spec.name)
        self.signature: str | None = reference.signature

    def __repr__(self) -> str:
        return f"<ufunc {self.__name__!r}>"

    def __reduce__(self) -> str:
        return self.__name__

    def __eq__(self, other: object) -> bool:
        """Whether ``other`` is this ufunc, or NumPy's of the same name.

        NumPy's scalars call NumPy's ufunc: a table of ufuncs has to find it.
        """
        return other is self or other is self._numpys

    def __hash__(self) -> int:
        return object.__hash__(self._numpys)

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute; those that describe the function are set once."""
        if name in _FIXED and name in self.__dict__:
            raise AttributeError(f"attribute {name!r} of 'numpy.ufunc' objects is not writable")
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        """Delete an attribute; deleting a docstring that was set restores the first one."""
        if name in _FIXED:
            raise AttributeError(f"attribute {name!r} of 'numpy.ufunc' objects is not writable")
        if name == "__doc__":
            self.__doc__ = text_of(self.__name__, self._numpys.__doc__ or "")
        else:
            super().__delattr__(name)

    def resolve_dtypes(
        self,
        dtypes: tuple[object, ...],
        *,
        signature: str | tuple[DTypeLike, ...] | None = None,
        casting: str | None = None,
        reduction: bool = False,
    ) -> tuple[Any, ...]:
        """The dtypes of the computation and the results of a call; NumPy's own answer.

        Parameters
        ----------
        dtypes : tuple of dtypes
            Of the operands and, or ``None``, of the results.
        signature : str or tuple of dtypes, optional
            The loop to take.
        casting : str, optional
            Which casts are allowed.
        reduction : bool
            Whether the call is a reduction.

        Returns
        -------
        tuple of dtypes
            Of the operands and the results, as the loop has them.

        Raises
        ------
        TypeError
            For another number of dtypes, dtypes that no loop takes, and for ``int``, ``float`` or
            ``complex`` in the slot of a result or of a reduction, which crash the process in
            NumPy.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.add.resolve_dtypes((np.dtype("int8"), np.dtype("uint8"), None))
        (dtype('int16'), dtype('int16'), dtype('int16'))
        """
        # NumPy refuses None for these, though its signature allows it.
        options: dict[str, Any] = {} if casting is None else {"casting": casting}
        return resolved_dtypes(
            ufunc_of(self.__name__), dtypes, signature=signature, reduction=reduction, **options
        )

    def _general(
        self, args: tuple[Any, ...], out: object = None, options: Mapping[str, object] | None = None
    ) -> _R:  # type: ignore[type-var]
        """The call with all its options; a caller knows what it gives."""
        options = options or {}
        if not is_dynamo_compiling() and not self._spec.loops and newly_filled(self._spec):
            again: Callable[..., _R] = self  # type: ignore[assignment]  # each kind has a call
            return again(*args, **options) if out is None else again(*args, out=out, **options)
        if (
            out is None
            and not options
            and may_hand()
            and any(map(is_subclass, args))
            and _are_known(args)
        ):
            # Found out before the operands are converted, which takes longer than NumPy's call.
            refused = HostDtypeError(f"{self.__name__}: an operand's class is NumPy's")
            return call_ufunc(refused, self.__name__, args, out, options)
        result: _R
        try:
            if not options.keys() <= self._taken:
                options = self._checked(options)
            if self.signature is not None:
                result = self._of_cores(args, out, **options)
            elif out is None and not options:
                result = plain(self._spec, args)
            else:
                result = call(self._spec, args, out, **options)
        except ForeignOperandError:
            result = self._foreign("__call__", args, as_tuple(out), options)
            return result
        except HostDtypeError as error:
            return call_ufunc(error, self.__name__, args, out, options)
        if out is None and (wrap := wrapper_of(args)) is not None:
            result = wrapped(wrap, result, (self, args))
        return result

    def _checked(self, options: Mapping[str, object]) -> dict[str, Any]:
        """Keywords as ``call`` takes them; ``TypeError`` for those that no ufunc has."""
        name = self.__name__
        for given in options:
            if given not in self._options:
                raise TypeError(f"{name}() got an unexpected keyword argument {given!r}")
        kept = {k: v for k, v in options.items() if k not in NOT_TAKEN}
        if "sig" in options:
            if "signature" in options:
                raise TypeError(f"{name}: cannot specify both 'sig' and 'signature'")
            kept["signature"] = options["sig"]
        return kept

    def _foreign(
        self, method: str, args: tuple[Any, ...], outs: tuple[Any, ...], options: Mapping[str, Any]
    ) -> Any:
        """Call the ``__array_ufunc__`` of a foreign operand with the ufunc that it knows."""
        keywords = {"signature" if k == "sig" else k: v for k, v in options.items()}
        if any(o is not None for o in outs):
            if method == "__call__" and len(outs) != self.nout:
                raise ValueError(
                    f"{self.__name__}: the 'out' tuple must have exactly one entry per ufunc output"
                )
            keywords["out"] = outs
        foreign = _subclasses_first([x for x in (*args, *outs) if defers(x)])
        for x in foreign:
            if type(x).__array_ufunc__ is None:
                raise TypeError(
                    f"operand {type(x).__name__!r} does not support ufuncs (__array_ufunc__=None)"
                )
        theirs = self._numpys if isinstance(self._numpys, numpy.ufunc) else self
        for x in foreign:
            ufunc = self if knows_ours(type(x)) else theirs
            result = type(x).__array_ufunc__(x, ufunc, method, *args, **keywords)
            if result is not NotImplemented:
                return result
        given = ", ".join(
            [repr(self), repr(method), *map(repr, args)]
            + [f"{k}={v!r}" for k, v in keywords.items()]
        )
        types = ", ".join(repr(type(x).__name__) for x in (*args, *outs))
        raise TypeError(
            f"operand type(s) all returned NotImplemented from __array_ufunc__({given}): {types}"
        )


def _are_known(args: tuple[object, ...]) -> bool:
    """Whether operands are arrays and numbers, none of another class that overrides ufuncs."""
    return all(type(x) in PYTHON_NUMBERS or isinstance(x, ARRAYS) for x in args)


def _subclasses_first(xs: list[object]) -> list[Any]:
    """Objects in the order in which NEP 13 asks them: from the left, subclasses before bases."""
    ordered: list[Any] = []
    for x in xs:
        kinds = [type(y) for y in ordered]
        at = next((i for i, k in enumerate(kinds) if type(x) is not k and issubclass(type(x), k)),
                  len(kinds))  # fmt: skip
        ordered.insert(at, x)
    return ordered


def _is_stored(types: str) -> bool:
    """Whether torch has storage for every dtype of a loop like ``'dd->d'``."""
    return all(c in "-> " or c in _CODES for c in types)


_CODES = {d.char for d in TORCH if d.isbuiltin == 1} | {"q", "Q"}


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

    Then a ufunc of theirs is NumPy's own, as for NumPy's scalars.
    """
    for x in numbers:
        kind = type(x)
        if kind is not float and kind not in PYTHON_NUMBERS:
            return False
        if kind is int and not -(2**63) <= x < 2**63:
            return False
    return defaults.float_dtype() is torch.float64 and default_is_cpu()


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
