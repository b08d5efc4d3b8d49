"""The class of ufuncs: NumPy's attributes, and the call with all its options.

``elementwise`` has the classes by the number of operands, with the flat paths of their calls;
``methods`` has ``reduce`` and its like.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy
from torch.compiler import is_dynamo_compiling

from .._array.ndarray import ARRAYS
from .._base.dtypes import TORCH, HostDtypeError
from .._base.host_setting import may_hand
from .._base.promotion import PYTHON_NUMBERS
from .._base.release import ufunc_of
from .._base.typing import DTypeLike
from .._base.ufunc_dtypes import resolved_dtypes
from .._convert.foreign import is_subclass
from .._host.hand_over import call_ufunc
from .call import ForeignOperandError, call, plain
from .folds import Fold
from .methods import Methods
from .overrides import as_tuple, call_override, wrapped, wrapper_of
from .spec import Spec, newly_filled
from .texts import text_of

_R = TypeVar("_R")

OPTIONS = frozenset({"where", "casting", "order", "dtype", "subok", "signature", "sig"})
"""The keywords of a call besides ``out``."""
NOT_TAKEN = frozenset({"subok", "sig"})
"""Those of them that are not parameters of ``call``."""

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
        self._mixed = spec.mixed
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
            result = call_override(self, "__call__", args, as_tuple(out), options)
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


def _are_known(args: tuple[object, ...]) -> bool:
    """Whether operands are arrays and numbers, none of another class that overrides ufuncs."""
    return all(type(x) in PYTHON_NUMBERS or isinstance(x, ARRAYS) for x in args)


def _is_stored(types: str) -> bool:
    """Whether torch has storage for every dtype of a loop like ``'dd->d'``."""
    return all(c in "-> " or c in _CODES for c in types)


_CODES = {d.char for d in TORCH if d.isbuiltin == 1} | {"q", "Q"}
