"""Array functions made from Python functions of numbers: ``vectorize`` and ``frompyfunc``."""

from __future__ import annotations

import functools
import itertools
import operator
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from xp_torch._kernels.host_reads import possible
from xp_torch._torch.internals import is_transformed

from .._array.ndarray import AnyArray, ndarray, wrap
from .._base.axes import broadcast_shapes, normalize_axis
from .._base.dtypes import NUMPY, torch_dtype
from .._base.host_setting import may_hand, unless_host
from .._base.promotion import PYTHON_NUMBERS
from .._base.tracing import _NoValue
from .._base.typing import DTypeLike
from .._convert.arguments import array_of, as_tensor, operands, promoted
from .._convert.foreign import from_numpy
from .._host.numpy_calls import HostArguments, call_numpy
from .._indexing.selection import element, replacement
from .._kernels.casting import cast
from .._ufunc.objects import ufunc

__all__ = ["frompyfunc", "vectorize"]


def _elements(tensor: Tensor) -> list[Any]:
    """The elements in order: Python numbers, or scalars under a gradient or a trace."""
    flat = tensor.reshape(-1)
    if tensor.requires_grad or is_compiling():
        return [wrap(t) for t in flat.unbind(0)]
    values: list[Any] = flat.tolist()
    return values


def _gathered(name: str, results: list[Any], shape: tuple[int, ...], dtype: Any = None) -> ndarray:
    """Results of a Python function as an array of a dtype; by default their common one.

    Each is converted as an element of an array of objects, by Python: out of range is an
    ``OverflowError``, a sequence a ``TypeError`` or ``ValueError``. Scalars that stay tensors are
    cast.
    """
    if not results:
        return array_of(torch.empty(shape, dtype=dtype or torch.float64))
    if dtype is not None and not is_compiling() and not any(map(_stays_tensor, results)):
        values = HostArguments(name).all(results)
        objects = numpy.frompyfunc(values.__getitem__, 1, 1)(numpy.arange(len(values)))
        return array_of(from_numpy(name, objects.astype(NUMPY[dtype]), "results").reshape(shape))
    if {type(r) for r in results} <= PYTHON_NUMBERS:
        tensor = as_tensor(name, results, "the results")
    else:
        tensors = operands(name, *results)
        if any(t.dim() for t in tensors):
            raise ValueError(f"{name}: setting an array element with a sequence.")
        tensor = torch.stack(promoted(name, tensors))
    return array_of((tensor if dtype is None else cast(tensor, dtype)).reshape(shape))


def _stays_tensor(x: Any) -> bool:
    """Whether the value of a result is not read: on a device, with a gradient, in a transform."""
    tensor = x._tensor if isinstance(x, AnyArray) else x
    return isinstance(tensor, Tensor) and (
        tensor.requires_grad or is_transformed() or not possible(tensor)
    )


