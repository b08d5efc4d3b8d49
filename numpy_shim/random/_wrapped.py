"""NumPy's random methods with our arrays as arguments and results.

The numbers are NumPy's: parameters are read on the host, results move to the default device.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

import numpy
import torch

from xp_torch._kernels import manipulation
from xp_torch._kernels.blocks import is_large

from .._array.ndarray import AnyArray, ndarray, wrap
from .._array.views import is_writeable
from .._base.axes import normalize_axis
from .._base.scalar_types import STORED
from .._convert.arguments import as_tensor, assign
from .._convert.host import from_host, to_host
from .._host import crossings
from .._kernels.host_kernels import by_numpy
from . import _native
from ._streams import is_native
from ._texts import text_of

DISTRIBUTIONS = (
    "beta", "binomial", "chisquare", "dirichlet", "exponential", "f", "gamma", "geometric",
    "gumbel", "hypergeometric", "laplace", "logistic", "lognormal", "logseries", "multinomial",
    "multivariate_normal", "negative_binomial", "noncentral_chisquare", "noncentral_f", "normal",
    "pareto", "poisson", "power", "random", "rayleigh", "standard_cauchy", "standard_exponential",
    "standard_gamma", "standard_normal", "standard_t", "triangular", "uniform", "vonmises", "wald",
    "weibull", "zipf",
)  # fmt: skip
"""The methods that ``Generator`` and ``RandomState`` both draw with; ``_methods.pyi`` has all."""


def drawn(x: object) -> Any:
    """What NumPy has drawn on the default device; one number of a launched program as it is.

    Such a number is one of a loop's, as Python's floats are that other methods draw.
    """
    return x if type(x) in STORED and crossings.mode() else from_host(x)


def drawing(reference: Any, name: str) -> Callable[..., Any]:
    """Make a drawing method: NumPy's of this name, or torch's if that stream is selected."""
    native = _native.DRAWS.get(name)
    parameters = list(inspect.signature(getattr(reference, name)).parameters)
    out_position = parameters.index("out") - 1 if "out" in parameters else None

    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        if is_native():
            if native is None:
                raise NotImplementedError(
                    f"{name}: torch's stream does not support this distribution; draw it with "
                    'numpy_shim.random.set_stream("numpy")'
                )
            return native(*args, **kwargs, generator=self._native_generator())
        out = kwargs.pop("out", None)
        if out_position is not None and len(args) > out_position:
            out, args = args[out_position], (*args[:out_position], *args[out_position + 1 :])
        draw = getattr(self._source, name)
        host_args = map(to_host, args)  # for the one call that is made
        for key, value in kwargs.items():
            kwargs[key] = to_host(value)
        if out is None:
            return drawn(draw(*host_args, **kwargs))
        if isinstance(out, numpy.ndarray) and not isinstance(out, AnyArray):
            return draw(*host_args, **kwargs, out=out)
        if not isinstance(out, AnyArray):
            raise TypeError(f"{name}: out must be an ndarray, not {type(out).__name__}")
        order: Any = "C" if out._tensor.is_contiguous() else "F"
        if order == "F" and name != "permuted" and not out.flags.f_contiguous:
            raise ValueError(f"{name}: Supplied output array must be contiguous, writable, aligned")
        filled = numpy.empty(tuple(out._tensor.shape), out.dtype, order=order)
        draw(*host_args, **kwargs, out=filled)
        assign(out, torch.from_numpy(filled).to(out._tensor.device))
        return out

    return documented(method, reference, name)


def documented(method: Any, reference: Any, name: str) -> Callable[..., Any]:
    """``method`` with NumPy's name and signature, and a docstring made of NumPy's."""
    method.__name__ = name
    method.__qualname__ = f"{reference.__name__}.{name}"
    original = getattr(reference, name)
    doc = original.__doc__ or ""
    method.__doc__ = text_of(reference.__name__, name, doc)
    method.__signature__ = inspect.signature(original)
    method.__module__ = "numpy_shim.random"
    return method  # type: ignore[no-any-return]


def take_drawn(name: str, x: Any, indices: object, axis: int) -> ndarray:
    """The elements of ``x`` at indices that NumPy drew, taken on the device of ``x``."""
    tensor = as_tensor(name, x, "a")
    index = torch.from_numpy(numpy.array(indices, dtype=numpy.int64)).to(tensor.device)
    axis = normalize_axis(name, axis, tensor.dim())
    picked = manipulation.moving(torch.index_select)(tensor, axis, index.reshape(-1))
    shape = tensor.shape
    return wrap(picked.reshape((*shape[:axis], *index.shape, *shape[axis + 1 :])))


def shuffled(source: Any, x: ndarray) -> bool:
    """Whether NumPy has shuffled the memory of a long vector, as it would shuffle its indices."""
    t = x._tensor
    if type(x) is not ndarray or t.dim() != 1 or not is_large(t) or not is_writeable(x):
        return False
    return by_numpy(source.shuffle, (t,), {}) is not NotImplemented


def reorder(name: str, x: ndarray, indices: object, axis: int = 0) -> None:
    """Reorder ``x`` in place."""
    assign(x, take_drawn(name, x, indices, axis)._tensor)


def shuffle_sequence(source: Any, x: Any, *axis: int) -> None:
    """Reorder a sequence in place; the warning for other objects names the caller's line."""
    if isinstance(x, (Sequence, numpy.ndarray, AnyArray)):
        source.shuffle(x, *axis)
        return
    warnings.warn(
        f"shuffle: you are shuffling a {type(x).__name__!r} object which is not a subclass of "
        "'Sequence'; objects whose elements are views may contain duplicates afterwards",
        stacklevel=3,
    )
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", UserWarning
        )  # NumPy's own warning, which would name this module
        source.shuffle(x, *axis)


def is_population(x: object) -> TypeGuard[ndarray]:
    """Whether ``x`` is an array to draw from, not a number of elements."""
    return isinstance(x, (AnyArray, torch.Tensor)) and len(x.shape) > 0
