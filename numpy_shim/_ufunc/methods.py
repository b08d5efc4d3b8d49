"""The methods of ufuncs: ``reduce``, ``accumulate``, ``reduceat``, ``outer`` and ``at``."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy
import torch
from torch import Tensor
from torch.compiler import is_compiling, is_dynamo_compiling

from .._array.host_view import WRITEABLE
from .._array.layout import like
from .._array.memory import overlaps_itself, uncovered
from .._array.ndarray import AnyArray, ndarray, wrap
from .._array.typing import UfuncOut
from .._array.views import is_writeable
from .._base import error_checks
from .._base import error_states as errstate
from .._base.axes import MAX_DIMS, broadcast_shapes, normalize_axes, normalize_axis
from .._base.dtypes import COMPLEXES, NUMPY, HostDtypeError, torch_dtype
from .._base.tracing import _NoValue
from .._base.typing import ArrayLike, AxisLike, DTypeLike
from .._convert.arguments import array_of, as_tensor, assign
from .._kernels import folds, segments
from .._kernels.casting import cast
from .._kernels.host_kernels import by_method
from .call import target_of
from .folds import NOT_COMPLEX, REORDERABLE, SCANS, Fold, combined, reduced, reduction_loop, watched
from .indexed import apply_at, positions_of
from .overrides import as_tuple, call_override, defers_any, given_of, wrapped, wrapper_of
from .spec import Loop, Spec, loop_of


def _prepared(
    spec: Spec, method: str, array: Any, dtype: object, out: object
) -> tuple[Tensor, Loop, ndarray | None]:
    """The operand, the loop and the output of an accumulation."""
    name = f"{spec.name}.{method}"
    target = _target(spec, method, out)
    t = as_tensor(name, array, "array")
    wanted = None if dtype is None else torch_dtype(name, dtype)
    given = None if target is None else target._tensor.dtype
    return t, reduction_loop(spec, t.dtype, given, wanted), target


def _target(spec: Spec, method: str, out: object) -> ndarray | None:
    """The array of ``out=``, ``None`` for a new one; an error for a ufunc without the method."""
    name = f"{spec.name}.{method}"
    if spec.nin != 2:
        raise ValueError(f"{name}: only supported for binary functions")
    if spec.nout != 1:
        raise ValueError(f"{name}: only supported for functions returning a single value")
    if out is None or out is ...:  # ``...`` asks for an array, even a 0-D one
        return None
    if isinstance(out, tuple):
        if len(out) != 1:
            raise ValueError(f"{name}: the 'out' tuple must have exactly one entry")
        out = out[0]
    return target_of(name, out)


def _finish(name: str, result: Tensor, target: ndarray | None, out: Any, array: Any) -> ndarray:
    if target is None:
        made = array_of(result) if out is ... else wrap(result)
        own = None if isinstance(array, AnyArray) else wrapper_of((array,))
        return made if own is None else wrapped(own, made, None)
    if tuple(result.shape) != tuple(target._tensor.shape):
        raise ValueError(
            f"{name}: output array has shape {tuple(target._tensor.shape)}, the result has "
            f"{tuple(result.shape)}"
        )
    assign(target, result)
    return out[0] if isinstance(out, tuple) else out  # type: ignore[no-any-return]


def _check_one_dtype(name: str, loop: Loop) -> None:
    """``TypeError`` for a loop whose results cannot be its operands."""
    dtypes = (*loop.inputs, *loop.outputs)
    if any(d is not dtypes[0] for d in dtypes):
        found = tuple([NUMPY[d] for d in dtypes])
        raise TypeError(f"the resolved dtypes are not compatible with {name}. Resolved {found!r}")


class Methods:
    """The methods that ufuncs of two operands have."""

    _spec: Spec
    __name__: str
    signature: str | None
    _fold: Fold

    def reduce(
        self,
        array: ArrayLike,
        /,
        axis: AxisLike = 0,
        dtype: DTypeLike = None,
        out: UfuncOut = None,
        keepdims: bool = False,
        initial: ArrayLike | None = _NoValue,
        where: ArrayLike = True,
    ) -> ndarray:
        """Fold the elements along some axes with this function.

        Parameters
        ----------
        array : array_like
            The operand.
        axis : int, tuple of ints or None
            The axes to fold; ``None`` for all. Several only where the order does not matter.
        dtype : data-type, optional
            The dtype to compute in; by default that of ``out`` or of the operand, small
            integers being added and multiplied in 64 bits.
        out : ndarray, optional
            Where to write the result; it is returned.
        keepdims : bool
            Whether to keep the folded axes with size 1.
        initial : scalar, optional
            The start value; ``None`` starts with the first element even if there is an identity.
        where : array_like of bool
            Which elements take part.

        Returns
        -------
        ndarray or scalar
            ``out`` if it was given.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.multiply.reduce([2, 3, 5])
        np.int64(30)
        """
        spec = self._spec
        name = f"{spec.name}.reduce"
        if (out is not None or type(array) is not ndarray) and defers_any(array, out):
            options = given_of(
                axis=(axis, 0), dtype=(dtype, None), keepdims=(keepdims, False),
                initial=(initial, _NoValue), where=(where, True),
            )  # fmt: skip
            return call_override(self, "reduce", (array,), as_tuple(out), options)
        self._without_signature("reduce")
        target = _target(spec, "reduce", out)
        t = as_tensor(name, array, "array")
        result = reduced(self._fold, t, axis, dtype, target, keepdims, initial, where)
        return _finish(name, result, target, out, array)

    def accumulate(
        self,
        array: ArrayLike,
        /,
        axis: SupportsIndex = 0,
        dtype: DTypeLike = None,
        out: UfuncOut = None,
    ) -> ndarray:
        """Every fold from the start of an axis: the running result of ``reduce``.

        Parameters
        ----------
        array : array_like
            The operand, of one dimension at least.
        axis : int
            The axis along which to fold.
        dtype : data-type, optional
            The dtype to compute in, as in ``reduce``.
        out : ndarray, optional
            Where to write the result; it is returned.

        Returns
        -------
        ndarray
            The shape of ``array``.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.maximum.accumulate([2, 1, 5, 3])
        array([2, 2, 5, 5])
        """
        spec = self._spec
        name = f"{spec.name}.accumulate"
        if (out is not None or type(array) is not ndarray) and defers_any(array, out):
            options = given_of(axis=(axis, 0), dtype=(dtype, None))
            return call_override(self, "accumulate", (array,), as_tuple(out), options)
        self._without_signature("accumulate")
        t, loop, target = _prepared(spec, "accumulate", array, dtype, out)
        _check_one_dtype(name, loop)
        axis = _one_axis(name, axis, t)
        x = cast(t, loop.inputs[1])
        met: set[str] = set()
        loop = watched(spec, loop, met)
        scan = SCANS.get(spec.name)
        looks = errstate.active  # once: another thread may change it
        if scan is not None and not (spec.name in NOT_COMPLEX and x.dtype in COMPLEXES):
            result = scan(x, axis)
        else:
            result = NotImplemented
            if not looks and loop.outputs[0] is x.dtype:
                result = by_method(spec.name, "accumulate", x, axis)
            if result is NotImplemented:
                rows = x.movedim(axis, 0)
                if spec.name in REORDERABLE:
                    result = folds.running(loop.function, rows)
                else:
                    result = folds.running_sequential(loop.function, rows, loop.outputs[0])
                result = result.movedim(0, axis)
        if looks:
            met |= error_checks.find_fold(spec.name, x, result, error_checks.along(axis))
            errstate.report(met, "accumulate")
        result = like(cast(result, loop.outputs[0]), x)
        return _finish(name, result, target, out, array)

    def reduceat(
        self,
        array: ArrayLike,
        /,
        indices: ArrayLike,
        axis: SupportsIndex = 0,
        dtype: DTypeLike = None,
        out: UfuncOut = None,
    ) -> ndarray:
        """Fold the slices of an axis that start at each index and end at the next.

        Parameters
        ----------
        array : array_like
            The operand, of one dimension at least.
        indices : array_like of int
            Where the slices start; a slice that would be empty or negative is one element.
            They are read on the host.
        axis : int
            The axis that is divided into slices.
        dtype : data-type, optional
            The dtype to compute in, as in ``reduce``.
        out : ndarray, optional
            Where to write the result; it is returned.

        Returns
        -------
        ndarray
            The shape of ``array`` with ``len(indices)`` along the axis.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.add.reduceat(np.arange(8), [0, 4, 1, 5])
        array([ 6,  4, 10, 18])
        """
        spec = self._spec
        name = f"{spec.name}.reduceat"
        if defers_any(array, indices, out):
            options = given_of(axis=(axis, 0), dtype=(dtype, None))
            return call_override(self, "reduceat", (array, indices), as_tuple(out), options)
        self._without_signature("reduceat")
        t, loop, target = _prepared(spec, "reduceat", array, dtype, out)
        _check_one_dtype(name, loop)
        axis = _one_axis(name, axis, t)
        x = cast(t, loop.inputs[1])
        looks = errstate.active
        begins = _known_starts(name, indices, x.shape[axis]) if is_dynamo_compiling() else None
        if begins is None:
            starts = _starts(name, indices, x.shape[axis])
            found = by_method(spec.name, "reduceat", x, starts, axis) if not looks else None
            if isinstance(found, Tensor) and found.dtype is loop.outputs[0]:
                return _finish(name, found, target, out, array)
            if not looks and starts.numel():

                def reduced(t: Tensor, one: int) -> Tensor:
                    return combined(spec, loop, t, (one,), False, from_identity=False)

                result = segments.folded(spec.name, reduced, x, starts, axis)
                return _finish(name, cast(result, loop.outputs[0]), target, out, array)
            begins = starts.tolist()
        stops = [*begins[1:], x.shape[axis]][: len(begins)]
        parts = []
        met: set[str] = set()
        loop = watched(spec, loop, met)
        for start, stop in zip(begins, stops, strict=True):
            part = x.narrow(axis, start, max(stop - start, 1))
            parts.append(combined(spec, loop, part, (axis,), False, from_identity=False))
            if looks:
                every = error_checks.over((axis,), False)
                met |= error_checks.find_fold(spec.name, part, parts[-1], every)
        shape = list(x.shape)
        shape[axis] = 0
        result = torch.stack(parts, axis) if parts else x.new_empty(shape)
        if looks:
            errstate.report(met, "reduceat")
        return _finish(name, cast(result, loop.outputs[0]), target, out, array)

    def outer(self, A: ArrayLike, B: ArrayLike, /, **kwargs: object) -> ndarray:
        """The function of every pair of an element of ``A`` and one of ``B``.

        Parameters
        ----------
        A, B : array_like
            The operands.
        **kwargs
            The options of a call: ``out``, ``where``, ``dtype`` and so on.

        Returns
        -------
        ndarray or scalar
            Shape ``A.shape + B.shape``.

        Examples
        --------
        >>> import numpy_shim as np
        >>> np.multiply.outer([1, 2], [3, 4])
        array([[3, 4],
               [6, 8]])
        """
        spec = self._spec
        name = f"{spec.name}.outer"
        if self.signature is not None:
            raise TypeError(f"{name}: not allowed in ufunc with non-trivial signature")
        if spec.nin != 2:
            raise ValueError(f"{name}: outer product only supported for binary functions")
        outs = kwargs.get("out")
        if defers_any(A, B, outs):
            options = {k: v for k, v in kwargs.items() if k != "out"}
            return call_override(self, "outer", (A, B), as_tuple(outs), options)
        a, b = as_tensor(name, A, "A"), as_tensor(name, B, "B")
        if a.dim() + b.dim() > MAX_DIMS:
            raise ValueError(
                f"{name}: the result would have {a.dim() + b.dim()} axes, more than {MAX_DIMS}"
            )
        column = a.reshape(a.shape + (1,) * b.dim())
        return self(array_of(column), array_of(b), **kwargs)  # type: ignore[no-any-return, operator]

    def at(self, a: ndarray, indices: object, b: ArrayLike | None = None, /) -> None:
        """Apply the function to elements in place, once for each time they are indexed.

        Parameters
        ----------
        a : ndarray
            The array to change.
        indices : index expression
            Which elements; a repeated element is changed repeatedly.
        b : array_like, optional
            The second operand; it broadcasts to the shape of ``a[indices]``.

        Examples
        --------
        >>> import numpy_shim as np
        >>> a = np.array([1, 2, 3])
        >>> np.add.at(a, [0, 0, 2], 10)
        >>> a
        array([21,  2, 13])
        """
        spec = self._spec
        name = f"{spec.name}.at"
        if self.signature is not None:
            raise TypeError(f"{name} does not support ufunc with non-trivial signature")
        if spec.nout != 1:
            raise ValueError(f"{name}: only single output ufuncs supported at this time")
        if defers_any(a, indices, b):
            call_override(self, "at", (a, indices) if b is None else (a, indices, b), (), {})
            return
        if isinstance(a, numpy.ndarray) and not is_compiling():  # NumPy writes to its memory
            if not a.flags.num & WRITEABLE:  # to read-only memory too
                raise ValueError(f"{name}: the first operand is read-only")
            raise HostDtypeError(f"{name}: the first operand is one of NumPy's own arrays")
        if isinstance(a, Tensor):
            a = array_of(a)
        if type(a) is not ndarray:
            raise TypeError(f"{name}: first operand must be array")
        if (b is None) is (spec.nin == 2):
            needed = "needed for" if b is None else "provided when"
            raise ValueError(f"{name}: second operand {needed} ufunc of {spec.nin} operands")
        target = a._tensor
        values = None if b is None else as_tensor(name, b, "b", target.device)
        key = (target.dtype,) if values is None else (target.dtype, values.dtype)
        loop = loop_of(spec, key)
        chosen = positions_of(name, target, indices)
        if values is not None:
            if broadcast_shapes(name, values.shape, chosen.shape) != tuple(chosen.shape):
                raise ValueError(f"{name}: array is not broadcastable to correct shape")
            values = values.expand(chosen.shape).reshape(-1)
        needs_grad = target.requires_grad or (values is not None and values.requires_grad)
        if (
            type(target) is Tensor
            and target.is_contiguous()
            and not (needs_grad or errstate.active)
        ):
            if values is not None:
                values = values.clone()  # it may share memory with the target
            apply_at(spec.name, loop, target.view(-1), chosen.reshape(-1), values)
            return
        chosen, ndim = chosen.reshape(-1), target.dim()
        if target.numel() and is_writeable(a) and overlaps_itself(a):  # change the memory itself
            target, positions = uncovered(a)
            a, chosen = array_of(target), positions.reshape(-1)[chosen]
        flat = target.reshape(-1).clone()
        met: set[str] = set()
        apply_at(spec.name, watched(spec, loop, met), flat, chosen, values)
        named = spec.name in error_checks.INDEXED and ndim == 1 and len(set(key)) == 1
        if met:
            errstate.report(met, spec.name if named else "at")
        assign(a, flat.reshape(target.shape))

    def _without_signature(self, method: str) -> None:
        if self.signature is not None:
            raise RuntimeError(f"{self.__name__}.{method}: not defined on ufunc with signature")


def _one_axis(name: str, axis: object, t: Tensor) -> int:
    if t.dim() == 0:
        raise TypeError(f"{name}: cannot be applied to a scalar")
    if axis is None or isinstance(axis, tuple):
        axes = normalize_axes(name, axis, t.dim())
        if len(axes) != 1:
            raise ValueError(f"{name}: does not allow multiple axes")
        return axes[0]
    return normalize_axis(name, axis, t.dim())


def _known_starts(name: str, indices: object, size: int) -> list[int] | None:
    """The indices of ``reduceat`` that a trace knows: those in a list; ``None`` for others."""
    if not isinstance(indices, (list, tuple, range)):
        return None
    starts = list(indices)
    for start in starts:
        if type(start) is not int:
            return None
        if not 0 <= start < size:
            raise _out_of_bounds(name, start, size)
    return starts


def _out_of_bounds(name: str, start: int, size: int) -> IndexError:
    return IndexError(f"index {start} out-of-bounds in {name} [0, {size})")


def _starts(name: str, indices: Any, size: int) -> Tensor:
    """The indices of ``reduceat`` as int64 on the host, each inside the axis."""
    tensor = as_tensor(name, indices, "indices")
    if tensor.dim() != 1:
        raise ValueError(f"{name}: indices must have 1 dimension, not {tensor.dim()}")
    starts = tensor.to("cpu", torch.int64)
    if starts.numel() and not 0 <= int(starts.min()) <= int(starts.max()) < size:
        wrong = next(start for start in starts.tolist() if not 0 <= start < size)
        raise _out_of_bounds(name, wrong, size)
    return starts