class pyfunc_ufunc(ufunc):
    """A ufunc that calls a Python function for every element."""

    _numpys: Any = None  # a trace has no objects, and cannot call NumPy's

    def __init__(self, func: Callable[..., Any], nin: int, nout: int, identity: Any) -> None:
        self._function = func
        if not is_dynamo_compiling():
            self._numpys = numpy.frompyfunc(func, nin, nout, identity=identity)
        self.__name__ = f"{getattr(func, '__name__', '?')} (vectorized)"
        self.__qualname__ = self.__name__
        self.__module__ = "numpy_shim"
        self.__doc__ = getattr(func, "__doc__", None)
        self.nin, self.nout, self.nargs = nin, nout, nin + nout
        self.types = [f"{'O' * nin}->{'O' * nout}"]
        self.ntypes = 1
        self.identity = identity
        self.signature = None

    def __reduce__(self) -> Any:
        return frompyfunc, (self._function, self.nin, self.nout)

    def __call__(self, *args: Any, **options: Any) -> Any:
        name = self.__name__
        if self._has_objects(args, options):
            return self._host(self._numpys, args, options, args[self.nin :])
        if len(args) != self.nin:
            raise TypeError(f"{name}() takes {self.nin} positional arguments, not {len(args)}")
        tensors = operands(name, *args)
        shape = broadcast_shapes(name, *[t.shape for t in tensors])
        columns = [_elements(t.expand(shape)) for t in tensors]
        results = [self._function(*row) for row in zip(*columns, strict=True)]
        if not shape:
            return results[0]
        if self.nout == 1:
            return _gathered(name, results, shape)
        return tuple([_gathered(name, [r[k] for r in results], shape) for k in range(self.nout)])

    def _has_objects(self, args: tuple[Any, ...], options: dict[str, Any]) -> bool:
        """Whether the call is NumPy's, and its results objects; else they are numbers.

        ``TypeError`` for options beside numbers.
        """
        tensors = [x._tensor for x in args if isinstance(x, AnyArray)]
        stays = any(t.requires_grad or not t.is_cpu for t in tensors)
        if may_hand() and not stays and not is_compiling():
            return True
        if options:
            raise TypeError(
                f"{self.__name__}: {', '.join(options)}: needs NumPy's arrays of objects, which "
                "keep no gradient and which neither a device, a trace nor "
                "set_host_dtypes('error') allows"
            )
        return False

    def _host(self, theirs: Any, args: Any, options: dict[str, Any], outs: Any = ()) -> Any:
        return call_numpy(self.__name__, theirs, args, options, outs)

    def outer(self, A: Any, B: Any, /, **options: Any) -> Any:
        if self._has_objects((A, B), options):
            return self._host(self._numpys.outer, (A, B), options)
        a, b = operands(f"{self.__name__}.outer", A, B)
        return self(array_of(a.reshape(a.shape + (1,) * b.dim())), array_of(b))

    def reduce(  # type: ignore[override]
        self, array: Any, /, axis: Any = 0, *, initial: Any = _NoValue, **options: Any
    ) -> Any:
        if self._has_objects((array,), options):
            if initial is not _NoValue:
                options["initial"] = initial
            return self._host(self._numpys.reduce, (array, axis), options)
        name = f"{self.__name__}.reduce"
        t = as_tensor(name, array, "array")
        rows: list[Any] = [array_of(r) for r in t.unbind(normalize_axis(name, axis, t.dim()))]
        if initial is not _NoValue:
            rows.insert(0, initial)
        elif not rows:
            if self.identity is None:
                raise ValueError(f"zero-size array to reduction operation {name} without identity")
            return self.identity
        return functools.reduce(self, rows)

    def accumulate(  # type: ignore[override]
        self, array: Any, /, axis: int = 0, **options: Any
    ) -> Any:
        if self._has_objects((array,), options):
            return self._host(self._numpys.accumulate, (array, axis), options)
        name = f"{self.__name__}.accumulate"
        t = as_tensor(name, array, "array")
        dim = normalize_axis(name, axis, t.dim())
        rows = itertools.accumulate([array_of(r) for r in t.unbind(dim)], self)
        parts = promoted(name, operands(name, *rows))
        return array_of(torch.stack(parts, dim))

    def reduceat(self, array: Any, /, indices: Any, *args: Any, **options: Any) -> Any:
        self._has_objects((array,), {"reduceat": True})
        return self._host(self._numpys.reduceat, (array, indices, *args), options)

    def at(self, a: Any, indices: Any, b: Any = None, /) -> None:
        self._has_objects((a,), {"at": True})
        operands = (a, indices) if self.nin == 1 else (a, indices, b)
        self._host(self._numpys.at, operands, {}, (a,))


def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, **kwargs: Any) -> pyfunc_ufunc:
    """A ufunc that calls a Python function for every element.

    Parameters
    ----------
    func : callable
        A function of ``nin`` numbers that returns ``nout`` numbers, as a tuple if more than one.
    nin, nout : int
        The number of operands and of results.
    **kwargs
        ``identity``: the result of ``reduce`` for no elements.

    Returns
    -------
    ufunc
        It broadcasts its operands, reads their elements on the host, and returns NumPy's arrays of
        objects; ``astype`` and every function take them. With a gradient, in a trace, and where
        ``set_host_dtypes`` refuses such arrays, it returns arrays of the results' common dtype.

    Examples
    --------
    >>> import numpy_shim as np
    >>> import math
    >>> np.frompyfunc(math.comb, 2, 1)([[5], [6]], [1, 2, 3])
    array([[5, 10, 10],
           [6, 15, 20]], dtype=object)
    """
    if not callable(func):
        raise TypeError("frompyfunc: function must be callable")
    identity = kwargs.pop("identity", None)
    for name in kwargs:
        raise TypeError(f"frompyfunc() got an unexpected keyword argument {name!r}")
    inputs, outputs = operator.index(nin), operator.index(nout)
    if inputs + outputs > 64:
        raise ValueError(
            "frompyfunc: Cannot construct a ufunc with more than 64 operands (requested number "
            f"were: inputs = {inputs} and outputs = {outputs})"
        )
    return pyfunc_ufunc(func, inputs, outputs, identity)


_DIMENSIONS = r"\((?:\w+(?:,\w+)*)?\)"
_SIGNATURE = re.compile(rf"^{_DIMENSIONS}(?:,{_DIMENSIONS})*->{_DIMENSIONS}(?:,{_DIMENSIONS})*$")


def _parsed(signature: str) -> tuple[list[tuple[str, ...]], ...]:
    """The core dimensions of the arguments and of the results."""
    text = re.sub(r"\s+", "", signature)
    if not _SIGNATURE.match(text):
        raise ValueError(f"not a valid gufunc signature: {signature}")
    return tuple(
        [
            [tuple(re.findall(r"\w+", part)) for part in re.findall(_DIMENSIONS, side)]
            for side in text.split("->")
        ]
    )


class vectorize:
    """Make a function of arrays from a function of numbers, as a Python loop.

    Parameters
    ----------
    pyfunc : callable, optional
        The function; if it is left out, ``vectorize(...)`` is a decorator.
    otypes : str or sequence of dtypes, optional
        The dtypes of the results; by default those of the first call's results.
    doc : str, optional
        The docstring.
    excluded : set of int and str, optional
        Arguments, by position or by name, that are passed unchanged.
    cache : bool
        Whether to keep the result of the first call, which determines the dtypes, instead of
        calling the function again.
    signature : str, optional
        The core dimensions of the function, like ``(m,n),(n)->(m)``: it is then called with
        arrays.

    Notes
    -----
    The elements are read on the host. Under a gradient or a trace, the function gets scalars
    of ours instead.

    Examples
    --------
    >>> import numpy_shim as np
    >>> larger = np.vectorize(lambda a, b: a if a > b else b)
    >>> larger([1, 5, 3], 2)
    array([2, 5, 3])
    """

    pyfunc: Any

    def __init__(
        self,
        pyfunc: Callable[..., object] = _NoValue,
        otypes: str | Iterable[DTypeLike] | None = None,
        doc: str | None = None,
        excluded: Iterable[int | str] | None = None,
        cache: bool = False,
        signature: str | None = None,
    ) -> None:
        if pyfunc is not _NoValue and not callable(pyfunc):
            raise TypeError("When used as a decorator, only accepts keyword arguments.")
        self.pyfunc = pyfunc
        self.cache = cache
        self.signature = signature
        self.excluded = set() if excluded is None else set(excluded)
        self._cores = None if signature is None else _parsed(signature)
        self._set_otypes(otypes)
        self._doc = doc
        if pyfunc is not _NoValue:
            self._take(pyfunc)

    @property
    def otypes(self) -> str | list[numpy.dtype[Any]] | None:
        """The dtypes of the results, or their codes if codes were given; can be set."""
        return self._otypes  # type: ignore[no-any-return]

    @otypes.setter
    def otypes(self, otypes: Any) -> None:
        self._set_otypes(otypes)

    def _set_otypes(self, otypes: Any) -> None:
        self._otypes = otypes
        self._dtypes = None if otypes is None else unless_host(_result_dtypes, otypes)
        self._asks_host = otypes is not None and self._dtypes is None
        if self._dtypes is not None and not isinstance(otypes, str):
            self._otypes = [NUMPY[dtype] for dtype in self._dtypes]

    def _take(self, pyfunc: Callable[..., Any]) -> None:
        self.pyfunc = pyfunc
        self.__name__ = getattr(pyfunc, "__name__", type(self).__name__)
        self.__doc__ = getattr(pyfunc, "__doc__", None) if self._doc is None else self._doc

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Broadcast the arguments and call the function for every element."""
        if self.pyfunc is _NoValue:
            self._take(args[0])
            return self
        names = [n for n in kwargs if n not in self.excluded]
        positions = [i for i in range(len(args)) if i not in self.excluded]

        def function(*values: Any) -> Any:
            given = list(args)
            for i, value in zip(positions, values, strict=False):
                given[i] = value
            named = dict(zip(names, values[len(positions) :], strict=True))
            return self.pyfunc(*given, **(kwargs | named))

        varying = [args[i] for i in positions] + [kwargs[n] for n in names]
        if self._asks_host:
            return self._on_host(function, varying, self._otypes)
        if self._cores is not None:
            return self._with_signature(function, varying)
        return self._each(function, varying)

    def _each(self, function: Callable[..., Any], varying: list[Any]) -> Any:
        if not varying:
            return function()
        tensors = unless_host(operands, "vectorize", *varying)
        if tensors is None:
            return self._on_host(function, varying, self.otypes)
        shape = broadcast_shapes("vectorize", *[t.shape for t in tensors])
        expanded = [t.expand(shape) for t in tensors]
        first, dtypes = None, self._dtypes
        if dtypes is None:
            if 0 in shape:
                raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
            first = function(*[wrap(t.reshape(-1)[0]) for t in expanded])
            results = first if isinstance(first, tuple) else (first,)
            dtypes = unless_host(
                lambda: [as_tensor("vectorize", r, "a result").dtype for r in results]
            )
            if dtypes is None:
                found = "".join([numpy.array(r).dtype.char for r in results])
                return self._on_host(function, varying, found)
        rows: Iterator[Any] = zip(*[_elements(t) for t in expanded], strict=True)
        collected = []
        if first is not None and self.cache:
            next(rows)
            collected.append(first)
        collected += [function(*row) for row in rows]
        if len(dtypes) == 1:
            return _gathered("vectorize", collected, shape, dtypes[0])
        return tuple(
            [
                _gathered("vectorize", [r[k] for r in collected], shape, dtype)
                for k, dtype in enumerate(dtypes)
            ]
        )

    def _on_host(self, function: Callable[..., Any], varying: list[Any], otypes: Any) -> Any:
        """The same by NumPy, for arguments or results that torch cannot store."""
        theirs = numpy.vectorize(function, otypes, cache=self.cache, signature=self.signature)
        return call_numpy("vectorize", theirs, tuple(varying), {})

    def _with_signature(self, function: Callable[..., Any], varying: list[Any]) -> Any:
        assert self._cores is not None
        cores, result_cores = self._cores
        if len(varying) != len(cores):
            raise TypeError(
                f"wrong number of positional arguments: expected {len(cores)}, got {len(varying)}"
            )
        tensors = unless_host(operands, "vectorize", *varying)
        if tensors is None:
            return self._on_host(function, varying, self.otypes)
        sizes: dict[str, int] = {}
        batches = []
        for t, core in zip(tensors, cores, strict=True):
            if t.dim() < len(core):
                raise ValueError(
                    f"{t.dim()}-dimensional argument does not have enough dimensions for all core "
                    f"dimensions {core}"
                )
            batches.append(t.shape[: t.dim() - len(core)])
            _check_core("argument", t.shape[t.dim() - len(core) :], core, sizes)
        shape = broadcast_shapes("vectorize", *batches)
        if 0 in shape:
            return self._of_no_calls(shape, result_cores, sizes)
        expanded = [
            t.expand((*shape, *t.shape[t.dim() - len(c) :]))
            for t, c in zip(tensors, cores, strict=True)
        ]
        collected: list[list[Tensor]] = [[] for _ in result_cores]
        dtypes = list(self._dtypes or ())
        for index in itertools.product(*map(range, shape)):
            results = function(*[wrap(t[index]) for t in expanded])
            several = results if isinstance(results, tuple) else (results,)
            if len(several) != len(result_cores):
                raise ValueError(
                    f"wrong number of outputs from pyfunc: expected {len(result_cores)}, got "
                    f"{len(several)}"
                )
            for k, (result, core) in enumerate(zip(several, result_cores, strict=True)):
                tensor = as_tensor("vectorize", result, "a result")
                _check_core("result", tensor.shape, core, sizes)
                if len(dtypes) == k:
                    dtypes.append(tensor.dtype)  # that of the first call
                like = tensor.new_empty((), dtype=dtypes[k])
                assigned = replacement if core else element
                collected[k].append(assigned("vectorize", like, result))
        arrays = [
            array_of(torch.stack(part).reshape((*shape, *part[0].shape))) for part in collected
        ]
        return arrays[0] if len(arrays) == 1 else tuple(arrays)

    def _of_no_calls(
        self, shape: tuple[int, ...], cores: list[tuple[str, ...]], sizes: dict[str, int]
    ) -> Any:
        if self._dtypes is None:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        if any(d not in sizes for core in cores for d in core):
            raise ValueError(
                "cannot call `vectorize` with a signature including new output dimensions on size "
                "0 inputs"
            )
        arrays = [
            array_of(torch.empty((*shape, *[sizes[d] for d in core]), dtype=dtype))
            for core, dtype in zip(cores, self._dtypes, strict=True)
        ]
        return arrays[0] if len(arrays) == 1 else tuple(arrays)


def _check_core(
    what: str, shape: tuple[int, ...], core: tuple[str, ...], sizes: dict[str, int]
) -> None:
    """Record the sizes of core dimensions; ``ValueError`` if they differ from before."""
    if len(shape) != len(core):
        raise ValueError(f"{len(shape)}-dimensional {what} for the core dimensions {core}")
    for dimension, size in zip(core, shape, strict=True):
        if sizes.setdefault(dimension, size) != size:
            raise ValueError(
                f"inconsistent size for core dimension {dimension!r}: {size} vs {sizes[dimension]}"
            )


def _result_dtypes(otypes: Any) -> list[torch.dtype]:
    if not isinstance(otypes, (str, list, tuple)):
        raise ValueError(f"vectorize: invalid otype specification: {otypes!r}")
    return [torch_dtype("vectorize", t, "otypes") for t in otypes]
